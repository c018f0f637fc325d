import { expect } from 'chai';
import { putBrackets } from '../../../gateway/contract/brackets.ts';
import {
  bracketDraftOf,
  bracketInputOf,
  bracketsChange,
  NO_BRACKET,
} from '../../../renderer/features/brackets-form/bracket-draft.ts';
import {
  bracketState,
  bracketText,
  carriesOver,
} from '../../../renderer/features/brackets-form/bracket-text.ts';

const five = { type: 'PERCENTAGE', value: '5', trailing: null } as const;
const trailing = { type: 'DOLLAR', value: '50', trailing: { delta: '25', activation: null } } as const;

describe('brackets drafts', () => {
  it('reads what stands and gives the same back', () => {
    expect(bracketInputOf(bracketDraftOf(five))).to.deep.equal({ type: 'PERCENTAGE', value: '5' });
    expect(bracketInputOf(bracketDraftOf(trailing))).to.deep.equal({
      type: 'DOLLAR',
      value: '50',
      trailing: { delta: '25' },
    });
    expect(bracketInputOf(NO_BRACKET)).to.equal(undefined);
  });

  it('sends only what differs, null for what is taken away, nothing for nothing', () => {
    const standing = { takeProfit: five, stopLoss: null };
    const same = { takeProfit: bracketDraftOf(five), stopLoss: NO_BRACKET };
    expect(bracketsChange(standing, same)).to.equal(null);
    expect(bracketsChange(standing, { ...same, takeProfit: NO_BRACKET })).to.deep.equal({ takeProfit: null });
    const added = bracketsChange(standing, { ...same, stopLoss: bracketDraftOf(trailing) });
    expect(added).to.deep.equal({ stopLoss: { type: 'DOLLAR', value: '50', trailing: { delta: '25' } } });
    expect(putBrackets.body.safeParse(added).success).to.equal(true);
  });

  it('keeps the transform of a level that is changed: without it another stop would be set, far from any market', () => {
    const stop = {
      type: 'PRICE_RATIO',
      value: '3',
      trailing: null,
      transform: 'Z_SCORE',
      lookback: 720,
    } as const;
    const standing = { takeProfit: null, stopLoss: stop };
    const draft = bracketDraftOf(stop);
    expect(bracketsChange(standing, { takeProfit: NO_BRACKET, stopLoss: draft })).to.equal(null);
    const moved = bracketsChange(standing, { takeProfit: NO_BRACKET, stopLoss: { ...draft, value: '-2.5' } });
    expect(moved).to.deep.equal({
      stopLoss: { type: 'PRICE_RATIO', value: '-2.5', transform: 'Z_SCORE', lookback: 720 },
    });
    expect(putBrackets.body.safeParse(moved).success).to.equal(true);
    expect(bracketInputOf({ ...draft, type: 'PERCENTAGE' })).to.deep.equal({
      type: 'PERCENTAGE',
      value: '3',
    });
  });

  it('leaves an empty field for the contract to refuse, under its own name', () => {
    const change = bracketsChange(
      { takeProfit: null, stopLoss: null },
      { takeProfit: { ...NO_BRACKET, isOn: true }, stopLoss: NO_BRACKET },
    );
    const issues = putBrackets.body.safeParse(change).error?.issues ?? [];
    expect(issues.map(({ path }) => path.join('.'))).to.include('takeProfit.value');
  });

  it('shows the slippage in percent and sends it as a fraction; empty leaves the gateway its own', () => {
    const draft = bracketDraftOf({ ...five, slippage: '0.035' });
    expect(draft.slippage).to.equal('3.5');
    expect(bracketInputOf(draft)).to.deep.equal({ type: 'PERCENTAGE', value: '5', slippage: '0.035' });
    expect(bracketInputOf({ ...draft, slippage: ' ' })).to.not.have.property('slippage');
    const change = { stopLoss: bracketInputOf({ ...draft, slippage: '11' }) };
    const issues = putBrackets.body.safeParse(change).error?.issues ?? [];
    expect(issues.map(({ path }) => path.join('.'))).to.include('stopLoss.slippage');
  });

  it('says what one that fired does, and what becomes of each in a reversal', () => {
    const of = (
      status: 'ACTIVE' | 'PAUSED' | 'TRIGGERED',
      rounds = 0,
      pauseReason: null | 'USER' | 'OTHER_BRACKET' = null,
    ) => bracketState({ status, rounds, pauseReason });
    expect([of('ACTIVE'), of('TRIGGERED'), of('TRIGGERED', 3)]).to.deep.equal([
      null,
      'closing',
      'closing, round 4',
    ]);
    expect([of('PAUSED', 0, 'USER'), of('PAUSED', 0, 'OTHER_BRACKET')]).to.deep.equal([
      'paused',
      'waits for the other',
    ]);
    const ratio = { type: 'PRICE_RATIO', value: '2', trailing: null } as const;
    const follows = { ...ratio, trailing: { delta: '1', activation: null } };
    expect([five, trailing, ratio, follows].map((one) => carriesOver('stopLoss', one))).to.deep.equal([
      true,
      true,
      false,
      true,
    ]);
    expect(carriesOver('takeProfit', follows)).to.equal(false);
  });

  it('says levels with their sign and unit', () => {
    expect(bracketText('takeProfit', five)).to.equal('+5 %');
    expect(bracketText('stopLoss', trailing)).to.equal('−50 USD, trailing 25 USD');
    expect(bracketText('stopLoss', { type: 'PRICE_RATIO', value: '31.2', trailing: null })).to.equal(
      'Price ratio 31.2',
    );
  });
});
