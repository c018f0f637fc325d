/** A venue that nets has realised what is realised of the parts, and what their costs differ by. */
import { expect } from 'chai';
import fc from 'fast-check';
import { realizedByNetting } from '../../../gateway/domain/account-ledger.ts';
import { attoNumber } from '../../../gateway/domain/atto.ts';
import { forAll, propertyRuns } from '../../support/property-runs.ts';

/** A holding with one average cost; a trade through zero opens the other side at its price. */
class Holding {
  quantity = 0;
  cost = 0;
  realized = 0;

  trade(quantity: number, price: number): void {
    const closed =
      Math.sign(quantity) === -Math.sign(this.quantity)
        ? Math.min(Math.abs(quantity), Math.abs(this.quantity))
        : 0;
    if (closed > 0) {
      const share = closed / Math.abs(this.quantity);
      const taken = this.cost * share;
      this.realized += closed * price * Math.sign(this.quantity) - taken;
      this.cost -= taken;
      this.quantity += closed * Math.sign(quantity);
    }
    const opened = quantity - closed * Math.sign(quantity);
    this.cost += opened * price;
    this.quantity += opened;
  }
}

const PLACES = 6;
const trades = fc.array(
  fc.record({
    symbol: fc.constantFrom('AAA-PERP', 'BBB-PERP'),
    /** Baskets, and what is in none. */
    holder: fc.constantFrom('one', 'two', 'none'),
    quantity: fc.integer({ min: -50, max: 50 }),
    price: fc.integer({ min: 90, max: 110 }),
  }),
  { maxLength: 30 },
);

describe('holdings that a venue nets', () => {
  it('are worth the same by its cost and by ours, at any price', () => {
    forAll([trades, fc.integer({ min: 50, max: 200 })], propertyRuns(2_000, 200), (all, mark) => {
      const ours = new Map<string, Holding>();
      const venues = new Map<string, Holding>();
      const at = (holdings: Map<string, Holding>, key: string) => {
        const holding = holdings.get(key) ?? new Holding();
        holdings.set(key, holding);
        return holding;
      };
      for (const { symbol, holder, quantity, price } of all) {
        at(ours, `${holder} ${symbol}`).trade(quantity, price);
        at(venues, symbol).trade(quantity, price);
      }
      const parts = [...ours].map(([key, holding]) => ({
        holder: key.split(' ')[0],
        symbol: key.split(' ')[1] ?? '',
        holding,
      }));
      const legs = parts
        .filter(({ holder, holding }) => holder !== 'none' && holding.quantity !== 0)
        .map(({ symbol, holding: { quantity, cost } }) => ({
          ...{ symbol, side: quantity > 0 ? ('BUY' as const) : ('SELL' as const) },
          ...{ quantity: String(Math.abs(quantity)), entryNotional: Math.abs(cost).toFixed(PLACES) },
          ...{ realizedPnl: '0', feesPaid: '0', fundingPaid: '0' },
        }));
      const unassigned = parts
        .filter(({ holder, holding }) => holder === 'none' && holding.quantity !== 0)
        .map(({ symbol, holding: { quantity, cost } }) => ({
          ...{ symbol, source: 'external' as const, quantity: String(quantity) },
          price: (cost / quantity).toFixed(2 * PLACES),
        }));
      const held = [...venues]
        .filter(([, { quantity }]) => quantity !== 0)
        .map(([symbol, { quantity, cost }]) => ({
          ...{ symbol, quantity: String(quantity), entryPrice: (cost / quantity).toFixed(2) },
          entryNotional: Math.abs(cost).toFixed(PLACES),
        }));
      const positions = [{ basketKey: 'key', origin: 'GATEWAY' as const, legs }];
      const netted = attoNumber(realizedByNetting({ positions, unassigned }, held, () => String(mark)));
      const sum = (holdings: Map<string, Holding>) =>
        [...holdings.values()].reduce((total, { realized }) => total + realized, 0);
      // A difference of less than a cent for each instrument counts as rounding.
      expect(sum(ours) + netted).to.be.closeTo(sum(venues), 0.021);
    });
  });

  it('are valued at the mark where a fill is not booked here yet', () => {
    const held = [{ symbol: 'AAA-PERP', quantity: '2', entryPrice: '100' }];
    const none = { positions: [], unassigned: [] };
    expect(attoNumber(realizedByNetting(none, held, () => '101'))).to.equal(-2);
    expect(attoNumber(realizedByNetting(none, held, () => undefined))).to.equal(0);
  });
});
