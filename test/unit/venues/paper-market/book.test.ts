import { expect } from 'chai';
import fc from 'fast-check';
import type { Side } from '../../../../gateway/domain/model.ts';
import type { BookShape, UnitLevel } from '../../../../gateway/venues/paper/market/book.ts';
import { Book } from '../../../../gateway/venues/paper/market/book.ts';
import type { PriceGrid } from '../../../../gateway/venues/paper/market/price-grid.ts';
import { roundNearest } from '../../../../gateway/venues/paper/market/price-grid.ts';
import { forAll, propertyRuns } from '../../../support/property-runs.ts';

const AT = Date.UTC(2025, 6, 26);
const ALL = 1_000_000;
const BITCOIN: BookShape = {
  grid: { decimals: 1, tickUnits: 1, significantFigures: 5 },
  quantityDecimals: 5,
  depthUsd: 8_000_000,
  halfSpread: 5e-6,
  salt: 1,
};
const SMALL_CAP: BookShape = {
  grid: { decimals: 5, tickUnits: 1, significantFigures: 5 },
  quantityDecimals: 1,
  depthUsd: 50_000,
  halfSpread: 2e-4,
  salt: 2,
};

function placed(shape: BookShape, mid: number, at = AT, stress = 1): Book {
  const book = new Book(shape);
  book.place(mid, at, stress);
  return book;
}
const quantity = (levels: readonly UnitLevel[]) => levels.reduce((total, level) => total + level.quantity, 0);
const opposite = (side: Side): Side => (side === 'BUY' ? 'SELL' : 'BUY');

/** Quantity by price, for comparing a book before and after. */
const byPrice = (levels: readonly UnitLevel[]) =>
  new Map(levels.map((level) => [level.price, level.quantity]));

const grids = fc.constantFrom<PriceGrid>(
  { decimals: 1, tickUnits: 1, significantFigures: 5 },
  { decimals: 6, tickUnits: 1, significantFigures: 5 },
  { decimals: 4, tickUnits: 1, significantFigures: 5 },
  { decimals: 2, tickUnits: 5, significantFigures: null },
);
const books = fc.record({
  shape: fc.record({
    grid: grids,
    quantityDecimals: fc.integer({ min: 0, max: 5 }),
    depthUsd: fc.double({ min: 500, max: 5e7, noNaN: true }),
    halfSpread: fc.double({ min: 0, max: 3e-3, noNaN: true }),
    salt: fc.nat(),
  }),
  mid: fc.double({ min: 2_000, max: 3_000_000, noNaN: true }),
  stress: fc.double({ min: 0.6, max: 3, noNaN: true }),
});
const orders = fc.record({
  side: fc.constantFrom<Side>('BUY', 'SELL'),
  quantity: fc.nat({ max: 2 ** 40 }),
  /** Limit relative to the mid, in favour of filling when positive. */
  reach: fc.double({ min: -0.005, max: 0.03, noNaN: true }),
  waitMs: fc.nat({ max: 5_000 }),
});

