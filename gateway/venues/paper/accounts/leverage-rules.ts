/** Rules for a leverage setting of the paper venue. Pure. */
import { text, ZERO } from '../../../domain/decimal.ts';
import { effectiveLeverage } from '../../../domain/margin.ts';
import type { MarginMode } from '../../../domain/model.ts';
import { fail, ok, type Result } from '../../../domain/result.ts';
import type { PaperAccount } from './account-state.ts';
import type { Effect } from './journal-entry.ts';
import { accountMargin, leverageOf, type MarginMarket, maintenanceOf, unrealizedOf } from './margin-view.ts';
import { initialMargin } from './position-fold.ts';

export interface LeverageRequest {
  readonly symbol: string;
  readonly leverage: number;
  readonly marginMode: MarginMode;
}

/**
 * The margin mode is fixed while a position or a working order exists; the leverage of an open position may change as
 * long as free margin covers the new initial margin. The error is the venue's message.
 */
export function leverageEffect(
  account: PaperAccount,
  view: MarginMarket,
  request: LeverageRequest,
): Result<Extract<Effect, { kind: 'leverage' }>, string> {
  const { symbol, leverage, marginMode } = request;
  const instrument = view.instrument(symbol);
  const mark = view.mark(symbol);
  if (instrument === undefined || mark === undefined) return fail(`There is no instrument ${symbol}`);
  if (!Number.isInteger(leverage) || leverage < 1 || leverage > instrument.maxLeverage) {
    return fail(`Leverage of ${symbol} must be a whole number from 1 to ${instrument.maxLeverage}`);
  }
  if (!instrument.marginModes.includes(marginMode)) {
    return fail(`${symbol} does not support ${marginMode} margin`);
  }
  const position = account.positions.get(symbol);
  const isWorking = [...account.working.values()].some(({ order }) => order.symbol === symbol);
  const current = leverageOf(account, instrument);
  if (current.marginMode !== marginMode && (position !== undefined || isWorking)) {
    return fail('The margin mode cannot change while a position or an order is open');
  }
  const effect = { kind: 'leverage', account: account.id, symbol, leverage, marginMode } as const;
  if (position === undefined && !isWorking) return ok({ ...effect, isolatedMargin: null });

  const notional = (position?.quantity ?? ZERO).abs().mul(mark);
  const isolatedMargin =
    position === undefined || position.isolatedMargin === null
      ? null
      : initialMargin(position.cost.abs(), leverage);
  if (position !== undefined && isolatedMargin !== null) {
    if ((effectiveLeverage(instrument, leverage, notional) ?? 0) < leverage) {
      return fail(`An isolated position of this size does not allow ${leverage}×`);
    }
    const value = isolatedMargin.plus(unrealizedOf(position, mark));
    if (value.lte(maintenanceOf(instrument, notional))) {
      return fail('The isolated margin would not cover the maintenance margin');
    }
  }
  const after: PaperAccount = {
    ...account,
    leverage: new Map(account.leverage).set(symbol, { leverage, marginMode }),
    positions:
      position === undefined || isolatedMargin === null
        ? account.positions
        : new Map(account.positions).set(symbol, { ...position, isolatedMargin }),
  };
  const before = accountMargin(account, view).free;
  const { free } = accountMargin(after, view);
  if (free.isNegative() && free.lt(before)) return fail('Free margin does not cover the new leverage');
  return ok({ ...effect, isolatedMargin: isolatedMargin === null ? null : text(isolatedMargin) });
}
