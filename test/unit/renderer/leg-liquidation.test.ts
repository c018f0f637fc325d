/** The venue's liquidation price is of what the account holds of an instrument in all. */
import { expect } from 'chai';
import { isOfOtherSide, legsOfAccount } from '../../../renderer/screens/positions/leg-liquidation.ts';
import type { PositionLeg } from '../../../renderer/screens/positions/use-position-data.ts';

const leg = (side: 'BUY' | 'SELL', quantity: string, symbol = 'BTC-PERP') => ({ symbol, side, quantity });

describe('the liquidation price of a leg', () => {
  it('is another holding’s where the account holds the instrument on the other side', () => {
    const long = leg('BUY', '0.1');
    const baskets = [{ legs: [long, leg('SELL', '9', 'ETH-PERP')] }, { legs: [leg('SELL', '0.3')] }];
    expect(isOfOtherSide(long, baskets, [])).to.equal(true);
    expect(isOfOtherSide(leg('SELL', '0.3'), baskets, [])).to.equal(false);
    // Trades past Tandem count too.
    const past = [{ symbol: 'BTC-PERP', quantity: '0.5' }];
    expect(isOfOtherSide(long, baskets, past)).to.equal(false);
    expect(isOfOtherSide(leg('SELL', '0.3'), baskets, past)).to.equal(true);
  });

  it('is the leg’s own close to its liquidation, where it lies beyond the mark', () => {
    const near = { ...leg('BUY', '0.1'), markPrice: '100', liquidationPrice: '101' } as PositionLeg;
    expect(legsOfAccount([near], [{ legs: [near] }], []).map(({ isOpposed }) => isOpposed)).to.deep.equal([
      false,
    ]);
  });

  it('is not said to be another’s before all that the account holds is read', () => {
    const against = [{ legs: [leg('SELL', '1')] }];
    expect(isOfOtherSide(leg('BUY', '0.1'), undefined, [])).to.equal(false);
    expect(isOfOtherSide(leg('BUY', '0.1'), against, undefined)).to.equal(false);
  });
});
