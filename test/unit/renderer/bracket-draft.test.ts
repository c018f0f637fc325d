import { expect } from 'chai';
import { putBrackets } from '../../../gateway/contract/brackets.ts';
import {
  bracketDraftOf,
  bracketInputOf,
  bracketsChange,
  NO_BRACKET,
} from '../../../renderer/features/brackets-form/bracket-draft.ts';
import { bracketText } from '../../../renderer/features/brackets-form/bracket-text.ts';

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

  it('leaves an empty field for the contract to refuse, under its own name', () => {
    const change = bracketsChange(
      { takeProfit: null, stopLoss: null },
      { takeProfit: { ...NO_BRACKET, isOn: true }, stopLoss: NO_BRACKET },
    );
    const issues = putBrackets.body.safeParse(change).error?.issues ?? [];
    expect(issues.map(({ path }) => path.join('.'))).to.include('takeProfit.value');
  });

  it('says levels with their sign and unit', () => {
    expect(bracketText('takeProfit', five)).to.equal('+5 %');
    expect(bracketText('stopLoss', trailing)).to.equal('−50 USD, trailing 25 USD');
    expect(bracketText('stopLoss', { type: 'PRICE_RATIO', value: '31.2', trailing: null })).to.equal(
      'Price ratio 31.2',
    );
  });
});
