/** Reasons against sending an order, for the ticket, its review, and a line that was let go. */
import { expect } from 'chai';
import { addLeg, EMPTY_BASKET, setWeight } from '../../../renderer/features/basket/basket.ts';
import { refusalOf, type Standing } from '../../../renderer/screens/trade/refusal.ts';

const PAIR = addLeg(addLeg(EMPTY_BASKET, 'BTC-PERP', 'BUY'), 'ETH-PERP', 'SELL');
const FREE: Standing = { basket: PAIR, missing: [], isAway: false, isUnread: false, opposite: null };
const refused = (over: Partial<Standing>, beside: string | null = null) =>
  refusalOf({ ...FREE, ...over }, { beside });

describe('refusal of an order', () => {
  it('names the gateway that is away, legs of another venue, weights, and the opposite that is held', () => {
    const opposite = { id: 'held' } as NonNullable<Standing['opposite']>;
    expect(refused({})).to.equal(null);
    expect(refused({ isAway: true })).to.match(/nothing can be sent now/);
    expect(refused({ isUnread: true })).to.match(/holds could not be read/);
    expect(refused({ missing: ['DOGE-PERP'] })).to.match(/^DOGE-PERP: not on this venue\. Remove it/);
    expect(refused({ basket: setWeight(PAIR, 'BTC-PERP', 1) })).to.match(/add up to/);
    expect(refused({ opposite })).to.match(/You hold the opposite/);
    expect(refused({ opposite }, 'held'), 'it may open beside it').to.equal(null);
    expect(refused({ opposite }, 'another')).to.match(/You hold the opposite/);
  });
});
