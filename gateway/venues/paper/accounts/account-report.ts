/** Positions and balances of an account as the venue reports them. */
import { Decimal, text, textRounded, ZERO } from '../../../domain/decimal.ts';
import type { VenueBalances, VenuePosition } from '../../../engine/ports/venue.ts';
import { PAPER_ASSET } from '../market/connectors.ts';
import { netDeposits, type PaperAccount } from './account-state.ts';
import {
  type AccountMargin,
  initialMarginOf,
  leverageOf,
  liquidationPriceOf,
  type MarginMarket,
  unrealizedOf,
} from './margin-view.ts';

const PRICE_PLACES = 12;

/** @param margin of the account at the marks of `view` */
export function positionsOf(
  account: PaperAccount,
  view: MarginMarket,
  margin: AccountMargin,
): readonly VenuePosition[] {
  const positions: VenuePosition[] = [];
  for (const [symbol, position] of account.positions) {
    const instrument = view.instrument(symbol);
    const mark = view.mark(symbol);
    if (instrument === undefined || mark === undefined) continue;
    const { leverage, marginMode } = leverageOf(account, instrument);
    const unrealized = unrealizedOf(position, mark);
    const notional = position.quantity.abs().mul(mark);
    const liquidationPrice = liquidationPriceOf(position, instrument, mark, margin);
    positions.push({
      symbol,
      quantity: text(position.quantity),
      entryPrice: textRounded(position.cost.div(position.quantity), PRICE_PLACES),
      leverage,
      marginMode,
      marginUsed: text(
        position.isolatedMargin === null
          ? initialMarginOf(instrument, leverage, notional)
          : position.isolatedMargin.plus(unrealized),
      ),
      unrealizedPnl: text(unrealized),
      liquidationPrice: liquidationPrice === null ? null : textRounded(liquidationPrice, PRICE_PLACES),
    });
  }
  return positions;
}

/** equity = balance + unrealised PnL; marginUsed + freeMargin = equity as long as free margin is not negative. */
export function balancesOf(
  account: PaperAccount,
  { balance, unrealized, free }: AccountMargin,
): VenueBalances {
  const equity = balance.plus(unrealized);
  return {
    asset: PAPER_ASSET,
    balance: text(balance),
    equity: text(equity),
    marginUsed: text(equity.minus(free)),
    freeMargin: text(Decimal.max(free, ZERO)),
    deposits: text(netDeposits(account)),
  };
}
