/** The market's state as JSON text, and back. JSON writes doubles so that they read back bit for bit. */
import type { FundingState } from './funding-process.ts';
import type { PremiumState } from './premium-process.ts';
import type { PriceState } from './price-process.ts';
import type { BoardState } from './quote-board.ts';
import type { RandomState } from './random.ts';
import type { SettledBoundary } from './settlement-log.ts';
import type { TurnoverState } from './turnover-process.ts';
import { type FeedState, PREDICTION_COUNT } from './world-feeds.ts';

export interface MarketSnapshot {
  readonly connector: string;
  /** Hash of the listed ids: a snapshot fits only the instruments of which it was taken. */
  readonly listing: number;
  readonly seed: number;
  readonly at: number;
  /** Market time at which the replay's first candle opens. */
  readonly replayFrom: number;
  /** State of the draws that decide which instruments get news. */
  readonly news: RandomState;
  readonly price: PriceState;
  readonly premium: PremiumState;
  readonly turnover: TurnoverState;
  readonly funding: FundingState;
  readonly history: readonly number[];
  readonly board: BoardState;
  readonly settled: readonly SettledBoundary[];
  /** null: a snapshot of an earlier version, without feeds. */
  readonly world: FeedState | null;
}

const VERSION = 2;
/** Version of snapshots without trades and feeds; both begin at the time of the snapshot. */
const BEFORE_FEEDS = 1;

export function encodeSnapshot(snapshot: MarketSnapshot): string {
  return JSON.stringify({ version: VERSION, ...snapshot });
}

/** Throws where the text is no snapshot of `connector`'s `listing`: it was written by another version, or damaged. */
export function decodeSnapshot(
  text: string,
  connector: string,
  listing: number,
  count: number,
): MarketSnapshot {
  const root = new Reader(JSON.parse(text), 'market');
  const version = root.number('version');
  if (version !== VERSION && version !== BEFORE_FEEDS)
    throw new Error('paper market snapshot: unknown version');
  if (root.text('connector') !== connector || root.number('listing') !== listing) {
    throw new Error(`paper market snapshot: not of the instruments of ${connector}`);
  }
  const price = root.child('price');
  const premium = root.child('premium');
  const turnover = root.child('turnover');
  const funding = root.child('funding');
  return {
    connector,
    listing,
    seed: root.number('seed'),
    at: root.number('at'),
    replayFrom: root.number('replayFrom'),
    news: root.random('news'),
    price: {
      seed: price.number('seed'),
      random: price.random(),
      logPrice: price.numbers('logPrice', count),
      progress: price.has('progress') ? price.numbers('progress', count + 1) : null,
    },
    premium: {
      random: premium.random(),
      basis: premium.numbers('basis', count),
      smoothed: premium.numbers('smoothed', count),
    },
    turnover: {
      random: turnover.random(),
      volume: turnover.numbers('volume', count),
      interest: turnover.numbers('interest', count),
    },
    funding: { random: funding.random(), premium: funding.numbers('premium', count) },
    history: root.numbers('history'),
    board: readBoard(root.child('board'), count, version),
    settled: root.children('settled').map((entry) => ({
      at: entry.number('at'),
      rates: entry.texts('rates', count),
      marks: entry.texts('marks', count),
    })),
    world: version === BEFORE_FEEDS ? null : readFeeds(root.child('world')),
  };
}

function readFeeds(world: Reader): FeedState {
  return {
    at: world.number('at'),
    dominance: world.number('dominance'),
    logOdds: world.numbers('logOdds', PREDICTION_COUNT),
  };
}

function readBoard(board: Reader, count: number, version: number): BoardState {
  return {
    mid: board.numbers('mid', count),
    mark: board.numbers('mark', count),
    index: board.numbers('index', count),
    last: version === BEFORE_FEEDS ? null : board.numbers('last', count),
    stress: board.numbers('stress', count),
    renewedAt: board.numbers('renewedAt', count),
    books: board.children('books').map((entry) => {
      const book = entry.child('book');
      return {
        i: entry.number('i'),
        book: {
          bids: book.triples('bids'),
          asks: book.triples('asks'),
          refilledAt: book.number('refilledAt'),
        },
      };
    }),
    changed: board.numbers('changed'),
  };
}

class Reader {
  private readonly fields: ReadonlyMap<string, unknown>;
  private readonly path: string;

  constructor(value: unknown, path: string) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw damaged(path);
    this.fields = new Map(Object.entries(value));
    this.path = path;
  }

  has(key: string): boolean {
    return this.fields.has(key);
  }

  number(key: string): number {
    const value = this.fields.get(key);
    if (typeof value !== 'number') throw damaged(`${this.path}.${key}`);
    return value;
  }

  text(key: string): string {
    const value = this.fields.get(key);
    if (typeof value !== 'string') throw damaged(`${this.path}.${key}`);
    return value;
  }

  numbers(key: string, length?: number): readonly number[] {
    return this.list(key, length).map((value) => {
      if (typeof value !== 'number') throw damaged(`${this.path}.${key}`);
      return value;
    });
  }

  texts(key: string, length: number): readonly string[] {
    return this.list(key, length).map((value) => {
      if (typeof value !== 'string') throw damaged(`${this.path}.${key}`);
      return value;
    });
  }

  triples(key: string): readonly (readonly [number, number, number])[] {
    return this.list(key).map((entry) => {
      const [a, b, c]: readonly unknown[] = Array.isArray(entry) ? entry : [];
      if (typeof a !== 'number' || typeof b !== 'number' || typeof c !== 'number') {
        throw damaged(`${this.path}.${key}`);
      }
      return [a, b, c] as const;
    });
  }

  random(key = 'random'): RandomState {
    const [a, b, c, counter, spare] = this.list(key, 5);
    if (
      typeof a !== 'number' ||
      typeof b !== 'number' ||
      typeof c !== 'number' ||
      typeof counter !== 'number' ||
      (spare !== null && typeof spare !== 'number')
    ) {
      throw damaged(`${this.path}.${key}`);
    }
    return [a, b, c, counter, spare];
  }

  child(key: string): Reader {
    return new Reader(this.fields.get(key), `${this.path}.${key}`);
  }

  children(key: string): readonly Reader[] {
    return this.list(key).map((value, i) => new Reader(value, `${this.path}.${key}[${i}]`));
  }

  private list(key: string, length?: number): readonly unknown[] {
    const value: unknown = this.fields.get(key);
    if (!Array.isArray(value) || (length !== undefined && value.length !== length)) {
      throw damaged(`${this.path}.${key}`);
    }
    return value;
  }
}

function damaged(path: string): Error {
  return new Error(`paper market snapshot: ${path} is damaged`);
}
