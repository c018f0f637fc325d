/** Sums of an account’s history, as the portfolio asks for them. The adapter is store/. */
import type { AccountRecords } from '../../domain/account-ledger.ts';
import type { TradeFill } from '../../domain/closed-trade.ts';
import type {
  AssetTotals,
  BasketTotals,
  DayNet,
  EquitySample,
  HistorySource,
  PeriodTotals,
} from '../../domain/portfolio.ts';
import type { Page, PageRequest } from './pages.ts';

/** A part of an account's history. */
export interface HistoryFilter {
  readonly tradeAccountId: string;
  /** null: both sources. */
  readonly source: HistorySource | null;
  /** Epoch ms, `from` inclusive, `to` exclusive. Totals are by whole hours or days that begin inside. */
  readonly range: { readonly from: number; readonly to: number } | null;
}

/** A closed position in the list of closed trades. */
export interface ClosedTradeKey {
  /** Id of the position. */
  readonly id: string;
  readonly closedAt: number;
}

/**
 * Sums of an account's history, kept with the fills, funding payments and positions in the unit that writes them, so
 * that a query over years reads days instead of fills.
 */
export interface HistoryStore {
  /** Start of the first hour with activity; null: the account has no history. */
  firstHour(tradeAccountId: string): Promise<number | null>;
  /** Start of the last hour with activity, which is after now where the clock was set back; null: no history. */
  lastHour(tradeAccountId: string): Promise<number | null>;
  /** Periods, oldest first; periods without activity are left out. */
  periods(filter: HistoryFilter, width: 'hour' | 'day'): Promise<readonly PeriodTotals[]>;
  /**
   * The records from which an account's equity is computed, and the periods of a filter, read at one moment.
   * @param since epoch ms; records from before are capital of the account, not a result
   */
  records(
    filter: HistoryFilter & { readonly width: 'hour' | 'day' },
    since: number,
  ): Promise<{ readonly records: AccountRecords; readonly periods: readonly PeriodTotals[] }>;
  /** The last sample of each UTC day, oldest first. */
  dailySamples(tradeAccountId: string): Promise<readonly EquitySample[]>;
  /** Samples with a deposit or a withdrawal, oldest first. */
  flowSamples(tradeAccountId: string): Promise<readonly EquitySample[]>;
  lastSample(tradeAccountId: string): Promise<EquitySample | null>;
  /** null: the account has no sample yet. */
  firstSample(tradeAccountId: string): Promise<EquitySample | null>;
  /** Net result by day, oldest first; days without activity are left out. */
  dailyNet(filter: HistoryFilter): Promise<readonly DayNet[]>;
  /** Sums by symbol. */
  assets(filter: HistoryFilter): Promise<readonly AssetTotals[]>;
  /** Sums by basket key, of trades closed inside the range. */
  baskets(filter: HistoryFilter): Promise<readonly BasketTotals[]>;
  /** Closed trades, newest close first. Sort key: `closedAt`. */
  closedTrades(
    filter: { readonly tradeAccountId: string; readonly range: HistoryFilter['range'] },
    page: PageRequest,
  ): Promise<Page<ClosedTradeKey>>;
  /** All fills of one position, oldest first. */
  fillsOfPosition(tradeAccountId: string, positionId: string): Promise<readonly TradeFill[]>;
}
