/** The paper exchange without clock and disk, on a market that stands still: one account, orders in a line each. */
import { ZERO } from '../../gateway/domain/decimal.ts';
import type { MarginMode, Side } from '../../gateway/domain/model.ts';
import type { OrderOutcome, PlaceOrder } from '../../gateway/engine/ports/venue.ts';
import { balancesOf, positionsOf } from '../../gateway/venues/paper/accounts/account-report.ts';
import type { PaperAccount } from '../../gateway/venues/paper/accounts/account-state.ts';
import type { JournalEntry } from '../../gateway/venues/paper/accounts/journal-entry.ts';
import { leverageEffect } from '../../gateway/venues/paper/accounts/leverage-rules.ts';
import { marginEffect } from '../../gateway/venues/paper/accounts/margin-rules.ts';
import { accountMargin } from '../../gateway/venues/paper/accounts/margin-view.ts';
import { PaperExchange } from '../../gateway/venues/paper/exchange/exchange.ts';
import { paperConnectorInfo } from '../../gateway/venues/paper/market/connectors.ts';
import { PAPER_PROFILES } from '../../gateway/venues/paper/market/profile.ts';
import { createFlatMarket, type FlatMarket } from './flat-market.ts';

export const DESK_START = Date.UTC(2026, 0, 31, 12);

export function createExchangeDesk(market: FlatMarket = createFlatMarket({ startAt: DESK_START })) {
  const info = paperConnectorInfo('paper', PAPER_PROFILES.realistic);
  const exchange = new PaperExchange({ info, market, wallOf: (marketAt) => marketAt });
  exchange.open('trader');
  const account = (): PaperAccount => {
    const found = exchange.account('trader');
    if (found === undefined) throw new Error('the account was not opened');
    return found;
  };
  let orders = 0;
  const entries: JournalEntry[] = [];
  const drain = () => {
    const entry = exchange.drain(market.at);
    if (entry !== null) entries.push(entry);
  };
  drain();
  return {
    exchange,
    market,
    info,
    entries,
    account,
    place(
      side: Side,
      quantity: string,
      symbol: string,
      limitPrice: string,
      change: Partial<PlaceOrder> = {},
    ): OrderOutcome {
      orders += 1;
      const order: PlaceOrder = {
        clientOrderId: `order-${orders}`,
        symbol,
        side,
        quantity,
        limitPrice,
        timeInForce: 'IOC',
        reduceOnly: false,
        expiresAt: market.at + 10_000,
        ...change,
      };
      const outcome = exchange.place(account(), order, market.at);
      drain();
      return outcome;
    },
    /** An error is the venue's message. */
    setLeverage(symbol: string, leverage: number, marginMode: MarginMode): string | null {
      const effect = leverageEffect(account(), exchange.view, { symbol, leverage, marginMode });
      if (!effect.ok) return effect.error;
      exchange.change(effect.value);
      drain();
      return null;
    },
    /** An error is the venue's message. */
    changeMargin(symbol: string, amount: string): string | null {
      const effect = marginEffect(account(), exchange.view, { symbol, amount });
      if (!effect.ok) return effect.error;
      exchange.change(effect.value);
      drain();
      return null;
    },
    cancel(clientOrderId: string) {
      exchange.cancel(account(), clientOrderId);
      drain();
    },
    /** One market step; prices set before it become known. */
    step() {
      const changed = market.advanceTo(market.at + market.stepMs);
      exchange.tick(changed, market.at);
      drain();
    },
    balances: () => balancesOf(account(), accountMargin(account(), exchange.view)),
    position: (symbol: string) =>
      positionsOf(account(), exchange.view, accountMargin(account(), exchange.view)).find(
        (one) => one.symbol === symbol,
      ),
    held: (symbol: string) => account().positions.get(symbol)?.quantity ?? ZERO,
  };
}
