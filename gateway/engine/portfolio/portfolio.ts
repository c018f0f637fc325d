/** Result of an account over a range: PnL, fees, funding, wins and losses, in total and by buckets of time. */
import { type AccountLedger, resultOf } from '../../domain/account-ledger.ts';
import { type Atto, attoText } from '../../domain/atto.ts';
import { dec, textRounded } from '../../domain/decimal.ts';
import { bucketsOf, type HistoryRange, HOUR_MS, historyRange } from '../../domain/history-range.ts';
import type { TradeAccount } from '../../domain/model.ts';
import type { HistorySource, PeriodTotals } from '../../domain/portfolio.ts';
import type { MarketData } from '../ports/market.ts';
import type { Store } from '../ports/store.ts';
import type { Clock } from '../ports/system.ts';
import { type AccountEquity, accountEquity, type EquityDeps, venueMoneySoon } from './account-equity.ts';

export interface PortfolioDeps {
  readonly store: Pick<Store, 'history'>;
  readonly venues: EquityDeps['venues'];
  readonly market: Pick<MarketData, 'quote' | 'instrument'>;
  readonly clock: Pick<Clock, 'now' | 'after'>;
}

export interface HistoryQuery {
  /** Epoch ms, inclusive; null: from the beginning. */
  readonly from: number | null;
  /** Epoch ms, exclusive; null: until now. */
  readonly to: number | null;
  /** Trades through the gateway or outside it; null: both. */
  readonly source: HistorySource | null;
}

export interface PortfolioBucket {
  readonly start: number;
  readonly end: number;
  /** Realised PnL − fees + funding, USD. */
  readonly pnl: string;
  readonly fees: string;
  /** USD, positive = received. */
  readonly funding: string;
  readonly volume: string;
  /** Number of baskets closed. */
  readonly trades: number;
}

/** Amounts in USD. A quotient with a divisor of zero is null. */
export interface PortfolioOverview {
  /** Current equity, `deposits` plus the result of all trading; null: the venue does not answer. */
  readonly equity: Atto | null;
  /** Equity without unrealised PnL; null: the venue does not answer. */
  readonly balance: Atto | null;
  /** Deposits of all time; null: the venue does not answer. */
  readonly deposits: Atto | null;
  /** Ledger of all time. */
  readonly ledger: AccountLedger;
  /** Holdings and marks at the time of the current figures. */
  readonly now: Pick<AccountEquity, 'holdings' | 'markOf'>;
  /** Unrealised PnL at current marks. */
  readonly unrealizedPnl: string;
  readonly realizedPnl: string;
  readonly fees: string;
  readonly funding: string;
  /** realizedPnl − fees + funding. */
  readonly netPnl: string;
  readonly volume: string;
  readonly winCount: number;
  readonly lossCount: number;
  /** Wins ÷ (wins + losses), a fraction. */
  readonly hitRate: string | null;
  /** Σ of the wins ÷ Σ of the losses. */
  readonly profitFactor: string | null;
  readonly averageWin: string | null;
  /** Average loss as a positive amount. */
  readonly averageLoss: string | null;
  readonly buckets: readonly PortfolioBucket[];
}

type Sums = Omit<PeriodTotals, 'start'>;

const NOTHING: Sums = {
  fills: 0,
  volume: 0n,
  realizedPnl: 0n,
  fees: 0n,
  funding: 0n,
  closed: 0,
  wins: 0,
  losses: 0,
  won: 0n,
  lost: 0n,
};

const NO_TIME = { from: 0, to: 0 };

/** Decimals of quotients. */
const PLACES = 12;

