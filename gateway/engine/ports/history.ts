/** Sums of an account’s history, as the portfolio asks for them. The adapter is store/. */
import type { AccountRecords } from '../../domain/account-books.ts';
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

/** Which part of an account's history. */
export interface HistoryFilter {
  readonly tradeAccountId: string;
  /** null: both. */
  readonly source: HistorySource | null;
  /** Epoch ms, `from` inclusive, `to` exclusive. Totals are by whole hours or days: those that begin inside. */
  readonly range: { readonly from: number; readonly to: number } | null;
}

/** A closed position in the list of closed trades. */
export interface ClosedTradeKey {
  /** The position's. */
  readonly id: string;
  readonly closedAt: number;
}

/**
 * Sums of an account's history, kept with the fills, funding payments and positions in the unit that writes them, so that
 * a question about years reads days instead of fills.
 */
export interface HistoryStore {
  /** Start of the first hour with anything; null: there is nothing. */
  firstHour(tradeAccountId: string): Promise<number | null>;
  /** Start of the last hour with anything; after now where the clock was set back since. */
  lastHour(tradeAccountId: string): Promise<number | null>;
  /** Oldest first; periods without anything are left out. */
  periods(filter: HistoryFilter, width: 'hour' | 'day'): Promise<readonly PeriodTotals[]>;
  /**
   * All that an account's equity is made of, and the periods of a filter, as they were at one moment.
   * @param since what is recorded of before is no result of the account, epoch ms
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
  /** null: there is none yet. */
  firstSample(tradeAccountId: string): Promise<EquitySample | null>;
  /** Oldest first; days without anything are left out. */
  dailyNet(filter: HistoryFilter): Promise<readonly DayNet[]>;
  /** By symbol. */
  assets(filter: HistoryFilter): Promise<readonly AssetTotals[]>;
  /** By basket key, of trades closed inside the range. */
  baskets(filter: HistoryFilter): Promise<readonly BasketTotals[]>;
  /** Newest close first. Sort key: `closedAt`. */
  closedTrades(
    filter: { readonly tradeAccountId: string; readonly range: HistoryFilter['range'] },
    page: PageRequest,
  ): Promise<Page<ClosedTradeKey>>;
  /** All of one position's, oldest first. */
  fillsOfPosition(tradeAccountId: string, positionId: string): Promise<readonly TradeFill[]>;
}
