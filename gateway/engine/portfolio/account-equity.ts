/** Current equity of an account and its sources, from the gateway's own records at its own marks. */
import {
  type AccountLedger,
  type AccountRecords,
  accountLedger,
  depositsOf,
  realizedByNetting,
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
import type { Venue, VenueBalances, VenuePosition } from '../ports/venue.ts';

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
 * @param asked the venue's money. Default: read from the venue, without a time limit of its own
 */
export async function accountEquity(
  deps: EquityDeps,
  account: TradeAccount,
  filter: Omit<HistoryFilter, 'tradeAccountId'> & { readonly width: 'hour' | 'day' } = EVER,
  asked: Promise<VenueMoney | null> = venueMoney(deps, account),
): Promise<AccountEquity> {
  const money = await asked;
  const since = Math.floor(account.createdAt / HOUR_MS) * HOUR_MS;
  const { records, holdings, periods } = await deps.store.history.records(
    { ...filter, tradeAccountId: account.id },
    since,
  );
  // Read together, because the market moves while the answer is put together.
  const marks = new Map<string, string | undefined>();
  const markOf = (symbol: string) => {
    if (!marks.has(symbol)) marks.set(symbol, deps.market.quote(account.connector, symbol)?.mark);
    return marks.get(symbol);
  };
  const ledger = accountLedger(records, markOf);
  const deposits = money === null ? null : paidIn(money, ledger, records, markOf);
  return { ledger, deposits, periods, holdings, markOf: (symbol) => marks.get(symbol) };
}

/** Deposits. If the venue does not report them: its balance minus what it has realised. */
function paidIn(
  { balances, positions }: VenueMoney,
  { total }: AccountLedger,
  records: AccountRecords,
  markOf: (symbol: string) => string | undefined,
): Atto {
  if (balances.deposits !== undefined) return depositsOf(balances.deposits, records);
  const realized = resultOf(total) - total.unrealizedPnl + realizedByNetting(records, positions, markOf);
  return atto(balances.balance) - realized;
}

/** Balances and positions of one time. */
export interface VenueMoney {
  readonly balances: VenueBalances;
  readonly positions: readonly VenuePosition[];
}

/** The account as the venue has it; null: the venue does not answer. */
export async function venueMoney(
  { venues }: Pick<EquityDeps, 'venues'>,
  account: TradeAccount,
): Promise<VenueMoney | null> {
  const venue = venues.get(account.connector);
  if (venue === undefined) return null;
  const named = venueAccount(account);
  // Not used for trading: the account's stream is enough, and saves the venue's limit for orders.
  const kept = venue.accountState?.(named);
  if (kept) return kept;
  const [balances, positions] = await Promise.all([venue.balances(named), venue.positions(named)]);
  return balances.ok && positions.ok ? { balances: balances.value, positions: positions.value } : null;
}

/** The same for read-only callers, with a short time limit; null also if it has passed. */
export async function venueMoneySoon(
  deps: Pick<EquityDeps, 'venues'> & { readonly clock: Pick<Clock, 'after'> },
  account: TradeAccount,
): Promise<VenueMoney | null> {
  const venue = deps.venues.get(account.connector);
  if (venue === undefined) return null;
  return soon(deps.clock, venue, `money ${account.id}`, () => venueMoney(deps, account));
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
