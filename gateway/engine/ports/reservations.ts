/**
 * Stored reservations under mandates. An execution's reservation is in its own row (`Execution.reserved`); a pending
 * order's is in a row beside it, because few pending orders have a mandate.
 */
import type { DecimalString } from '../../domain/decimal.ts';
import type { Execution } from '../../domain/model.ts';

/** Row of a pending order under a mandate. The order itself determines the amount that counts. */
export interface WaitingReservation {
  /** Id of the trigger or schedule. */
  readonly id: string;
  readonly what: 'TRIGGER' | 'SCHEDULE';
  readonly holderKind: 'api_key' | 'oauth_grant';
  readonly holderId: string;
  readonly userId: string;
  readonly tradeAccountId: string;
  /** Worst-price notional, USD. */
  readonly usd: DecimalString;
  /** True: it counts as a requested order; one per request. */
  readonly asked: boolean;
  readonly createdAt: number;
}

/** All reservations that may still count. */
export interface StoredReservations {
  /** Executions with a reservation. */
  readonly executions: readonly Execution[];
  readonly waiting: readonly {
    readonly waiting: WaitingReservation;
    /** True: the order still waits for its holder. */
    readonly waits: boolean;
  }[];
}

/** Realised result of a holder from a change of a position, minus fees and funding paid. */
export interface AgentResult {
  readonly id: string;
  readonly holderKind: WaitingReservation['holderKind'];
  readonly holderId: string;
  /** USD; negative: a loss. */
  readonly usd: DecimalString;
  readonly at: number;
}