describe('paper market: order book', () => {
  it('is sorted, uncrossed, on the grid and has something at every level it shows', () =>
    forAll([books], propertyRuns(60), ({ shape, mid, stress }) => {
      const book = placed(shape, mid, AT, stress);
      const bids = book.levels('BUY', ALL);
      const asks = book.levels('SELL', ALL);
      expect(book.best('BUY')).to.be.at.most(mid);
      expect(book.best('SELL')).to.be.at.least(mid);
      expect(book.best('BUY')).to.be.lessThan(book.best('SELL'));
      expect(book.middle()).to.be.within(book.best('BUY'), book.best('SELL'));
      for (const [levels, direction] of [
        [bids, -1],
        [asks, 1],
      ] as const) {
        let last = 0;
        for (const { price, quantity: shown } of levels) {
          expect(price).to.equal(roundNearest(shape.grid, price));
          if (last > 0) expect((price - last) * direction).to.be.greaterThan(0);
          expect(shown).to.be.greaterThan(0);
          expect(Number.isSafeInteger(shown)).to.equal(true);
          last = price;
        }
      }
    }));

  it('never trades beyond the limit, nor more than was there, nor more than was asked', () =>
    forAll(
      [books, fc.array(orders, { maxLength: 6 })],
      propertyRuns(40),
      ({ shape, mid, stress }, sequence) => {
        const book = placed(shape, mid, AT, stress);
        let at = AT;
        for (const order of sequence) {
          at += order.waitMs;
          book.place(mid, at, stress);
          const side = opposite(order.side);
          const limit = Math.round(mid * (order.side === 'BUY' ? 1 + order.reach : 1 - order.reach));
          const before = book.levels(side, ALL);
          const untouched = book.levels(order.side, 5);
          const trades = book.take(order.side, order.quantity, limit);
          const after = byPrice(book.levels(side, ALL));
          const shown = byPrice(before);
          for (const trade of trades) {
            if (order.side === 'BUY') expect(trade.price).to.be.at.most(limit);
            else expect(trade.price).to.be.at.least(limit);
            expect(trade.quantity).to.be.within(1, shown.get(trade.price) ?? 0);
          }
          // Best first and without skipping: every level but the last one traded is gone.
          expect(trades.map(({ price }) => price)).to.deep.equal(
            before.slice(0, trades.length).map(({ price }) => price),
          );
          for (const { price } of trades.slice(0, -1)) expect(after.has(price)).to.equal(false);
          // The taken quantities are exactly the missing ones.
          const taken = byPrice(trades);
          for (const [price, there] of shown) {
            expect((after.get(price) ?? 0) + (taken.get(price) ?? 0)).to.equal(there);
          }
          expect(quantity(trades)).to.be.at.most(order.quantity);
          // It stops short only where the limit or the book ends.
          if (quantity(trades) < order.quantity) {
            const reachable = before.filter(({ price }) =>
              order.side === 'BUY' ? price <= limit : price >= limit,
            );
            expect(quantity(trades)).to.equal(quantity(reachable));
          }
          expect(book.levels(order.side, 5)).to.deep.equal(untouched);
        }
      },
    ));

  it('holds the calibrated depth within one percent, more of it further out', () => {
    for (const [shape, mid] of [
      [BITCOIN, 1_175_710],
      [SMALL_CAP, 286_930],
    ] as const) {
      for (const side of ['BUY', 'SELL'] as const) {
        const usd = (from: number, to: number) =>
          placed(shape, mid)
            .levels(side, ALL)
            .filter(({ price }) => Math.abs(price / mid - 1) >= from && Math.abs(price / mid - 1) < to)
            .reduce((sum, l) => sum + l.price * l.quantity, 0) /
          10 ** (shape.grid.decimals + shape.quantityDecimals);
        expect(usd(0, 0.01) / shape.depthUsd).to.be.within(0.8, 1.25);
        expect(usd(0.0075, 0.01)).to.be.greaterThan(usd(0.0005, 0.003));
        expect(usd(0.02, 1)).to.be.lessThan(0.05 * shape.depthUsd);
      }
    }
  });

  it('costs more the more is bought', () => {
    const mid = 286_930;
    let last = 0;
    for (const base of [100, 1_000, 10_000, 100_000]) {
      const trades = placed(SMALL_CAP, mid).take('BUY', base, Number.MAX_SAFE_INTEGER);
      const average = trades.reduce((sum, t) => sum + t.price * t.quantity, 0) / quantity(trades);
      expect(average).to.be.greaterThan(mid);
      expect(average).to.be.at.least(last);
      last = average;
    }
    expect(last / mid - 1).to.be.within(0.0005, 0.02);
  });

  it('refills half of what was taken in two seconds and nearly all in a minute', () => {
    const mid = 1_175_710;
    const book = placed(BITCOIN, mid);
    const full = quantity(book.levels('SELL', ALL));
    const taken = quantity(book.take('BUY', Math.floor(full / 2), Number.MAX_SAFE_INTEGER));
    expect(taken).to.equal(Math.floor(full / 2));
    expect(quantity(book.levels('SELL', ALL))).to.equal(full - taken);
    const missingAfter = (ms: number) => {
      book.place(mid, AT + ms, 1);
      return quantity(placed(BITCOIN, mid, AT + ms).levels('SELL', ALL)) - quantity(book.levels('SELL', ALL));
    };
    // Levels are redrawn meanwhile, so a level can be short of less than was taken from it.
    expect(missingAfter(2_000) / taken).to.be.within(0.35, 0.5);
    expect(missingAfter(4_000) / taken).to.be.within(0.15, 0.26);
    expect(book.refilling()).to.equal(true);
    expect(missingAfter(60_000)).to.equal(0);
    expect(book.refilling()).to.equal(false);
  });

  it('shows where the book ended when all of a side is gone', () => {
    const mid = 286_930;
    const book = placed(SMALL_CAP, mid);
    book.take('SELL', Number.MAX_SAFE_INTEGER, 0);
    expect(book.levels('BUY', ALL)).to.deep.equal([]);
    expect(book.best('BUY') / mid).to.be.closeTo(0.98, 0.001);
    expect(book.take('SELL', 1, 0)).to.deep.equal([]);
    expect(book.middle()).to.be.within(book.best('BUY'), book.best('SELL'));
  });

  it('widens and thins under stress', () => {
    const mid = 286_930;
    const calm = placed(SMALL_CAP, mid);
    const wild = placed(SMALL_CAP, mid, AT, 3);
    const spread = (book: Book) => book.best('SELL') - book.best('BUY');
    expect(spread(wild) / spread(calm)).to.be.within(2.5, 3.5);
    expect(quantity(calm.levels('BUY', ALL)) / quantity(wild.levels('BUY', ALL))).to.be.within(2.3, 4);
  });

  it('is one tick wide without a spread', () => {
    const book = placed({ ...BITCOIN, halfSpread: 0 }, 1_175_713);
    expect([book.best('BUY'), book.best('SELL')]).to.deep.equal([1_175_710, 1_175_720]);
    expect(book.middle()).to.equal(1_175_710);
    book.place(1_175_718, AT, 1);
    expect(book.middle()).to.equal(1_175_720);
  });
});
