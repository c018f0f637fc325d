/** What the dialogs of a position say of its take-profit and stop-loss: what the gateway makes of them. */
import { expect } from 'chai';
import { bracketFate, type SizeChange } from '../../../renderer/screens/positions/bracket-fate.ts';

const bracket = (type: 'PERCENTAGE' | 'DOLLAR' | 'POSITION_VALUE' | 'PRICE_RATIO', value = '5') => ({
  type,
  value,
  trailing: null,
});
const stop = (type: Parameters<typeof bracket>[0], change: SizeChange) =>
  bracketFate('stopLoss', bracket(type), change);

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
    expect(bracketFate('stopLoss', trailing, 'enlarged')).to.equal(
      'Stop-loss −5 %, trailing 1 % stays, and covers what is added; it keeps the distance that it trails by.',
    );
  });

  it('may fire at once where they watch the value, which the size changes too', () => {
    const value = (side: 'takeProfit' | 'stopLoss', change: SizeChange) =>
      bracketFate(side, bracket('POSITION_VALUE', '12000'), change);
    expect(value('takeProfit', 'enlarged')).to.match(/grows by what is added, which may fire it at once\.$/);
    expect(value('stopLoss', 'enlarged')).to.match(/grows by what is added\.$/);
    expect(value('stopLoss', 'reduced')).to.match(/falls by what is closed, which may fire it at once\.$/);
    expect(value('takeProfit', 'reduced')).to.match(/falls by what is closed\.$/);
  });

  it('stay for the rest, and end with the position', () => {
    expect(stop('PERCENTAGE', 'reduced')).to.equal('Stop-loss −5 % stays for the rest.');
    expect(stop('PERCENTAGE', 'changed')).to.match(/for the position as it is then, from the new entry\.$/);
    expect(stop('PRICE_RATIO', 'ended')).to.equal('Stop-loss Price ratio 5 ends with the position.');
  });

  it('close the position as it is then, once they have fired', () => {
    const fired = { ...bracket('PERCENTAGE'), status: 'TRIGGERED' } as const;
    expect(bracketFate('takeProfit', fired, 'enlarged')).to.equal(
      'Take-profit +5 % is closing the position, and closes it as it is then.',
    );
    expect(bracketFate('takeProfit', fired, 'ended')).to.match(/ends with the position\.$/);
  });
});
