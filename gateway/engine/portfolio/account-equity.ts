/** Current equity of an account and its sources, from the gateway's own records at its own marks. */
import {
  type AccountLedger,
  type AccountRecords,
  accountLedger,
  depositsOf,
  resultOf,
} from '../../domain/account-ledger.ts';
import { type Atto, atto, attoText } from '../../domain/atto.ts';
import { HOUR_MS } from '../../domain/history-range.ts';
import type { TradeAccount } from '../../domain/model.ts';
import type { EquitySample, PeriodTotals } from '../../domain/portfolio.ts';
import { soon } from '../core/soon.ts';
import { venueAccount } from '../execution/ask-venue.ts';
import type { AccountHoldings, HistoryFilter } from '../ports/history.ts';
import type { MarketData } from '../ports/market.ts';
import type { Store } from '../ports/store.ts';
import type { Clock } from '../ports/system.ts';
import type { Venue, VenueBalances } from '../ports/venue.ts';

export interface EquityDeps {
  readonly store: { readonly history: Pick<Store['history'], 'records'> };
  readonly venues: {
    get(connector: string): Pick<Venue, 'balances' | 'positions' | 'accountState'> | undefined;
  };
  readonly market: Pick<MarketData, 'quote'>;
}

export interface AccountEquity {
  readonly ledger: AccountLedger;
  /** null: the venue does not answer, so the deposits are unknown. */
  readonly deposits: Atto | null;
  readonly periods: readonly PeriodTotals[];
  /** Holdings of the account, from the same records as the ledger. */
  readonly holdings: AccountHoldings;
  /** Mark at which the ledger valued an instrument; undefined: none. */
  readonly markOf: (symbol: string) => string | undefined;
}

/** All time, trades through the gateway and outside it together, not divided into periods. */
export const EVER = { source: null, range: { from: 0, to: 0 }, width: 'day' } as const;

/**
 * @param filter applies to the periods only; the ledger covers all time and both sources
 * @param asked the venue's balances. Default: read from the venue, without a time limit of its own
 */
export async function accountEquity(
  deps: EquityDeps,
  account: TradeAccount,
  filter: Omit<HistoryFilter, 'tradeAccountId'> & { readonly width: 'hour' | 'day' } = EVER,
  asked: Promise<VenueBalances | null> = venueBalances(deps, account),
): Promise<AccountEquity> {
  const balances = await asked;
  const since = Math.floor(account.createdAt / HOUR_MS) * HOUR_MS;
  const { records, holdings, periods } = await deps.store.history.records(
    { ...filter, tradeAccountId: account.id },
    since,
  );
  // Read together, because the market moves while the answer is put together.
  const marks = new Map<string, string | undefined>();
  const ledger = accountLedger(records, (symbol) => {
    if (!marks.has(symbol)) marks.set(symbol, deps.market.quote(account.connector, symbol)?.mark);
    return marks.get(symbol);
  });
  const deposits = balances === null ? null : paidIn(balances, ledger, records);
  return { ledger, deposits, periods, holdings, markOf: (symbol) => marks.get(symbol) };
}

/** Deposits. If the venue does not report them: its balance minus the realised result. */
function paidIn(balances: VenueBalances, { total }: AccountLedger, records: AccountRecords): Atto {
  if (balances.deposits !== undefined) return depositsOf(balances.deposits, records);
  return atto(balances.balance) - (resultOf(total) - total.unrealizedPnl);
}

/** The venue's current balances of the account; null: the venue does not answer. */
export async function venueBalances(
  { venues }: Pick<EquityDeps, 'venues'>,
  account: TradeAccount,
): Promise<VenueBalances | null> {
  const venue = venues.get(account.connector);
  // Not used for trading: the balances from the account's stream are enough, and save the venue's limit for orders.
  const kept = venue?.accountState?.(venueAccount(account))?.balances;
  if (kept !== undefined) return kept;
  const found = await venue?.balances(venueAccount(account));
  return found?.ok ? found.value : null;
}

/** Balances for read-only callers, with a short time limit; null also if it has passed. */
export async function balancesSoon(
  deps: Pick<EquityDeps, 'venues'> & { readonly clock: Pick<Clock, 'after'> },
  account: TradeAccount,
): Promise<VenueBalances | null> {
  const venue = deps.venues.get(account.connector);
  if (venue === undefined) return null;
  return soon(deps.clock, venue, `balances ${account.id}`, () => venueBalances(deps, account));
}

/** @param flow deposits minus withdrawals since the previous sample */
export function sampleOf(
  tradeAccountId: string,
  at: number,
  { ledger, deposits }: { readonly ledger: AccountLedger; readonly deposits: Atto },
  flow: Atto,
): EquitySample {
  const { gateway, external } = ledger.sources;
  return {
    tradeAccountId,
    at,
    deposits: attoText(deposits),
    flow: attoText(flow),
    gatewayPnl: attoText(resultOf(gateway)),
    gatewayUnrealized: attoText(gateway.unrealizedPnl),
    externalPnl: attoText(resultOf(external)),
    externalUnrealized: attoText(external.unrealizedPnl),
  };
}
