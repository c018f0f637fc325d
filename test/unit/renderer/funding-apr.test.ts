/** Funding of a basket a year: by its weights, from the holder's side, and not told of a part of it. */
import { expect } from 'chai';
import { basketApr } from '../../../renderer/features/funding-apr/funding-apr.ts';

const NEXT = '2026-11-27T14:00:00.000Z';
const RATES = new Map([
  ['BTC', { id: 'BTC', rate: '0.0001', intervalHours: 8, nextFundingTime: NEXT }],
  ['ETH', { id: 'ETH', rate: '0.00001', intervalHours: 1, nextFundingTime: NEXT }],
]);
const leg = (id: string, side: 'BUY' | 'SELL', weight: number) => ({ id, side, weight });

describe('the funding of a basket a year', () => {
  it('is the mean of its legs by weight; longs pay a positive rate', () => {
    // 10.95 % a year on BTC, 8.76 % on ETH.
    expect(basketApr({ legs: [leg('BTC', 'BUY', 1)] }, RATES)).to.equal('-0.1095000000');
    const pair = [leg('BTC', 'BUY', 75), leg('ETH', 'SELL', 25)];
    expect(Number(basketApr({ legs: pair }, RATES))).to.be.closeTo(-0.1095 * 0.75 + 0.0876 * 0.25, 1e-9);
  });

  it('is not known while a rate is not, or where nothing is weighed', () => {
    const pair = [leg('BTC', 'BUY', 1), leg('SOL', 'SELL', 1)];
    expect(basketApr({ legs: pair }, RATES)).to.equal(null);
    expect(basketApr({ legs: pair }, undefined)).to.equal(null);
    expect(basketApr({ legs: [leg('BTC', 'BUY', 0)] }, RATES)).to.equal(null);
  });
});
