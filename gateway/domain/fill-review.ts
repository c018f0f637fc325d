/**
 * Fills whose trade id the venue had given to another trade: the venue's history is not the recorded one. Pure.
 */
import { dec } from './decimal.ts';
import type { Fill } from './model.ts';

/** Content of a fill, without its id. */
export interface FillContent extends Pick<Fill, 'symbol' | 'side' | 'price' | 'venueOrderId' | 'timestamp'> {
  readonly clientOrderId: string | null;
}

type KnownFill = Pick<Fill, 'symbol' | 'side' | 'price' | 'quantity' | 'timestamp'>;

/**
 * A fill under review, recorded and counted under an id made by the gateway. A review stays open until somebody has
 * looked at it.
 */
export interface FillReview
  extends Pick<Fill, 'tradeAccountId' | 'connector' | 'executionId' | keyof KnownFill> {
  readonly id: string;
  /** Trade id as the venue gave it. */
  readonly tradeId: string;
  /** Trade id under which the fill is recorded. */
  readonly recordedAs: string;
  /** The fill recorded earlier under the same trade id. */
  readonly known: KnownFill;
  readonly createdAt: number;
  /** null: nobody has looked at the review yet. */
  readonly resolvedAt: number | null;
}

/** Maximum difference between the times that two sources report for one trade, due to rounding and delays. */
const SAME_TIME_MS = 60_000;

export function contentOf(fill: Fill): FillContent {
  const { symbol, side, price, venueOrderId, cloid, timestamp } = fill;
  return { symbol, side, price, venueOrderId, clientOrderId: cloid, timestamp };
}

/** True where two fills report one trade. Quantities do not count: one trade may be recorded in parts. */
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

/** True where two ids are equal, or one of them is not known. */
function agrees(one: string | null, other: string | null): boolean {
  return one === null || other === null || one === other;
}

const MARK = '~';

/**
 * Trade id under which a fill under review is recorded: the same one each time the venue reports the fill.
 */
export function reviewedId(tradeId: string, digest: string): string {
  return `${tradeId}${MARK}${digest}`;
}

/** The venue's trade id of a recorded fill. */
export function venueTradeId(recorded: string): string {
  const at = recorded.lastIndexOf(MARK);
  return at > 0 ? recorded.slice(0, at) : recorded;
}
