/** Stored sums of an account's history: by hour, day, instrument and basket. Money in 10⁻¹⁸ USD. */
import type { Atto } from './atto.ts';
import type { DecimalString } from './decimal.ts';
import { isForced } from './forced-fill.ts';
import type { Fill, Position } from './model.ts';

/** Source of trades: this gateway, or other programs on the same venue account. */
export type HistorySource = 'gateway' | 'external';

/**
 * Stored instead of a position's id when a payment was made on holdings in no basket: outside lots, or the gateway's
 * dust.
 */
export const PAID_ON = { OUTSIDE: 'unassigned', DUST: 'dust' } as const;

export interface PeriodTotals {
  /** Start of the period, epoch ms, UTC. */
  readonly start: number;
  /** Number of fills. */
  readonly fills: number;
  /** Σ notional of the fills. */
  readonly volume: Atto;
  /** PnL of price moves alone. */
  readonly realizedPnl: Atto;
  /** Fees; positive: paid. */
  readonly fees: Atto;
  /** Funding; positive: received. */
  readonly funding: Atto;
  /** Baskets closed, by the time of their close, with their whole net PnL: `won` − `lost`. */
  readonly closed: number;
  readonly wins: number;
  readonly losses: number;
  readonly won: Atto;
  /** Sum of the losses, as a positive amount. */
  readonly lost: Atto;
}

export type AssetTotals = Pick<PeriodTotals, 'fills' | 'volume' | 'realizedPnl' | 'fees' | 'funding'> & {
  readonly symbol: string;
};

export type BasketTotals = Pick<PeriodTotals, 'closed' | 'wins' | 'losses' | 'won' | 'lost'> & {
  readonly basketKey: string;
  /** Holding time: Σ (close − open). */
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
  /** Time of the sample, epoch ms. */
  readonly at: number;
  /** Money paid in less money paid out, of all time. */
  readonly deposits: DecimalString;
  /** Part of `deposits` since the sample before. */
  readonly flow: DecimalString;
  readonly gatewayPnl: DecimalString;
  /** Unrealised part of `gatewayPnl`. */
  readonly gatewayUnrealized: DecimalString;
  readonly externalPnl: DecimalString;
  readonly externalUnrealized: DecimalString;
}

/** Kind of the cursor that stores the part of an account's balance, in USD, that no earlier record explains. */
export const CARRIED_OVER = 'carried-over';

/**
 * Source of a fill. A liquidation or another forced close is the venue's doing, but it ends a holding of the gateway and counts as its own.
 */
export function sourceOfFill(
  fill: Pick<Fill, 'executionId' | 'positionId' | 'isLiquidation' | 'cause'>,
): HistorySource {
  const ours = fill.executionId !== null || (isForced(fill) && fill.positionId !== null);
  return ours ? 'gateway' : 'external';
}

/** A position that was opened here and changed outside counts as the gateway's. */
export function sourceOfPosition(position: Pick<Position, 'origin'>): HistorySource {
  return position.origin === 'EXTERNAL' ? 'external' : 'gateway';
}
