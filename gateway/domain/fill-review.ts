/** A venue gave a trade the id of another one: its history is not the one that is kept here. Pure. */
import { type DecimalString, dec } from './decimal.ts';
import type { Fill, Side } from './model.ts';

/** What a fill is, beside its id. */
export interface FillContent {
  readonly symbol: string;
  readonly side: Side;
  readonly price: DecimalString;
  readonly venueOrderId: string | null;
  readonly clientOrderId: string | null;
  /** Venue time, epoch ms. */
  readonly timestamp: number;
}

/** A fill under review: recorded, and counted, under an id of our making. It stays until somebody has looked at it. */
export interface FillReview {
  readonly id: string;
  readonly tradeAccountId: string;
  readonly connector: string;
  /** As the venue gave it. */
  readonly tradeId: string;
  /** The id under which it is among the fills. */
  readonly recordedAs: string;
  readonly executionId: string | null;
  readonly symbol: string;
  readonly side: Side;
  readonly price: DecimalString;
  readonly quantity: DecimalString;
  readonly timestamp: number;
  /** What the id stood for before. */
  readonly known: Pick<Fill, 'symbol' | 'side' | 'price' | 'quantity' | 'timestamp'>;
  readonly createdAt: number;
  /** null: nobody has looked yet. */
  readonly resolvedAt: number | null;
}

/** Sources tell one trade with times that differ by their rounding and their delays. */
const SAME_TIME_MS = 60_000;

export function contentOf(fill: Fill): FillContent {
  const { symbol, side, price, venueOrderId, cloid, timestamp } = fill;
  return { symbol, side, price, venueOrderId, clientOrderId: cloid, timestamp };
}

/** One trade, told twice? Quantities do not count: one trade may be recorded in parts. */
export function isSameFill(one: FillContent, other: FillContent): boolean {
  return (
    one.symbol === other.symbol &&
    one.side === other.side &&
    dec(one.price).eq(other.price) &&
    agrees(one.venueOrderId, other.venueOrderId) &&
    agrees(one.clientOrderId, other.clientOrderId) &&
    Math.abs(one.timestamp - other.timestamp) <= SAME_TIME_MS
  );
}

/** What one of them does not know cannot differ. */
function agrees(one: string | null, other: string | null): boolean {
  return one === null || other === null || one === other;
}

const MARK = '~';

/** The id under which such a fill is recorded: the same one whenever the venue tells it again. */
export function reviewedId(tradeId: string, digest: string): string {
  return `${tradeId}${MARK}${digest}`;
}

/** What the venue calls a recorded fill. */
export function venueTradeId(recorded: string): string {
  const at = recorded.lastIndexOf(MARK);
  return at > 0 ? recorded.slice(0, at) : recorded;
}
