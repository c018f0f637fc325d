/** Hyperliquid's orders, fills and payments in the port's terms and units. */
import { dec, sum, text } from '../../../domain/decimal.ts';
import type { ForcedCause } from '../../../domain/model.ts';
import type { OrderOutcome, VenueFill, VenueFunding } from '../../../engine/ports/venue.ts';
import { wordsOf } from '../kit/words.ts';
import type { FillNames } from './fill-names.ts';
import type { Listing } from './listing.ts';
import { meaningOfStatus } from './statuses.ts';
import type { OrderWithStatus, WireFill, WirePayment } from './wire.ts';

/**
 * State of an order without its fills. `listed`: a word or an instrument that is not known here. `sz` may be that of an
 * earlier state, so a rest of a filled order, or none of a cancelled one, only says that fills and position decide.
 */
export function outcomeOf(
  listing: Listing,
  { order, status }: OrderWithStatus,
  clientOrderId: string,
): OrderOutcome {
  const asset = listing.byCoin(order.coin);
  const meaning = meaningOfStatus(status);
  if (asset === undefined || meaning === null)
    return { kind: 'listed', clientOrderId, message: `the venue says ${wordsOf(status)} of the order` };
  if (meaning.kind === 'rejected') {
    const { reason } = meaning;
    return { kind: 'rejected', clientOrderId, reason, message: `the venue says ${status}` };
  }
  const filled = meaning.kind === 'filled' ? order.origSz : text(dec(order.origSz).minus(order.sz));
  const told = {
    clientOrderId,
    venueOrderId: order.oid,
    filledQuantity: asset.listed.units.quantityToOurs(filled),
    fills: [],
  };
  if (meaning.kind === 'resting') return { kind: 'resting', ...told };
  const isWhole = meaning.kind === 'filled' && dec(order.sz).isZero();
  return { kind: 'done', state: isWhole ? 'filled' : 'cancelled', ...told };
}

/** State that the order's own fills prove. Without fills, the order's status decides. */
export function provenOutcome(
  listing: Listing,
  told: OrderWithStatus,
  clientOrderId: string,
  fills: readonly VenueFill[],
): OrderOutcome {
  const outcome = outcomeOf(listing, told, clientOrderId);
  const asset = listing.byCoin(told.order.coin);
  if (asset === undefined || outcome.kind === 'listed' || fills.length === 0) return outcome;
  const total = sum(fills.map(({ quantity }) => dec(quantity)));
  const [whole, rest] = [told.order.origSz, told.order.sz].map(asset.listed.units.quantityToOurs);
  const ended = { clientOrderId, venueOrderId: told.order.oid, fills };
  const state = total.gte(whole ?? 0) ? 'filled' : 'cancelled';
  // A refusal of an order that has fills came after them.
  if (outcome.kind !== 'done' && outcome.kind !== 'resting')
    return { kind: 'done', state, filledQuantity: text(total), ...ended };
  const isAgreed = total.eq(dec(whole ?? 0).minus(rest ?? 0));
  const filledQuantity = isAgreed || total.gte(outcome.filledQuantity) ? text(total) : outcome.filledQuantity;
  if (outcome.kind === 'resting') return { ...outcome, filledQuantity, fills };
  const isWhole = state === 'filled' || outcome.state === 'filled';
  return { kind: 'done', state: isWhole ? 'filled' : 'cancelled', filledQuantity, ...ended };
}

const FORCED: readonly (readonly [beginning: string, cause: ForcedCause])[] = [
  ['Auto-Deleveraging', 'ADL'],
  ['Settlement', 'SETTLEMENT'],
  ['Delisting', 'DELISTING'],
];

/**
 * null: of an instrument that is not listed here, or not a trade, because nothing or less was exchanged: to book one would
 * make the books differ from the position. @param session of the account; `user`: its address, lower case
 */
export function fillOf(
  listing: Listing,
  { user, names }: { readonly user: string; readonly names: FillNames },
  fill: WireFill,
  clientOrderId: string | null,
): VenueFill | null {
  const asset = listing.byCoin(fill.coin);
  if (asset === undefined || dec(fill.sz).lte(0) || dec(fill.px).lte(0)) return null;
  const { units } = asset.listed;
  const forced = FORCED.find(([beginning]) => fill.dir?.startsWith(beginning))?.[1];
  return {
    tradeId: names.nameOf(fill),
    clientOrderId,
    venueOrderId: fill.oid,
    symbol: asset.instrument.id,
    side: fill.side === 'B' ? 'BUY' : 'SELL',
    price: units.priceToOurs(fill.px),
    quantity: units.quantityToOurs(fill.sz),
    fee: fill.fee,
    ...(fill.tid === null ? { isUnnamed: true as const } : {}),
    feeAsset: fill.feeToken ?? 'USDC',
    liquidity: fill.crossed === false ? 'MAKER' : 'TAKER',
    // A fill against somebody who is liquidated names that account, not ours.
    isLiquidation: fill.liquidation?.liquidatedUser === user,
    ...(forced === undefined ? {} : { forced }),
    timestamp: fill.time,
  };
}

/** The venue gives payments no id: an instrument is paid once at a time. */
export function paymentOf(listing: Listing, payment: WirePayment): VenueFunding | null {
  const asset = listing.byCoin(payment.coin);
  if (asset === undefined) return null;
  const { units } = asset.listed;
  const perUnit = dec(payment.szi).mul(payment.fundingRate).abs();
  // The venue pays rate × oracle price × quantity and does not name the price.
  const price = perUnit.isZero() ? '0' : text(dec(payment.usdc).abs().div(perUnit).toDecimalPlaces(12));
  return {
    venueId: `${payment.time}:${payment.coin}`,
    symbol: asset.instrument.id,
    rate: payment.fundingRate,
    markPrice: units.priceToOurs(price),
    quantity: units.quantityToOurs(payment.szi),
    amount: payment.usdc,
    timestamp: payment.time,
  };
}
