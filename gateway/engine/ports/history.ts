/** Port for sums of an account's history, which the portfolio reads. The adapter is in store/. */
import type { AccountRecords } from '../../domain/account-ledger.ts';
import type { TradeFill } from '../../domain/closed-trade.ts';
import type { PathMark } from '../../domain/equity-mark.ts';
import type { Position } from '../../domain/model.ts';
import type {
  AssetTotals,
  BasketTotals,
  DayNet,
  EquitySample,
  HistorySource,
  PeriodTotals,
} from '../../domain/portfolio.ts';
import type { HeldLot } from '../../domain/unassigned.ts';
import type { Page, PageRequest } from './pages.ts';

/** A part of an account's history. */
export interface HistoryFilter {
  readonly tradeAccountId: string;
  /** Trades through the gateway or outside it; null: both. */
  readonly source: HistorySource | null;
  /** Epoch ms, `from` inclusive, `to` exclusive. Sums cover the whole hours or days that begin in the range. */
  readonly range: { readonly from: number; readonly to: number } | null;
}

/** Holdings of the account. */
export interface AccountHoldings {
  /** Open positions, newest first. */
  readonly positions: readonly Position[];
  /** Lots outside baskets: by instrument, oldest first. */
  readonly lots: readonly HeldLot[];
}

/** A closed position in the list of closed trades. */
export interface ClosedTradeKey {
  /** Id of the position. */
  readonly id: string;
  readonly closedAt: number;
}

/**
 * Sums of an account's history, updated in the same unit as the fills, funding payments and positions, so that a
 * query over years reads days instead of fills.
 */
export interface HistoryStore {
  /** Start of the first hour with activity; null: the account has no history. */
  firstHour(tradeAccountId: string): Promise<number | null>;
  /** Start of the last hour with activity. It is in the future if the clock was set back. null: no history. */
  lastHour(tradeAccountId: string): Promise<number | null>;
  /** Periods, oldest first; periods without activity are left out. */
  periods(filter: HistoryFilter, width: 'hour' | 'day'): Promise<readonly PeriodTotals[]>;
  /**
   * The records from which an account's equity is computed, the holdings among them, and the periods of the filter, in
   * one consistent read.
   * @param since epoch ms; earlier records count as capital of the account, not as a result
   */
  records(
    filter: HistoryFilter & { readonly width: 'hour' | 'day' },
    since: number,
  ): Promise<{
    readonly records: AccountRecords;
    readonly holdings: AccountHoldings;
    readonly periods: readonly PeriodTotals[];
  }>;
  /** The last sample of each UTC day, oldest first. */
  dailySamples(tradeAccountId: string): Promise<readonly EquitySample[]>;
  /** Samples with a deposit or a withdrawal, oldest first. */
  flowSamples(tradeAccountId: string): Promise<readonly EquitySample[]>;
  /** Every stored sample of [from, to), oldest first. @param source null: all trading */
  path(
    tradeAccountId: string,
    range: { readonly from: number; readonly to: number },
    source: HistorySource | null,
  ): Promise<readonly PathMark[]>;
  lastSample(tradeAccountId: string): Promise<EquitySample | null>;
  /** null: the account has no sample yet. */
  firstSample(tradeAccountId: string): Promise<EquitySample | null>;
  /** Net result by day, oldest first; days without activity are left out. */
  dailyNet(filter: HistoryFilter): Promise<readonly DayNet[]>;
  /** Sums by instrument. */
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
