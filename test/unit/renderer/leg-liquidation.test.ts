/** The venue's liquidation price is of what the account holds of an instrument in all. */
import { expect } from 'chai';
import { isOfOtherSide, legsOfAccount } from '../../../renderer/screens/positions/leg-liquidation.ts';
import type { PositionLeg } from '../../../renderer/screens/positions/use-position-data.ts';
import { positionLegRow } from './wire-rows.ts';

const leg = (side: 'BUY' | 'SELL', quantity: string, symbol = 'BTC-PERP') => ({ symbol, side, quantity });

describe('the liquidation price of a leg', () => {
  it('is another holding’s where the account holds the instrument on the other side', () => {
    const long = leg('BUY', '0.1');
    const baskets = [{ legs: [long, leg('SELL', '9', 'ETH-PERP')] }, { legs: [leg('SELL', '0.3')] }];
    expect(isOfOtherSide(long, baskets, [])).to.equal(true);
    expect(isOfOtherSide(leg('SELL', '0.3'), baskets, [])).to.equal(false);
    // Trades outside Tandem count too.
    const past = [{ symbol: 'BTC-PERP', quantity: '0.5' }];
    expect(isOfOtherSide(long, baskets, past)).to.equal(false);
    expect(isOfOtherSide(leg('SELL', '0.3'), baskets, past)).to.equal(true);
  });

  it('is the leg’s own close to its liquidation, where it lies beyond the mark', () => {
    const near = { ...leg('BUY', '0.1'), markPrice: '100', liquidationPrice: '101' } as PositionLeg;
    expect(
      legsOfAccount([near], [{ legs: [near] }], [], true).map(({ isOpposed }) => isOpposed),
    ).to.deep.equal([false]);
  });

  it('is known not to be there only of what is held, once the venue has answered', () => {
    const why = (quantity: string, isAnswered: boolean) =>
      legsOfAccount([positionLegRow({ quantity })], [], [], isAnswered)[0]?.whyUntold;
    expect(why('0.1', true)).to.equal(null);
    expect(why('0.1', false)).to.match(/does not answer/);
    expect(why('0', true)).to.equal('Nothing of it is held');
  });

  it('is not said to be another’s before all that the account holds is read', () => {
    const against = [{ legs: [leg('SELL', '1')] }];
    expect(isOfOtherSide(leg('BUY', '0.1'), undefined, [])).to.equal(false);
    expect(isOfOtherSide(leg('BUY', '0.1'), against, undefined)).to.equal(false);
  });
});
