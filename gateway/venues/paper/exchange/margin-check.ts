/**
 * Margin check of an order, on the account as it would be after the order: with the free margin left then, a fee and
 * the loss between fill and mark included. An order that only shrinks a position always passes, whatever the margin.
 */
import { Decimal, dec, text, ZERO } from '../../../domain/decimal.ts';
import { effectiveLeverage } from '../../../domain/margin.ts';
import type { PlaceOrder } from '../../../engine/ports/venue.ts';
import type { PaperAccount, PaperOrder } from '../accounts/account-state.ts';
import { accountMargin, leverageOf } from '../accounts/margin-view.ts';
import type { Refusal } from '../accounts/order-rules.ts';
import { foldTrade } from '../accounts/position-fold.ts';
import type { ExchangeContext } from './exchange-context.ts';
import { feeOf } from './trade-effects.ts';

/** Number of book levels that are examined if the worst case is not covered by margin. */
const PREVIEW_LEVELS = 200;

/** Allowance in USD: the trade assumed here may become several in the book, each with its fee rounded up. */
const ROUNDING_SLACK = dec('0.01');

interface Trade {
  readonly price: Decimal;
  readonly quantity: Decimal;
}

/** null: the margin suffices. @param resting the order is already working and is about to fill as a maker */
export function hasMarginFor(
  context: ExchangeContext,
  account: PaperAccount,
  order: PlaceOrder,
  resting?: PaperOrder,
): Refusal | null {
  const instrument = context.view.instrument(order.symbol);
  const mark = context.view.mark(order.symbol);
  if (instrument === undefined || mark === undefined) return null;
  const held = account.positions.get(order.symbol)?.quantity ?? ZERO;
  const open = dec(order.quantity).minus(resting?.filled ?? ZERO);
  const signed = order.side === 'BUY' ? open : open.neg();
  const after = held.plus(signed);
  const onlyShrinks =
    order.reduceOnly || (!held.isZero() && held.isPositive() !== signed.isPositive() && open.lte(held.abs()));
  if (onlyShrinks) return null;

  const setting = leverageOf(account, instrument).leverage;
  const limit = dec(order.limitPrice);
  const allowed = effectiveLeverage(instrument, setting, after.abs().mul(mark));
  if (allowed === undefined) {
    return { reason: 'margin', message: `The position would be larger than ${instrument.id} allows` };
  }
  if (allowed < setting && account.leverage.get(order.symbol)?.marginMode === 'isolated') {
    // The margin of an isolated position is set aside at its leverage setting, which must then be allowed for its size.
    return { reason: 'margin', message: `An isolated position of this size allows at most ${allowed}×` };
  }
  // When a resting order fills, the margin reserved for it becomes free, so the check does not count that margin.
  if (resting !== undefined) {
    account.working.delete(order.clientOrderId);
    try {
      return isCovered(context, account, order, [{ price: limit, quantity: open }], true) ? null : refusal();
    } finally {
      account.working.set(order.clientOrderId, resting);
    }
  }
  // An isolated sale needs more margin the higher the price it fills at, so its limit is not the worst case; the book
  // has to be checked.
  const isIsolated = account.leverage.get(order.symbol)?.marginMode === 'isolated';
  if (
    !isIsolated &&
    isCovered(context, account, order, worstCase(context, order, open), false, ROUNDING_SLACK)
  ) {
    return null;
  }
  return isCovered(context, account, order, preview(context, order, open), false) ? null : refusal();
}

function refusal(): Refusal {
  return { reason: 'margin', message: 'Free margin does not cover the initial margin of this order' };
}

/** Worst case: the whole order at its limit where the order crosses, no trade where it rests. */
function worstCase(context: ExchangeContext, order: PlaceOrder, open: Decimal): readonly Trade[] {
  const quote = context.market.quote(order.symbol);
  const limit = dec(order.limitPrice);
  const crosses =
    order.timeInForce === 'IOC' ||
    (quote !== undefined && (order.side === 'BUY' ? limit.gte(quote.ask) : limit.lte(quote.bid)));
  return crosses ? [{ price: limit, quantity: open }] : [];
}

/** Trades that the book offers at the moment inside the limit. */
function preview(context: ExchangeContext, order: PlaceOrder, open: Decimal): readonly Trade[] {
  const limit = dec(order.limitPrice);
  const against = order.side === 'BUY' ? 'SELL' : 'BUY';
  const trades: Trade[] = [];
  let left = open;
  let covered = false;
  const levels = context.market.levels(order.symbol, against, PREVIEW_LEVELS);
  for (const level of levels) {
    const price = dec(level.price);
    const outside = order.side === 'BUY' ? price.gt(limit) : price.lt(limit);
    if (outside || left.isZero()) {
      covered = true;
      break;
    }
    const quantity = Decimal.min(left, level.quantity);
    trades.push({ price, quantity });
    left = left.minus(quantity);
  }
  // Any quantity beyond the examined levels is assumed to fill at the limit.
  if (!covered && left.gt(0) && levels.length >= PREVIEW_LEVELS)
    trades.push({ price: limit, quantity: left });
  return trades;
}

function isCovered(
  context: ExchangeContext,
  account: PaperAccount,
  order: PlaceOrder,
  trades: readonly Trade[],
  maker: boolean,
  spare: Decimal = ZERO,
): boolean {
  const setting = account.leverage.get(order.symbol);
  const isolatedLeverage = setting?.marginMode === 'isolated' ? setting.leverage : null;
  const rate = dec(maker ? context.info.makerRate : context.info.takerRate);
  let position = account.positions.get(order.symbol) ?? null;
  let realized = ZERO;
  let fee = ZERO;
  let left = dec(order.quantity);
  for (const { price, quantity } of trades) {
    const step = foldTrade(
      position ?? undefined,
      order.side === 'BUY' ? quantity : quantity.neg(),
      price,
      isolatedLeverage,
    );
    position = step.position;
    realized = realized.plus(step.realized);
    fee = fee.plus(feeOf(price.mul(quantity), rate));
    left = left.minus(quantity);
  }
  const rests = order.timeInForce === 'GTC' && left.gt(0) && !maker;
  const margin = accountMargin(account, context.view, {
    symbol: order.symbol,
    position,
    realized,
    fee,
    resting: rests ? { side: order.side, quantity: text(left), limitPrice: order.limitPrice } : null,
  });
  return margin.free.gte(spare);
}
