/** Text about take-profit and stop-loss in the dialogs of a position: what the gateway will do with them. */
import { expect } from 'chai';
import { canWatch } from '../../../renderer/features/brackets-form/bracket-text.ts';
import { bracketFate, isUneven, type SizeChange } from '../../../renderer/screens/positions/bracket-fate.ts';

type Type = 'PERCENTAGE' | 'DOLLAR' | 'POSITION_VALUE' | 'PRICE_RATIO' | 'WEIGHTED_RATIO' | 'PRICE';
const bracket = (type: Type, value = '5') => ({
  type,
  value,
  trailing: null,
});
const leg = (side: 'BUY' | 'SELL', before: string, after: string) => ({ side, before, after });
/** A pair whose legs change alike. */
const even = (change: SizeChange) => {
  const after = { enlarged: '3', reduced: '1', changed: '1', ended: '0' }[change];
  return { change, legs: [leg('BUY', '2', after), leg('SELL', '2', after)] };
};
/** A pair of which one leg alone changes. */
const uneven = (change: SizeChange) => ({ change, legs: [leg('BUY', '2', '1'), leg('SELL', '2', '2')] });
const stop = (type: Type, change: SizeChange) => bracketFate('stopLoss', bracket(type), even(change));

describe('take-profit and stop-loss, when the size changes', () => {
  it('stay, and cover what is added: by the new entry where they are measured from it', () => {
    expect(stop('PERCENTAGE', 'enlarged')).to.equal(
      'Stop-loss −5 % stays, and covers what is added, from the new entry.',
    );
    expect(stop('DOLLAR', 'enlarged')).to.equal(
      'Stop-loss −5 USD stays, and covers what is added; its amount is of the whole.',
    );
    expect(stop('PRICE_RATIO', 'enlarged')).to.equal(
      'Stop-loss Price ratio 5 stays, and covers what is added.',
    );
  });

  it('keep their distance where they trail', () => {
    const trailing = { ...bracket('PERCENTAGE'), trailing: { delta: '1', activation: null } };
    expect(bracketFate('stopLoss', trailing, even('enlarged'))).to.equal(
      'Stop-loss −5 %, trailing 1 % stays, and covers what is added; it keeps the distance that it trails by.',
    );
  });

  it('move with the size where they watch the value', () => {
    const value = (side: 'takeProfit' | 'stopLoss', change: SizeChange) =>
      bracketFate(side, bracket('POSITION_VALUE', '12000'), even(change));
    expect(value('takeProfit', 'enlarged')).to.match(/; its level grows with the size\.$/);
    expect(value('stopLoss', 'reduced')).to.match(/; its level falls with the size\.$/);
    expect(value('stopLoss', 'changed')).to.match(/; its level moves with the size\.$/);
  });

  it('in dollars count what a reduction realises', () => {
    expect(stop('DOLLAR', 'reduced')).to.equal(
      'Stop-loss −5 USD stays for the rest; PnL that this realises counts on.',
    );
  });

  it('stay for the rest, and end with the position', () => {
    expect(stop('PERCENTAGE', 'reduced')).to.equal('Stop-loss −5 % stays for the rest.');
    expect(stop('PERCENTAGE', 'changed')).to.match(/for the position as it is then, from the new entry\.$/);
    expect(stop('PRICE_RATIO', 'ended')).to.equal('Stop-loss Price ratio 5 ends with the position.');
  });

  it('close the position as it is then, once they have fired', () => {
    const fired = { ...bracket('PERCENTAGE'), status: 'TRIGGERED' } as const;
    expect(bracketFate('takeProfit', fired, even('enlarged'))).to.equal(
      'Take-profit +5 % is closing the position, and closes it as it is then.',
    );
    expect(bracketFate('takeProfit', fired, even('ended'))).to.match(/ends with the position\.$/);
  });

  it('are said to jump where the legs change by different shares, unless they trail', () => {
    const of = (type: Type, change: SizeChange) => bracketFate('stopLoss', bracket(type), uneven(change));
    expect(of('DOLLAR', 'reduced')).to.match(/; PnL that this realises counts on\.$/);
    expect(of('PERCENTAGE', 'changed')).to.match(/; PnL that this realises counts on\.$/);
    expect(of('DOLLAR', 'enlarged')).not.to.contain('jumps');
    expect(of('WEIGHTED_RATIO', 'reduced')).to.match(/jumps with the weights of the legs/);
    expect(of('PRICE_RATIO', 'reduced')).to.equal('Stop-loss Price ratio 5 stays for the rest.');
    const trailing = { ...bracket('DOLLAR'), trailing: { delta: '1', activation: null } };
    expect(bracketFate('stopLoss', trailing, uneven('reduced'))).not.to.contain('jumps');
  });

  it('are said to jump with the weights at every enlargement, which is at other prices', () => {
    expect(stop('WEIGHTED_RATIO', 'enlarged')).to.match(/jumps with the weights of the legs/);
    expect(stop('WEIGHTED_RATIO', 'reduced')).to.match(/stays for the rest\.$/);
  });

  it('watch a price by each side’s own weights: a pair has none, three legs have', () => {
    expect(stop('PRICE', 'enlarged')).not.to.contain('jumps');
    expect(bracketFate('stopLoss', bracket('PRICE'), uneven('reduced'))).not.to.contain('jumps');
    const three = [leg('BUY', '2', '3'), leg('BUY', '5', '7.5'), leg('SELL', '2', '3')];
    expect(bracketFate('stopLoss', bracket('PRICE'), { change: 'enlarged', legs: three })).to.contain(
      'jumps',
    );
    const half = [leg('BUY', '2', '0'), leg('SELL', '2', '2')];
    expect(bracketFate('stopLoss', bracket('PRICE'), { change: 'reduced', legs: half })).to.contain('jumps');
  });

  it('are watched no more where their ratio has lost a leg', () => {
    const half = { change: 'reduced', legs: [leg('BUY', '2', '0'), leg('SELL', '2', '2')] } as const;
    expect(bracketFate('stopLoss', bracket('PRICE_RATIO'), half)).to.match(
      /is not watched then: its ratio needs/,
    );
    expect(canWatch(bracket('PRICE_RATIO'), [{ side: 'BUY', quantity: '2' }])).to.equal(false);
    expect(canWatch(bracket('DOLLAR'), [{ side: 'BUY', quantity: '2' }])).to.equal(true);
  });

  it('are of legs that change alike where only steps round them', () => {
    expect(isUneven([leg('BUY', '0.00123', '0.00062'), leg('SELL', '51', '26')])).to.equal(false);
    expect(isUneven([leg('BUY', '2', '1'), leg('SELL', '51', '51')])).to.equal(true);
    expect(isUneven([leg('BUY', '0', '3'), leg('SELL', '51', '56')])).to.equal(true);
    expect(isUneven([leg('BUY', '0', '0'), leg('SELL', '51', '25')])).to.equal(false);
  });
});
