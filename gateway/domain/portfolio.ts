/** What is kept of an account's history in sums: by hour, by day, by instrument, by basket. Money in 10⁻¹⁸ USD. */
import type { Atto } from './atto.ts';
import type { Fill, Position } from './model.ts';

/** Who traded: this gateway, or somebody else on the same venue account. */
export type HistorySource = 'gateway' | 'external';

export interface PeriodTotals {
  /** Epoch ms, UTC. */
  readonly start: number;
  /** Number of fills. */
  readonly fills: number;
  /** Σ notional of the fills. */
  readonly volume: Atto;
  /** Of price only. */
  readonly realizedPnl: Atto;
  /** Positive: paid. */
  readonly fees: Atto;
  /** Positive: received. */
  readonly funding: Atto;
  /** Baskets closed, by the time of their close, with their whole net PnL: `won` − `lost`. */
  readonly closed: number;
  readonly wins: number;
  readonly losses: number;
  readonly won: Atto;
  /** Positive. */
  readonly lost: Atto;
}

export type AssetTotals = Pick<PeriodTotals, 'fills' | 'volume' | 'realizedPnl' | 'fees' | 'funding'> & {
  readonly symbol: string;
};

export type BasketTotals = Pick<PeriodTotals, 'closed' | 'wins' | 'losses' | 'won' | 'lost'> & {
  readonly basketKey: string;
  /** Σ (close − open). */
  readonly holdMs: number;
};

/** Realised PnL − fees + funding of one UTC day. */
export interface DayNet {
  readonly start: number;
  readonly net: Atto;
}

/** A liquidation is the venue's doing, but it ends what the gateway holds. */
export function sourceOfFill(
  fill: Pick<Fill, 'executionId' | 'positionId' | 'isLiquidation'>,
): HistorySource {
  const ours = fill.executionId !== null || (fill.isLiquidation && fill.positionId !== null);
  return ours ? 'gateway' : 'external';
}

/** A position that was opened here and changed outside counts as the gateway's. */
export function sourceOfPosition(position: Pick<Position, 'origin'>): HistorySource {
  return position.origin === 'EXTERNAL' ? 'external' : 'gateway';
}
