/** What an execution is asked to be: the trade, and who asks for it on which account. */
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
  /** True: a stop-loss fires, whose slippage no mandate limits. Default false. */
  readonly isStopLoss?: boolean;
  /** Brackets and rebalancing to be put on the position with the first fill. Default none. */
  readonly setup?: PositionSetup | null;
  /** Worst prices that were agreed to, by instrument: no order of it leaves at a worse one. Default none. */
  readonly worstPrices?: ReadonlyMap<string, string> | null;
  /** Quantities that the trader named, base units by instrument: they become the basket's target weights. Default none. */
  readonly targets?: ReadonlyMap<string, string> | null;
  /** What happens to the position's take-profit and stop-loss, to be shown in the answer. Default none. */
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
  /**
   * Somebody asks for it now; left out: what was accepted earlier goes on (a trigger fires, a slice is due).
   */
  readonly request?: { readonly asked: AskedRequest | null };
  /** What was reserved for its cause and is used by it. */
  readonly instead?: Without['waiting'];
  /** With `refuse` it is called with the basket claimed, so the basket cannot change before the execution exists. */
  readonly decide: () => Result<Intention, EngineError>;
}
