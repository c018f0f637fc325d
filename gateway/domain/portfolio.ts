/** What is kept of an account's history in sums: by hour, by day, by instrument, by basket. Money in 10⁻¹⁸ USD. */
import type { Atto } from './atto.ts';
import type { DecimalString } from './decimal.ts';
import type { Fill, Position } from './model.ts';

/** Who traded: this gateway, or somebody else on the same venue account. */
export type HistorySource = 'gateway' | 'external';

/** In the place of a position: what was paid on holdings that no basket has, those of outside and the gateway's dust. */
export const PAID_ON = { OUTSIDE: 'unassigned', DUST: 'dust' } as const;

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

/**
 * An account's equity at a moment, marked to market, USD: `deposits` + `gatewayPnl` + `externalPnl`. The results are of all
 * time: realised PnL − fees + funding + unrealised PnL.
 */
export interface EquitySample {
  readonly tradeAccountId: string;
  /** Epoch ms. */
  readonly at: number;
  /** Paid in less what was paid out, of all time. */
  readonly deposits: DecimalString;
  /** Of it, what came since the sample before. */
  readonly flow: DecimalString;
  readonly gatewayPnl: DecimalString;
  /** Of it, unrealised. */
  readonly gatewayUnrealized: DecimalString;
  readonly externalPnl: DecimalString;
  readonly externalUnrealized: DecimalString;
}

/** Kind of the account's cursor that holds what its records of before do not explain, USD. */
export const CARRIED_OVER = 'carried-over';

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
