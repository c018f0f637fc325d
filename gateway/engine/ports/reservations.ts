/**
 * What holders of mandates have reserved, as it is stored: of an execution in its own row (`Execution.reserved`), of what
 * waits in a row beside it, because few waiting orders have a mandate.
 */
import type { DecimalString } from '../../domain/decimal.ts';
import type { Execution } from '../../domain/model.ts';

/** Row of an order that was left waiting under a mandate. How much of it counts follows from the order itself. */
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
  /** It counts as an order that was asked for: one of each request. */
  readonly asked: boolean;
  readonly createdAt: number;
}

/** All that may still count. */
export interface StoredReservations {
  /** Executions that have reserved something. */
  readonly executions: readonly Execution[];
  readonly waiting: readonly {
    readonly waiting: WaitingReservation;
    /** Its holder has left it waiting. */
    readonly waits: boolean;
  }[];
}

/** What a change of a position brought a holder: realised, less fees and funding. */
export interface AgentResult {
  readonly id: string;
  readonly holderKind: WaitingReservation['holderKind'];
  readonly holderId: string;
  /** USD; negative: a loss. */
  readonly usd: DecimalString;
  readonly at: number;
}
