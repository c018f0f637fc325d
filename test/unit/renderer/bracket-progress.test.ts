/** Place of a position between the brackets in force: to scale, trailing ones at their current level. */
import { expect } from 'chai';
import { standingBracket, standingText } from '../../../renderer/features/brackets-form/bracket-standing.ts';
import { bracketProgress } from '../../../renderer/screens/positions/bracket-progress.ts';
import { type BracketRow, bracketRow, positionLegRow, positionRow } from './wire-rows.ts';

const LEGS = [positionLegRow({ quantity: '10' })];
const bracket = (value: string, more: Partial<BracketRow> = {}) => bracketRow({ value, ...more });
const position = (unrealizedPnl: string, stopLoss: BracketRow | null, takeProfit: BracketRow | null) =>
  positionRow({ legs: LEGS, unrealizedPnl, stopLoss, takeProfit });
const trailing = { delta: '1', activation: null };

describe('the way between stop-loss and take-profit', () => {
  it('is drawn to scale: the entry lies nearer to the nearer level', () => {
    const { stop, target, entry, now } = bracketProgress(position('0', bracket('3'), bracket('5'))) ?? {};
    expect([stop, target, entry, now]).to.deep.equal([0, 1, 3 / 8, 3 / 8]);
    expect(bracketProgress(position('10', bracket('30', { type: 'DOLLAR' }), bracket('5')))?.now).to.equal(
      0.5,
    );
  });

  it('has the stop where it trails now, also past the entry', () => {
    const behind = bracketProgress(position('0', bracket('3', { trailing, peak: '0' }), bracket('4')));
    expect([behind?.stop, behind?.entry, behind?.now]).to.deep.equal([0, 0.2, 0.2]);
    const past = bracketProgress(position('25', bracket('3', { trailing, peak: '3' }), bracket('4')));
    expect([past?.stop, past?.entry, past?.now]).to.deep.equal([0.5, 0, 0.625]);
  });

  it('has a stop past the entry behind the present value, without a take-profit too', () => {
    const past = bracketProgress(position('40', bracket('3', { trailing, peak: '4' }), null));
    expect([past?.stop, past?.target, past?.entry, past?.now]).to.deep.equal([0.75, null, 0, 1]);
    // One that was not passed by is drawn as ever: as far on one side of the entry as on the other.
    const before = bracketProgress(position('10', bracket('2'), null));
    expect([before?.stop, before?.entry, before?.now]).to.deep.equal([0, 0.5, 0.75]);
  });

  it('has the stop where it was asked while it does not trail yet, and no take-profit that cannot fire', () => {
    const waits = bracketProgress(position('0', bracket('3', { trailing }), bracket('5', { trailing })));
    expect([waits?.stop, waits?.target]).to.deep.equal([0, null]);
  });

  it('has no common scale for levels in different units', () => {
    const price = bracket('90', { type: 'PRICE' });
    expect(bracketProgress(position('25', price, bracket('5')))?.now).to.equal(0.75);
    expect(bracketProgress(position('0', null, null))).to.equal(null);
  });

  it('has its line on the chart where it stands now', () => {
    const line = (side: 'stopLoss' | 'takeProfit', value: string, peak: string | null) =>
      standingBracket(side, bracket(value, { trailing, peak }), LEGS).value;
    expect([
      line('stopLoss', '3', '0.04'),
      line('stopLoss', '3', '2.5'),
      line('stopLoss', '3', null),
    ]).to.deep.equal(['0.96', '-1.5', '3']);
    expect([line('takeProfit', '5', '6'), line('takeProfit', '5', null)]).to.deep.equal(['5', '5']);
  });

  it('says where a trailing stop stands now', () => {
    const said = (peak: string, more: Partial<BracketRow> = {}) =>
      standingText('stopLoss', bracket('3', { trailing, peak, ...more }), LEGS);
    expect([said('0.0384'), said('2.5'), said('-2.5'), said('1')]).to.deep.equal([
      '\u22120.96 %',
      '+1.50 %',
      '\u22123.00 %',
      '0.00 %',
    ]);
    expect(said('31.25', { type: 'PRICE_RATIO', value: '29' })).to.equal('30.25');
    expect(standingText('stopLoss', bracket('3', { trailing }), LEGS), 'not yet').to.equal(null);
    const shorts = [positionLegRow({ side: 'SELL' })];
    expect(
      standingText('stopLoss', bracket('110', { type: 'PRICE', trailing, peak: '95' }), shorts),
    ).to.equal('96');
  });
});
