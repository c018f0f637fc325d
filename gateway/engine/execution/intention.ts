/** Request for an execution: the trade, the account and the authority. */
import type { Placed } from '../../domain/authority.ts';
import type { OpeningBrackets, ReversalBrackets } from '../../domain/bracket-fate.ts';
import type { Execution, ExecutionOrigin, Position, TradeAccount, TradeLeg } from '../../domain/model.ts';
import type { PositionSetup } from '../../domain/position-setup.ts';
import type { Result } from '../../domain/result.ts';
import type { EngineError } from '../core/errors.ts';
import type { Without } from '../core/mandate-usage.ts';
import type { AskedRequest } from '../ports/approval-desk.ts';

/** The trade to be executed, decided while the basket is claimed. */
export interface Intention {
  readonly legs: readonly TradeLeg[];
  /**
   * Total in USD of which WEIGHT legs are shares. Not stored: an execution that survives a restart has no WEIGHT
   * legs. Default none.
   */
  readonly totalUsd?: string | null;
  readonly slippage: string;
  readonly intent: Execution['intent'];
  readonly position: Position | null;
  readonly onLegFailure: Execution['onLegFailure'];
  readonly clientId: string | null;
  /** Default `API`. */
  readonly origin?: ExecutionOrigin;
  /** True: a fired stop-loss, whose slippage no mandate limits. Default false. */
  readonly isStopLoss?: boolean;
  /** Brackets and rebalancing to be put on the position with the first fill. Default none. */
  readonly setup?: PositionSetup | null;
  /** Worst prices that the caller agreed to, by instrument. No order is sent at a worse price. Default none. */
  readonly worstPrices?: ReadonlyMap<string, string> | null;
  /** Quantities that the trader named, base units by instrument. They become the target weights. Default none. */
  readonly targets?: ReadonlyMap<string, string> | null;
  /** Effect on the position's take-profit and stop-loss, for the answer. Default none. */
  readonly brackets?: OpeningBrackets | ReversalBrackets | null;
}

export interface ReserveExecution {
  readonly account: TradeAccount;
  readonly basketKey: string;
  /** Authority under which the execution's cause was placed. */
  readonly placed: Placed;
  /**
   * If the basket is busy, `refuse` answers RESOURCE_BUSY and commits nothing, so that the caller can try again;
   * `wait` commits at once, and the execution is fitted to the position when its turn comes.
   */
  readonly whenBusy: 'refuse' | 'wait';
  /** Present for a new request; left out if an accepted order continues (a trigger fires, a slice is due). */
  readonly request?: { readonly asked: AskedRequest | null };
  /** Reservation of its cause, which the execution uses. */
  readonly instead?: Without['waiting'];
  /** Time at which its cause was accepted, epoch ms. */
  readonly acceptedAt?: number;
  /** With `refuse` it is called with the basket claimed, so the basket cannot change before the execution exists. */
  readonly decide: () => Result<Intention, EngineError>;
}
