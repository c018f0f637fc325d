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

/** All lists oldest first. */
export interface CurveRecords {
  /** Start of the first hour with activity; null: the account has no history. */
  readonly firstHour: number | null;
  /** First sample; null: the account has none yet. */
  readonly first: EquitySample | null;
  /** The last sample of each UTC day. */
  readonly closes: readonly EquitySample[];
  /** Samples with a deposit or a withdrawal. */
  readonly flows: readonly EquitySample[];
  /** Every stored sample of the times asked for. */
  readonly path: readonly PathMark[];
  /** Net result by day; days without activity are left out. */
  readonly nets: readonly DayNet[];
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
  /** The last sample before `until` (epoch ms; default: of all); null: there is none. */
  lastSample(tradeAccountId: string, until?: number): Promise<EquitySample | null>;
  /**
   * The records of an equity curve, in one consistent read.
   * @param source null: all trading
   * @param drawn times of `path`; null: none
   */
  curve(
    tradeAccountId: string,
    source: HistorySource | null,
    drawn: { readonly from: number; readonly to: number } | null,
  ): Promise<CurveRecords>;
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
