/** Funding that comes next: from the holder's side, to the last digit, and only of what is due first. */
import { expect } from 'chai';
import { nextPayment } from '../../../renderer/features/next-funding/payment.ts';

const SOON = '2026-11-27T14:00:00.000Z';
const LATER = '2026-11-27T16:00:00.000Z';
const rates = (list: readonly (readonly [id: string, rate: string, at: string])[]) =>
  new Map(
    list.map(([id, rate, nextFundingTime]) => [
      id,
      { id, rate, nextFundingTime, intervalHours: nextFundingTime === SOON ? 1 : 8 },
    ]),
  );
const leg = (symbol: string, side: 'BUY' | 'SELL', notional: string) => ({ symbol, side, notional });

describe('the next payment of funding', () => {
  it('is paid by longs and received by shorts at a positive rate, and the other way round', () => {
    const both = rates([
      ['BTC', '0.0000125', SOON],
      ['ETH', '-0.00001', SOON],
    ]);
    const of = (...legs: Parameters<typeof nextPayment>[0]) => nextPayment(legs, both);
    expect(of(leg('BTC', 'BUY', '6000.1'))).to.equal('-0.07500125');
    expect(of(leg('BTC', 'SELL', '6000.1'))).to.equal('0.07500125');
    // 0.075 paid on the long of a positive rate, 0.04 paid on the short of a negative one.
    expect(of(leg('BTC', 'BUY', '6000'), leg('ETH', 'SELL', '4000'))).to.equal('-0.115');
    expect(of(leg('BTC', 'BUY', '6000'), leg('ETH', 'BUY', '7500'))).to.equal('0');
  });

  it('is of the legs that are due first', () => {
    const apart = rates([
      ['BTC', '0.0001', LATER],
      ['ETH', '0.0001', SOON],
    ]);
    expect(nextPayment([leg('BTC', 'BUY', '1000'), leg('ETH', 'SELL', '500')], apart)).to.equal('0.05');
  });

  it('is not told of a part, without the rate of a leg, and is nothing of what comes to nothing', () => {
    const one = rates([['BTC', '0.0001', SOON]]);
    expect(nextPayment([leg('BTC', 'BUY', '1000'), leg('ETH', 'SELL', '1000')], one)).to.equal(null);
    // A leg that is not held is none.
    expect(nextPayment([leg('BTC', 'BUY', '1000'), leg('ETH', 'SELL', '0')], one)).to.equal('-0.1');
    // A net of exactly 0, at a rate that is known and at one that is not.
    expect(nextPayment([leg('BTC', 'BUY', '0')], one)).to.equal('0');
    expect(nextPayment([leg('ETH', 'BUY', '0')], one)).to.equal('0');
    expect(nextPayment([], one)).to.equal('0');
  });
});
