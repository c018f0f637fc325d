/**
 * Lighter's codes and their meaning here. Source: apidocs.lighter.xyz, "Data Structures, Constants and Errors". A code
 * of 2xxxx is a decision: the venue has not taken the transaction, and its nonce is unused.
 */
import type { RejectionReason } from '../../../engine/ports/venue.ts';

export type RefusalKind =
  /** The order is refused as it is: sending it again is useless. */
  | 'order'
  /** The nonce is not the next one of its key. */
  | 'nonce'
  /** The venue has a transaction with this client order index. */
  | 'duplicate'
  /** The venue does not know the key for this account. */
  | 'key'
  /** The token of a reading has ended or is not valid. */
  | 'token'
  /** Too many requests, or too many transactions that wait. */
  | 'throttled'
  /** The order does not exist any more. */
  | 'gone'
  | 'other';

export interface Refusal {
  readonly kind: RefusalKind;
  readonly code: number;
  readonly reason: RejectionReason;
  /** The venue's words, without secrets. */
  readonly message: string;
}

const ORDERS: Readonly<Record<RejectionReason, readonly number[]>> = {
  margin: [21507, 21508, 21723, 21739],
  minimum: [21603, 21706],
  tick: [21701, 21702],
  reduce_only: [21614, 21732, 21738, 21740],
  not_tradable: [21601, 21602, 21605, 21710],
  expired: [21711],
  price: [21733, 21734, 21735],
  post_only: [],
  other: [21717, 21718, 21719, 21720, 21727],
};
const REASONS: ReadonlyMap<number, RejectionReason> = new Map(
  Object.entries(ORDERS).flatMap(([reason, codes]) =>
    codes.map((code) => [code, reason as RejectionReason] as const),
  ),
);

const KINDS: Readonly<Record<Exclude<RefusalKind, 'order' | 'other'>, readonly number[]>> = {
  nonce: [21104, 21105],
  duplicate: [21728],
  key: [21108, 21109, 21120],
  token: [20013],
  throttled: [21506, 23000, 23001, 23002, 23003],
  gone: [21600, 21700, 21707, 21708, 21709, 21715],
};
const KIND_OF: ReadonlyMap<number, RefusalKind> = new Map(
  Object.entries(KINDS).flatMap(([kind, codes]) => codes.map((code) => [code, kind as RefusalKind] as const)),
);

/** @param message without secrets */
export function refusalOf(code: number, message: string): Refusal {
  const reason = REASONS.get(code);
  const expired = reason === undefined && /\bexpired\b/i.test(message);
  return {
    kind: KIND_OF.get(code) ?? (reason === undefined && !expired ? 'other' : 'order'),
    code,
    reason: reason ?? (expired ? 'expired' : 'other'),
    message: message === '' ? `it refuses with code ${code}` : message,
  };
}
