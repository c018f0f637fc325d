/**
 * A paper market that stands still: fixed prices, a small book, funding only when a test says so. For tests that compute
 * exact figures by hand, and for inputs that a random market would hardly ever give.
 */

import { type Decimal, dec, text, ZERO } from '../../gateway/domain/decimal.ts';
import type { BookPreview } from '../../gateway/domain/expected-fill.ts';
import type { FeedReading } from '../../gateway/domain/feed.ts';
import type { Instrument, Quote, Side } from '../../gateway/domain/model.ts';
import type { BookLevel, BookTrade, PaperMarket } from '../../gateway/venues/paper/market/market-types.ts';
import { instrument } from '../unit/domain/instruments.ts';

export interface FlatMarket extends PaperMarket {
  /** New mark; the book stands around it. Seen by the exchange with the next step. */
  set(id: string, price: string): void;
  /** A funding boundary at the time of the next step. */
  settle(id: string, rate: string): void;
}

interface FlatInstrument {
  price: Decimal;
  /** Base units already taken per level, by side of the book. */
  taken: { readonly BUY: Decimal[]; readonly SELL: Decimal[] };
}

/** Levels a side; level i is (i + 1) × 0.1 % away from the mark and offers 10 units. */
const LEVELS = 5;
const LEVEL_QUANTITY = dec(10);
const STEP_MS = 100;
const NO_FEEDS: readonly FeedReading[] = [];

export function flatInstrument(id: string, change: Partial<Instrument> = {}): Instrument {
  const symbol = id.replace('-PERP', '');
  return instrument({
    ...{ id, symbol, venueSymbol: symbol, tickSize: '0.01', stepSize: '0.001' },
    ...{ maxLeverage: 20, maxSignificantFigures: null },
    leverageTiers: [
      { maxNotional: '50000', maxLeverage: 20, maintenanceRate: '0.025' },
      { maxNotional: '5000000', maxLeverage: 10, maintenanceRate: '0.05' },
    ],
    ...change,
  });
}

export function createFlatMarket(options: {
  readonly startAt: number;
  readonly connector?: string;
  readonly instruments?: readonly Instrument[];
  readonly prices?: Readonly<Record<string, string>>;
}): FlatMarket {
  const instruments = options.instruments ?? [
    flatInstrument('AAA-PERP'),
    flatInstrument('BBB-PERP'),
    flatInstrument('CCC-PERP'),
  ];
  const state = new Map<string, FlatInstrument>(
    instruments.map(({ id }) => [
      id,
      { price: dec(options.prices?.[id] ?? '100'), taken: { BUY: [], SELL: [] } },
    ]),
  );
  let at = options.startAt;
  let changed = new Set<string>();
  let due: { id: string; rate: string }[] = [];
  let settled: { id: string; rate: string; markPrice: string; at: number }[] = [];

  const of = (id: string): FlatInstrument => {
    const found = state.get(id);
    if (found === undefined) throw new Error(`no instrument ${id}`);
    return found;
  };
  const levelPrice = (price: Decimal, side: Side, index: number) => {
    const distance = dec('0.001').mul(index + 1);
    return price.mul(side === 'BUY' ? dec(1).minus(distance) : dec(1).plus(distance)).toDecimalPlaces(2);
  };
  const offered = (id: string, side: Side): { index: number; price: Decimal; quantity: Decimal }[] => {
    const { price, taken } = of(id);
    return Array.from({ length: LEVELS }, (_, index) => ({
      index,
      price: levelPrice(price, side, index),
      quantity: LEVEL_QUANTITY.minus(taken[side][index] ?? ZERO),
    })).filter(({ quantity }) => quantity.gt(0));
  };
  const levels = (id: string, side: Side, count: number): readonly BookLevel[] =>
    offered(id, side)
      .slice(0, count)
      .map(({ price, quantity }) => ({ price: text(price), quantity: text(quantity) }));
  const preview = (id: string, side: Side, quantity: string, limit: string): BookPreview => {
    let left = dec(quantity);
    let depth = ZERO;
    const trades: BookLevel[] = [];
    for (const { price, quantity: there } of offered(id, side === 'BUY' ? 'SELL' : 'BUY')) {
      if (side === 'BUY' ? price.gt(limit) : price.lt(limit)) break;
      const taken = left.lt(there) ? left : there;
      if (taken.gt(0)) trades.push({ price: text(price), quantity: text(taken) });
      left = left.minus(taken);
      depth = depth.plus(price.mul(there));
    }
    return { trades, depthUsd: text(depth) };
  };
  const quote = (id: string): Quote | undefined => {
    const found = state.get(id);
    if (found === undefined) return undefined;
    const mark = text(found.price);
    return {
      id,
      symbol: id.replace('-PERP', ''),
      mark,
      index: mark,
      mid: mark,
      bid: levels(id, 'BUY', 1)[0]?.price ?? text(levelPrice(found.price, 'BUY', LEVELS)),
      ask: levels(id, 'SELL', 1)[0]?.price ?? text(levelPrice(found.price, 'SELL', LEVELS)),
      last: mark,
      price24hAgo: mark,
      updatedAt: at,
    };
  };

  return {
    connector: options.connector ?? 'paper',
    instruments,
    stepMs: STEP_MS,
    get at() {
      return at;
    },
    advanceTo(now) {
      if (now < at + STEP_MS) return [];
      at += Math.floor((now - at) / STEP_MS) * STEP_MS;
      for (const { taken } of state.values()) {
        taken.BUY.length = 0;
        taken.SELL.length = 0;
      }
      for (const { id, rate } of due) settled.push({ id, rate, markPrice: text(of(id).price), at });
      due = [];
      const ids = [...changed];
      changed = new Set();
      return ids;
    },
    quote,
    preview,
    funding: (id) =>
      state.has(id)
        ? {
            id,
            symbol: id.replace('-PERP', ''),
            rate: '0.0001',
            intervalHours: 1,
            nextFundingTime: (Math.floor(at / 3_600_000) + 1) * 3_600_000,
          }
        : undefined,
    stats: (id) => (state.has(id) ? { id, volume24h: '1000000', openInterest: '500000' } : undefined),
    feeds: () => NO_FEEDS,
    settlements: (after, upTo) => settled.filter((one) => one.at > after && one.at <= upTo),
    levels,
    take(id, side, quantity, limit) {
      const against: Side = side === 'BUY' ? 'SELL' : 'BUY';
      const trades: BookTrade[] = [];
      let left = dec(quantity);
      for (const level of offered(id, against)) {
        const outside = side === 'BUY' ? level.price.gt(limit) : level.price.lt(limit);
        if (outside || left.isZero()) break;
        const traded = left.lt(level.quantity) ? left : level.quantity;
        const { taken } = of(id);
        taken[against][level.index] = (taken[against][level.index] ?? ZERO).plus(traded);
        trades.push({ price: text(level.price), quantity: text(traded) });
        left = left.minus(traded);
      }
      return trades;
    },
    shock(id, factor) {
      of(id).price = of(id).price.mul(factor).toDecimalPlaces(2);
      changed.add(id);
    },
    snapshot: () =>
      JSON.stringify({ at, settled, prices: [...state].map(([id, { price }]) => [id, text(price)]) }),
    restore(saved) {
      const parsed: { at: number; settled: typeof settled; prices: [string, string][] } = JSON.parse(saved);
      at = parsed.at;
      settled = parsed.settled;
      for (const [id, price] of parsed.prices) of(id).price = dec(price);
    },
    set(id, price) {
      of(id).price = dec(price);
      changed.add(id);
    },
    settle(id, rate) {
      due.push({ id, rate });
    },
  };
}
