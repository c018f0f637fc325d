/** Hyperliquid's orders, fills and payments in the port's terms and units. */
import { dec, text } from '../../../domain/decimal.ts';
import type { ForcedCause } from '../../../domain/model.ts';
import type { OrderOutcome, VenueFill, VenueFunding } from '../../../engine/ports/venue.ts';
import { wordsOf } from '../kit/words.ts';
import type { Listing } from './listing.ts';
import { meaningOfStatus } from './statuses.ts';
import type { OrderWithStatus, WireFill, WirePayment } from './wire.ts';

/** State of an order; its fills come by themselves. `listed`: a word or an instrument that is not known here. */
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
  const state = dec(filled).gte(order.origSz) ? 'filled' : 'cancelled';
  return { kind: 'done', state, ...told };
}

const FORCED: readonly (readonly [beginning: string, cause: ForcedCause])[] = [
  ['Auto-Deleveraging', 'ADL'],
  ['Settlement', 'SETTLEMENT'],
  ['Delisting', 'DELISTING'],
];

/**
 * null: of an instrument that is not listed here, or not a trade, because nothing or less was exchanged: to book one would
 * make the books differ from the position. @param user the account's address, lower case
 */
export function fillOf(
  listing: Listing,
  user: string,
  fill: WireFill,
  clientOrderId: string | null,
): VenueFill | null {
  const asset = listing.byCoin(fill.coin);
  if (asset === undefined || dec(fill.sz).lte(0) || dec(fill.px).lte(0)) return null;
  const { units } = asset.listed;
  const forced = FORCED.find(([beginning]) => fill.dir?.startsWith(beginning))?.[1];
  return {
    tradeId: fill.tid ?? `${fill.oid}:${fill.time}:${fill.px}:${fill.sz}`,
    clientOrderId,
    venueOrderId: fill.oid,
    symbol: asset.instrument.id,
    side: fill.side === 'B' ? 'BUY' : 'SELL',
    price: units.priceToOurs(fill.px),
    quantity: units.quantityToOurs(fill.sz),
    fee: fill.fee,
    feeAsset: fill.feeToken ?? 'USDC',
    liquidity: fill.crossed ? 'TAKER' : 'MAKER',
    // A fill against somebody who is liquidated names that one, not us.
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
  // It pays rate × oracle price × quantity and does not name the price.
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
