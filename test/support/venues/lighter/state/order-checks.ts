/** Checks of an order before it enters the book: those anybody can make, and those on the venue's state. */
import { dec } from '../../../../../gateway/domain/decimal.ts';
import { freeMargin, neededFor, sizeOf } from '../../shared/world/margin.ts';
import { ATTRIBUTES, type Tx } from '../wire/tx.ts';
import type { TxOf } from '../wire/tx-shapes.ts';
import type { Account } from './accounts.ts';
import { type Market, steps } from './markets.ts';
import type { Order } from './orders.ts';
import { REFUSALS, type Refusal } from './refusals.ts';
import type { World } from './world.ts';

const LARGEST_CLIENT_INDEX = 2 ** 48 - 1;
const LARGEST_BASE = 2 ** 48 - 1;
const LARGEST_PRICE = 2 ** 32 - 1;
const SOONEST_EXPIRY_MS = 5 * 60_000;
const LATEST_EXPIRY_MS = 30 * 86_400_000;
export const MARKET = 1;
const TWAP = 6;
const IOC = 0;
export const POST_ONLY = 2;

type Fields = TxOf<'createOrder'>;

/** An order as it is meant, before the venue has given it a number. */
export type Wanted = Omit<
  Order,
  'oid' | 'createdAt' | 'filledBase' | 'filledQuote' | 'status' | 'updatedAt' | 'nonce' | 'block'
>;

export function wantedOf(owner: Account, market: Market, tx: Fields, attributes: Tx['attributes']): Wanted {
  const { size, price } = steps(market);
  const sz = size.mul(tx.BaseAmount);
  return {
    ...{
      client: tx.ClientOrderIndex === 0 ? null : tx.ClientOrderIndex,
      owner,
      market,
      isBuy: tx.IsAsk === 0,
      origSz: sz,
      sz,
    },
    ...{
      reduceOnly: tx.ReduceOnly === 1,
      type: tx.Type,
      timeInForce: tx.TimeInForce,
      rests: tx.TimeInForce !== IOC,
      expiry: tx.OrderExpiry,
    },
    limitPx: price.mul(tx.Price),
    integrator: attributes.get(ATTRIBUTES.integrator) ?? 0,
    integratorFees: [
      attributes.get(ATTRIBUTES.integratorTakerFee) ?? 0,
      attributes.get(ATTRIBUTES.integratorMakerFee) ?? 0,
    ],
  };
}

/** Error in the numbers themselves; null: none. */
export function malformed(tx: Fields, now: number): Refusal | null {
  if (tx.ClientOrderIndex > LARGEST_CLIENT_INDEX) return REFUSALS.clientIndex;
  if (tx.BaseAmount < 1 || tx.BaseAmount > LARGEST_BASE) return REFUSALS.base;
  if (tx.Price < 1 || tx.Price > LARGEST_PRICE) return REFUSALS.price;
  if (tx.IsAsk > 1) return REFUSALS.isAsk;
  if (tx.ReduceOnly > 1) return REFUSALS.reduceOnlyMode;
  if (tx.TimeInForce > POST_ONLY) return REFUSALS.timeInForce;
  if (tx.Type > TWAP) return REFUSALS.type;
  // Orders with a trigger and TWAP orders are no part of this emulator.
  if (tx.Type > MARKET) return REFUSALS.unsupported;
  if (tx.TriggerPrice !== 0) return REFUSALS.trigger;
  if (tx.Type === MARKET && tx.TimeInForce !== IOC) return REFUSALS.timeInForce;
  if (tx.TimeInForce === IOC) return tx.OrderExpiry === 0 ? null : REFUSALS.expiry;
  const lasts = tx.OrderExpiry - now;
  return lasts < SOONEST_EXPIRY_MS || lasts > LATEST_EXPIRY_MS ? REFUSALS.expiry : null;
}

/** Why the venue does not take the order now; null: it does. */
export function refusalOf(
  world: World,
  account: Account,
  order: Wanted,
  isProtected: boolean,
): Refusal | null {
  const { market, limitPx, sz, isBuy } = order;
  if (market.status !== 'active') return REFUSALS.marketStatus;
  if (market.forceReduceOnly && !order.reduceOnly) return REFUSALS.reduceOnlyMode;
  if (order.client !== null && world.orders.byClient(account, order.client) !== undefined) {
    return REFUSALS.duplicate;
  }
  const held = sizeOf(account, market);
  const closesAll = order.reduceOnly && !held.isZero() && held.isPositive() !== isBuy && sz.gte(held.abs());
  // A position that is smaller than the smallest order must be closable.
  const isSmall = sz.lt(market.minBase) || sz.mul(limitPx).lt(market.minQuote);
  if (isSmall && !closesAll) return REFUSALS.amounts;
  if (order.integrator !== 0 && !isApproved(world, account, order)) return REFUSALS.integrator;
  const prices = priceRefusal(world, order, isProtected);
  if (prices !== null) return prices;
  if (order.reduceOnly) return null;
  const free = freeMargin(account, world.orders.open(account));
  return neededFor(account, order).gt(free) ? REFUSALS.margin : null;
}

function isApproved(
  world: World,
  account: Account,
  { integrator, integratorFees: [taker, maker] }: Wanted,
): boolean {
  const approval = account.integrators.get(integrator);
  if (approval === undefined || approval.until <= world.now()) return false;
  return taker <= approval.perpsTaker && maker <= approval.perpsMaker;
}

function priceRefusal(
  world: World,
  { market, limitPx, isBuy }: Wanted,
  isProtected: boolean,
): Refusal | null {
  const { accidental, mark } = world.bands;
  const away = limitPx.div(market.mark).minus(1).abs();
  if (away.gt(mark)) return REFUSALS.tooFar;
  const [best] = world.book(market).levels(!isBuy);
  if (!isProtected || best === undefined) return null;
  const beyond = isBuy ? limitPx.div(best.px).minus(1) : dec(1).minus(limitPx.div(best.px));
  return beyond.gt(accidental) ? REFUSALS.accidental : null;
}

/** True: a reduce-only order that has nothing to reduce. */
export function wouldOpen(account: Account, { reduceOnly, market, isBuy }: Wanted): boolean {
  const held = sizeOf(account, market);
  return reduceOnly && (held.isZero() || held.isPositive() === isBuy);
}
