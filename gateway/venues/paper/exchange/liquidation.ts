/**
 * Forced closings. A cross account whose value fell below the maintenance of its cross positions has its working orders
 * cancelled and its positions closed at mark, the one with the largest maintenance first, until the remaining positions
 * are covered. An isolated position is judged alone. The fee never takes more than is left, and a value below zero
 * after the fee is paid by the venue's insurance, so a paper account never owes anything.
 */
import { Decimal, dec, ZERO } from '../../../domain/decimal.ts';
import type { PaperAccount, PaperPosition } from '../accounts/account-state.ts';
import { accountMargin, maintenanceOf, unrealizedOf } from '../accounts/margin-view.ts';
import { LIQUIDATION_FEE_RATE } from '../market/connectors.ts';
import type { ExchangeContext } from './exchange-context.ts';
import { feeOf, liquidationEffect } from './trade-effects.ts';

export function liquidateWhereDue(context: ExchangeContext, at: number): void {
  for (const account of context.accounts.byId.values()) {
    if (account.positions.size === 0 || isPlainlySafe(context, account)) continue;
    for (const [symbol, position] of [...account.positions]) {
      if (position.isolatedMargin !== null) liquidateIsolated(context, account, symbol, position, at);
    }
    liquidateCross(context, account, at);
  }
}

/**
 * Fast float check that most accounts pass: they are far from liquidation at every tick, so exact decimals are not
 * needed. The check errs on the safe side: an account that fails it is computed exactly.
 */
function isPlainlySafe(context: ExchangeContext, account: PaperAccount): boolean {
  let value =
    account.deposits.toNumber() +
    account.insured.toNumber() +
    account.realized.toNumber() +
    account.funding.toNumber() -
    account.fees.toNumber();
  let gross = 0;
  for (const [symbol, position] of account.positions) {
    const mark = context.view.mark(symbol)?.toNumber();
    if (mark === undefined || position.isolatedMargin !== null) return false;
    const worth = position.quantity.toNumber() * mark;
    value += worth - position.cost.toNumber();
    gross += Math.abs(worth);
  }
  // No tier asks for more maintenance than half of the notional.
  return value > gross * 0.5 + 1;
}

function liquidateIsolated(
  context: ExchangeContext,
  account: PaperAccount,
  symbol: string,
  position: PaperPosition,
  at: number,
): void {
  const instrument = context.view.instrument(symbol);
  const mark = context.view.mark(symbol);
  if (instrument === undefined || mark === undefined || position.isolatedMargin === null) return;
  const notional = position.quantity.abs().mul(mark);
  const value = position.isolatedMargin.plus(unrealizedOf(position, mark));
  if (value.gte(maintenanceOf(instrument, notional))) return;
  cancelWorking(context, account, symbol);
  closeAtMark(context, account, symbol, position, mark, value, at);
  if (value.isNegative()) insure(context, account, value.neg());
}

function liquidateCross(context: ExchangeContext, account: PaperAccount, at: number): void {
  if (!isCrossDue(context, account)) return;
  cancelWorking(context, account, null);
  const byMaintenance = [...account.positions]
    .filter(([, position]) => position.isolatedMargin === null)
    .map(([symbol, position]) => {
      const instrument = context.view.instrument(symbol);
      const mark = context.view.mark(symbol) ?? ZERO;
      const maintenance =
        instrument === undefined ? ZERO : maintenanceOf(instrument, position.quantity.abs().mul(mark));
      return { symbol, position, mark, maintenance };
    })
    .sort((a, b) => b.maintenance.comparedTo(a.maintenance) || (a.symbol < b.symbol ? -1 : 1));
  for (const { symbol, position, mark } of byMaintenance) {
    const { crossValue } = accountMargin(account, context.view);
    closeAtMark(context, account, symbol, position, mark, crossValue, at);
    if (!isCrossDue(context, account)) break;
  }
  const { crossValue } = accountMargin(account, context.view);
  if (crossValue.isNegative()) insure(context, account, crossValue.neg());
}

function isCrossDue(context: ExchangeContext, account: PaperAccount): boolean {
  const { crossValue, crossMaintenance } = accountMargin(account, context.view);
  return crossMaintenance.gt(0) && crossValue.lt(crossMaintenance);
}

function closeAtMark(
  context: ExchangeContext,
  account: PaperAccount,
  symbol: string,
  position: PaperPosition,
  mark: Decimal,
  left: Decimal,
  at: number,
): void {
  const quantity = position.quantity.abs();
  const fee = Decimal.min(
    feeOf(quantity.mul(mark), dec(LIQUIDATION_FEE_RATE)),
    Decimal.max(left, ZERO).toDecimalPlaces(6, Decimal.ROUND_DOWN),
  );
  const side = position.quantity.isPositive() ? 'SELL' : 'BUY';
  context.emit(liquidationEffect(context, account.id, { symbol, side, price: mark, quantity, fee, at }));
}

function cancelWorking(context: ExchangeContext, account: PaperAccount, symbol: string | null): void {
  for (const [clientOrderId, record] of [...account.working]) {
    if (symbol !== null && record.order.symbol !== symbol) continue;
    context.emit({ kind: 'closed', account: account.id, clientOrderId, state: 'cancelled' });
  }
}

function insure(context: ExchangeContext, account: PaperAccount, amount: Decimal): void {
  context.emit({ kind: 'insured', account: account.id, amount: amount.toFixed() });
}
