/** Rules for moving margin into or out of an isolated position of the paper venue. Pure. */
import { type DecimalString, dec, text, ZERO } from '../../../domain/decimal.ts';
import { fail, ok, type Result } from '../../../domain/result.ts';
import { PAPER_ASSET } from '../market/connectors.ts';
import type { PaperAccount } from './account-state.ts';
import type { Effect } from './journal-entry.ts';
import {
  accountMargin,
  initialMarginOf,
  leverageOf,
  type MarginMarket,
  unrealizedOf,
} from './margin-view.ts';

export interface MarginChange {
  readonly symbol: string;
  /** Amount in USD; + into the position, − out of it. */
  readonly amount: DecimalString;
}

const AMOUNT = /^-?\d{1,20}(\.\d{1,6})?$/;

/**
 * Free margin must cover an amount moved in. After an amount is moved out, the remaining margin must, with the
 * position's profit or loss, cover the initial margin at the current mark; profit itself cannot be taken out while the
 * position is open. The error is the venue's message.
 */
export function marginEffect(
  account: PaperAccount,
  view: MarginMarket,
  { symbol, amount }: MarginChange,
): Result<Extract<Effect, { kind: 'margin' }>, string> {
  const instrument = view.instrument(symbol);
  const mark = view.mark(symbol);
  if (instrument === undefined || mark === undefined) return fail(`There is no instrument ${symbol}`);
  if (!AMOUNT.test(amount) || dec(amount).isZero()) {
    return fail(`The amount must be a number of ${PAPER_ASSET} other than 0, with at most 6 decimals`);
  }
  const position = account.positions.get(symbol);
  if (position === undefined) return fail(`There is no position in ${symbol}`);
  if (position.isolatedMargin === null) return fail(`The position in ${symbol} has cross margin`);

  const isolatedMargin = position.isolatedMargin.plus(amount);
  if (isolatedMargin.lt(position.isolatedMargin)) {
    const { leverage } = leverageOf(account, instrument);
    const needed = initialMarginOf(instrument, leverage, position.quantity.abs().mul(mark));
    const value = isolatedMargin.plus(unrealizedOf(position, mark));
    if (isolatedMargin.lt(ZERO) || value.lt(needed)) {
      return fail('What remains would not cover the initial margin of the position');
    }
  } else {
    const positions = new Map(account.positions).set(symbol, { ...position, isolatedMargin });
    if (accountMargin({ ...account, positions }, view).free.isNegative()) {
      return fail('Free margin does not cover the amount');
    }
  }
  return ok({ kind: 'margin', account: account.id, symbol, isolatedMargin: text(isolatedMargin) });
}
