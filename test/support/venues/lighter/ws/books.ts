/**
 * Order books as the stream tells them: a whole one first, then the levels that changed. Each change has a number, and
 * names the number of the change before it.
 */
import type { Market } from '../state/markets.ts';
import type { World } from '../state/world.ts';
import { levelForms } from '../wire/forms.ts';

interface Told {
  asks: Map<string, string>;
  bids: Map<string, string>;
  nonce: number;
  offset: number;
  /** Epoch µs. */
  at: number;
}

export type BookMessage = Readonly<Record<string, unknown>>;

export class Books {
  readonly #world: World;
  readonly #told = new Map<number, Told>();
  /** Markets whose next change nobody hears of. */
  readonly #gaps = new Set<number>();

  constructor(world: World) {
    this.#world = world;
  }

  gap(market: Market): void {
    this.#gaps.add(market.index);
  }

  first(market: Market): BookMessage {
    this.change(market);
    const told = this.#of(market);
    const list = (levels: Map<string, string>) => [...levels].map(([price, size]) => ({ price, size }));
    return message(market, told, 'subscribed', {
      asks: list(told.asks),
      bids: list(told.bids),
      begin_nonce: 0,
    });
  }

  /** null: nothing has changed since the last time, or nobody is to hear of it. */
  change(market: Market): BookMessage | null {
    const told = this.#of(market);
    const [asks, bids] = [levelsOf(this.#world, market, false), levelsOf(this.#world, market, true)];
    const changes = { asks: difference(told.asks, asks, market), bids: difference(told.bids, bids, market) };
    if (changes.asks.length + changes.bids.length === 0) return null;
    const begin_nonce = told.nonce;
    Object.assign(told, { asks, bids, nonce: this.#world.nextNonce(), offset: told.offset + 1 });
    told.at = this.#world.now() * 1000;
    if (this.#gaps.delete(market.index)) return null;
    return message(market, told, 'update', { ...changes, begin_nonce });
  }

  ticker(market: Market, type: 'subscribed' | 'update'): BookMessage {
    const told = this.#of(market);
    const best = (isBid: boolean) => levelForms(this.#world, market, isBid)[0] ?? { price: '', size: '' };
    return {
      ...{ channel: `ticker:${market.index}`, last_updated_at: told.at, nonce: told.nonce },
      ticker: { s: market.name, a: best(false), b: best(true), last_updated_at: told.at },
      ...{ timestamp: this.#world.now(), type: `${type}/ticker` },
    };
  }

  #of(market: Market): Told {
    const known = this.#told.get(market.index) ?? {
      ...{ asks: new Map(), bids: new Map(), nonce: 0, offset: 1, at: this.#world.now() * 1000 },
    };
    this.#told.set(market.index, known);
    return known;
  }
}

function levelsOf(world: World, market: Market, isBid: boolean): Map<string, string> {
  return new Map(levelForms(world, market, isBid).map(({ price, size }) => [price, size]));
}

/** A level that is gone has the size 0. */
function difference(before: Map<string, string>, after: Map<string, string>, market: Market) {
  const gone = [...before.keys()].filter((price) => !after.has(price));
  const changed = [...after].filter(([price, size]) => before.get(price) !== size);
  const zero = (0).toFixed(market.sizeDecimals);
  return [
    ...changed.map(([price, size]) => ({ price, size })),
    ...gone.map((price) => ({ price, size: zero })),
  ];
}

function message(
  market: Market,
  { nonce, offset, at }: Told,
  type: 'subscribed' | 'update',
  levels: {
    readonly asks: readonly object[];
    readonly bids: readonly object[];
    readonly begin_nonce: number;
  },
): BookMessage {
  return {
    ...{ channel: `order_book:${market.index}`, last_updated_at: at, offset },
    order_book: { code: 0, ...levels, offset, nonce, last_updated_at: at },
    ...{ timestamp: Math.floor(at / 1000), type: `${type}/order_book` },
  };
}