export async function portfolioOverview(
  deps: PortfolioDeps,
  account: TradeAccount,
  query: HistoryQuery,
): Promise<PortfolioOverview> {
  const range = await rangeOf(deps, account, query);
  const { ledger, deposits, periods, holdings, markOf } = await accountEquity(
    deps,
    account,
    {
      source: query.source,
      range: range ?? NO_TIME,
      width: range?.width === 'hour' ? 'hour' : 'day',
    },
    venueMoneySoon(deps, account),
  );
  const total = periods.reduce(added, NOTHING);
  return {
    equity: deposits === null ? null : deposits + resultOf(ledger.total),
    balance: deposits === null ? null : deposits + resultOf(ledger.total) - ledger.total.unrealizedPnl,
    deposits,
    ledger,
    now: { holdings, markOf },
    unrealizedPnl: attoText(unrealizedOf(ledger, query.source)),
    realizedPnl: attoText(total.realizedPnl),
    fees: attoText(total.fees),
    funding: attoText(total.funding),
    netPnl: attoText(total.realizedPnl - total.fees + total.funding),
    volume: attoText(total.volume),
    winCount: total.wins,
    lossCount: total.losses,
    hitRate: hitRate(total),
    profitFactor: quotient(total.won, total.lost),
    averageWin: quotient(total.won, BigInt(total.wins) * 10n ** 18n),
    averageLoss: quotient(total.lost, BigInt(total.losses) * 10n ** 18n),
    buckets: range === null ? [] : bucketed(range, periods),
  };
}

/** Now, or the end of the recorded history if that is later, because the clock was ahead and was set back. */
export async function historyEnd(
  { store, clock }: Pick<PortfolioDeps, 'store' | 'clock'>,
  tradeAccountId: string,
): Promise<number> {
  const lastHour = await store.history.lastHour(tradeAccountId);
  return lastHour === null ? clock.now() : Math.max(clock.now(), lastHour + HOUR_MS - 1);
}

/** The requested range, cut to the account's history, which begins with the account or with older venue activity. */
export async function rangeOf(
  deps: Pick<PortfolioDeps, 'store' | 'clock'>,
  account: TradeAccount,
  asked: Pick<HistoryQuery, 'from' | 'to'>,
): Promise<HistoryRange | null> {
  const firstHour = await deps.store.history.firstHour(account.id);
  const begin = Math.min(firstHour ?? account.createdAt, account.createdAt);
  return historyRange(asked, { begin, now: await historyEnd(deps, account.id) });
}

/** Wins ÷ (wins + losses); null: no trade was won or lost. */
export function hitRate({ wins, losses }: { readonly wins: number; readonly losses: number }): string | null {
  return wins + losses === 0 ? null : textRounded(dec(wins).div(wins + losses), PLACES);
}

function quotient(value: Atto, by: Atto): string | null {
  return by === 0n ? null : textRounded(dec(value.toString()).div(by.toString()), PLACES);
}

function added(sums: Sums, more: Sums): Sums {
  return {
    fills: sums.fills + more.fills,
    volume: sums.volume + more.volume,
    realizedPnl: sums.realizedPnl + more.realizedPnl,
    fees: sums.fees + more.fees,
    funding: sums.funding + more.funding,
    closed: sums.closed + more.closed,
    wins: sums.wins + more.wins,
    losses: sums.losses + more.losses,
    won: sums.won + more.won,
    lost: sums.lost + more.lost,
  };
}

/** @param periods oldest first */
function bucketed(range: HistoryRange, periods: readonly PeriodTotals[]): readonly PortfolioBucket[] {
  let next = 0;
  return bucketsOf(range).map(({ start, end }) => {
    let sums = NOTHING;
    for (let period = periods[next]; period !== undefined && period.start < end; period = periods[next]) {
      sums = added(sums, period);
      next += 1;
    }
    return {
      start,
      end,
      pnl: attoText(sums.realizedPnl - sums.fees + sums.funding),
      fees: attoText(sums.fees),
      funding: attoText(sums.funding),
      volume: attoText(sums.volume),
      trades: sums.closed,
    };
  });
}

function unrealizedOf(ledger: AccountLedger, source: HistorySource | null): Atto {
  return (source === null ? ledger.total : ledger.sources[source]).unrealizedPnl;
}
