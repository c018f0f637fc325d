/** The market's state as JSON text, and back. JSON writes doubles so that they read back bit for bit. */
import { z } from 'zod';
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
  /** Hash of the listed instrument ids: a snapshot can be restored only for the instruments it was taken of. */
  readonly listing: number;
  readonly seed: number;
  readonly at: number;
  /** Market time at which the replay's first candle opens. */
  readonly replayFrom: number;
  /** State of the random draws that decide which instruments get a new quote in a step. */
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
  const value: unknown = JSON.parse(text);
  const head = parsed(headSchema, value);
  if (head.version !== VERSION && head.version !== BEFORE_FEEDS)
    throw new Error('paper market snapshot: unknown version');
  if (head.connector !== connector || head.listing !== listing)
    throw new Error(`paper market snapshot: not of the instruments of ${connector}`);
  return parsed(snapshotSchema(count, head.version === BEFORE_FEEDS), value);
}

function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const path = ['market', ...(result.error.issues[0]?.path ?? [])].join('.');
  throw new Error(`paper market snapshot: ${path} is damaged`);
}

const number = z.number();
const numbers = z.array(number);
const random = z.tuple([number, number, number, number, number.nullable()]);
const triples = z.array(z.tuple([number, number, number]));
const headSchema = z.object({ version: number, connector: z.string(), listing: number });

/** @param count number of instruments */
function snapshotSchema(count: number, isBeforeFeeds: boolean): z.ZodType<MarketSnapshot> {
  const each = numbers.length(count);
  const texts = z.array(z.string()).length(count);
  const absent = z
    .unknown()
    .optional()
    .transform(() => null);
  return z.object({
    connector: z.string(),
    listing: number,
    seed: number,
    at: number,
    replayFrom: number,
    news: random,
    price: z.object({
      seed: number,
      random,
      logPrice: each,
      progress: numbers
        .length(count + 1)
        .optional()
        .transform((made) => made ?? null),
    }),
    premium: z.object({ random, basis: each, smoothed: each }),
    turnover: z.object({ random, volume: each, interest: each }),
    funding: z.object({ random, premium: each }),
    history: numbers,
    board: z.object({
      mid: each,
      mark: each,
      index: each,
      last: isBeforeFeeds ? absent : each,
      stress: each,
      renewedAt: each,
      books: z.array(
        z.object({ i: number, book: z.object({ bids: triples, asks: triples, refilledAt: number }) }),
      ),
      changed: numbers,
    }),
    settled: z.array(z.object({ at: number, rates: texts, marks: texts })),
    world: isBeforeFeeds
      ? absent
      : z.object({ at: number, dominance: number, logOdds: numbers.length(PREDICTION_COUNT) }),
  });
}
