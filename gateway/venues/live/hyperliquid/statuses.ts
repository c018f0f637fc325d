/**
 * Hyperliquid's order statuses and error texts, and their meaning here. Sources: its documentation of the info endpoint
 * (order statuses) and of error responses.
 */
import type { RejectionReason } from '../../../engine/ports/venue.ts';

export type Meaning =
  | { readonly kind: 'resting' }
  | { readonly kind: 'filled' }
  /** Over, perhaps after a part of it filled. */
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'rejected'; readonly reason: RejectionReason };

const CANCELLED: Meaning = { kind: 'cancelled' };
const rejected = (reason: RejectionReason): Meaning => ({ kind: 'rejected', reason });

const STATUSES: Readonly<Record<string, Meaning>> = {
  open: { kind: 'resting' },
  triggered: { kind: 'resting' },
  filled: { kind: 'filled' },
  canceled: CANCELLED,
  marginCanceled: CANCELLED,
  vaultWithdrawalCanceled: CANCELLED,
  openInterestCapCanceled: CANCELLED,
  selfTradeCanceled: CANCELLED,
  reduceOnlyCanceled: CANCELLED,
  siblingFilledCanceled: CANCELLED,
  delistedCanceled: CANCELLED,
  liquidatedCanceled: CANCELLED,
  scheduledCancel: CANCELLED,
  tickRejected: rejected('tick'),
  minTradeNtlRejected: rejected('minimum'),
  minTradeSpotNtlRejected: rejected('minimum'),
  perpMarginRejected: rejected('margin'),
  reduceOnlyRejected: rejected('reduce_only'),
  badAloPxRejected: rejected('price'),
  // An IOC that found nothing inside its limit is over, as one that found a little is.
  iocCancelRejected: CANCELLED,
  badTriggerPxRejected: rejected('price'),
  marketOrderNoLiquidityRejected: CANCELLED,
  positionIncreaseAtOpenInterestCapRejected: rejected('not_tradable'),
  positionFlipAtOpenInterestCapRejected: rejected('not_tradable'),
  tooAggressiveAtOpenInterestCapRejected: rejected('price'),
  openInterestIncreaseRejected: rejected('not_tradable'),
  insufficientSpotBalanceRejected: rejected('margin'),
  oracleRejected: rejected('price'),
  perpMaxPositionRejected: rejected('margin'),
};

/** Meaning of an order's status; null: an unknown word, so that fills and position decide. */
export function meaningOfStatus(status: string): Meaning | null {
  if (Object.hasOwn(STATUSES, status)) return STATUSES[status] ?? null;
  // The list of words grows: `internalCancel`, `outcomeSettledCanceled`, `tooManyOpenOrdersRejected`, `rejected`.
  if (/cancel(l?ed)?$/i.test(status)) return CANCELLED;
  return /rejected$/i.test(status) ? rejected('other') : null;
}

/** Beginnings of the refusals of one order; the venue puts ` asset=<n>` behind them. */
const REFUSALS: readonly (readonly [beginning: string, meaning: Meaning])[] = [
  ['Price must be divisible by tick size', rejected('tick')],
  ['Order must have minimum value', rejected('minimum')],
  ['Insufficient margin', rejected('margin')],
  ['Reduce only order would increase position', rejected('reduce_only')],
  ['Only post-only orders allowed', rejected('post_only')],
  ['Post only order would have immediately matched', rejected('price')],
  ['Order could not immediately match', CANCELLED],
  ['Invalid TP/SL price', rejected('price')],
  ['No liquidity available for market order', CANCELLED],
  ['Order would increase open interest', rejected('not_tradable')],
  ['Order price is too aggressive', rejected('price')],
  ['Order price too far from oracle', rejected('price')],
  ['Order rejected due to price more aggressive than oracle', rejected('price')],
  ['Order price cannot be more than', rejected('price')],
  ['Order would cause position to exceed margin tier limit', rejected('margin')],
  ['(Spot-only) Order has insufficient spot balance', rejected('margin')],
  ['Order has invalid price', rejected('tick')],
  ['Order has invalid size', rejected('tick')],
  ['Order has zero size', rejected('minimum')],
  ['Order expired', rejected('expired')],
];

/** Meaning of a refusal of one order. An unknown text is a refusal too: the venue has decided. */
export function meaningOfRefusal(text: string): Meaning {
  const found = REFUSALS.find(([beginning]) => text.startsWith(beginning));
  return found?.[1] ?? rejected('other');
}

/** Reason of a refusal of a whole request. */
export function reasonOfRefusal(text: string): RejectionReason {
  const meaning = meaningOfRefusal(text);
  return meaning.kind === 'rejected' ? meaning.reason : 'other';
}

/** The venue has an order of this client order id already. */
export function isDuplicate(text: string): boolean {
  return /cloid|client order id/i.test(text) && /(already|duplicate|used)/i.test(text);
}

/** An unknown agent acts for itself, an account without a deposit; a vault may have been closed. */
const AUTH =
  /api wallet|agent|user or api|does not exist|unauthori[sz]ed|must deposit before|vault not registered/i;

/** Meaning of the refusal of a whole request: `{"status": "err", "response": text}`. */
export function meaningOfRequestError(
  text: string,
): 'auth' | 'expired' | 'nonce' | 'limited' | 'post_only' | 'refused' {
  if (text.startsWith('Only post-only orders allowed')) return 'post_only';
  if (/too many .*requests/i.test(text)) return 'limited';
  if (AUTH.test(text)) return 'auth';
  if (/expire/i.test(text)) return 'expired';
  if (/nonce/i.test(text)) return 'nonce';
  return 'refused';
}
