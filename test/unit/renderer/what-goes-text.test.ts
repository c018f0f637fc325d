import { expect } from 'chai';
import { goingText, unprotectedTexts } from '../../../renderer/features/what-goes/what-goes-text.ts';

const leg = (symbol: string, side: 'BUY' | 'SELL') => ({ symbol, side, mode: 'USD', amount: '10' }) as const;
const trigger = (over: object = {}) => ({
  status: 'ACTIVE' as const,
  ladderId: null,
  bracketType: null,
  positionId: null,
  legs: [leg('BTC-PERP', 'BUY'), leg('ETH-PERP', 'SELL')],
  ...over,
});
const ticker = (id: string) => id.replace('-PERP', '');

describe('what a cancellation of everything takes along, in words', () => {
  it('is counted by kind, with the paused ones', () => {
    const triggers = [trigger(), trigger({ status: 'PAUSED' }), trigger({ ladderId: 'one' })];
    expect(goingText({ triggers, schedules: [{ status: 'PAUSED' }], orders: 2 })).to.equal(
      'Cancels 2 triggers, 1 ladder rung, 1 TWAP and 2 orders. 2 of them are paused.',
    );
    expect(goingText({ triggers: [], schedules: [], orders: 1 })).to.equal('Cancels 1 order.');
    expect(goingText({ triggers: [], schedules: [], orders: 0 })).to.equal(null);
  });

  it('names each position that loses its stop-loss or take-profit once', () => {
    const stop = { bracketType: 'STOP_LOSS', positionId: 'a' };
    const triggers = [
      trigger(stop),
      trigger(stop),
      trigger({ bracketType: 'STOP_LOSS', positionId: 'b', legs: [leg('SOL-PERP', 'BUY')] }),
      trigger({ bracketType: 'TAKE_PROFIT', positionId: 'a' }),
      trigger(),
    ];
    expect(unprotectedTexts(triggers, ticker)).to.deep.equal([
      '2 open positions lose their stop-loss: BTC / ETH, SOL',
      '1 open position loses its take-profit: BTC / ETH',
    ]);
    expect(unprotectedTexts([trigger()], ticker)).to.deep.equal([]);
  });
});
