/** What holders of mandates have reserved, as it is stored: beside the objects, because few objects have a mandate. */
import type { DecimalString } from '../../domain/decimal.ts';
import type { Execution } from '../../domain/model.ts';

/** Row of an object that was placed under a mandate. How much of it counts follows from the object itself. */
export interface Reservation {
  /** Id of the execution, trigger or schedule. */
  readonly id: string;
  readonly what: 'EXECUTION' | 'TRIGGER' | 'SCHEDULE';
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

/** A reservation with what has become of its object. */
export interface StoredReservation extends Reservation {
  /** null: it is no execution. */
  readonly execution: Pick<Execution, 'status' | 'intent' | 'basketKey' | 'finishedAt' | 'orders'> | null;
  /** A trigger or schedule that its holder has left waiting. */
  readonly waits: boolean;
}

/** What a change of a position brought a holder: realised, less fees and funding. */
export interface AgentResult {
  readonly id: string;
  readonly holderKind: Reservation['holderKind'];
  readonly holderId: string;
  /** USD; negative: a loss. */
  readonly usd: DecimalString;
  readonly at: number;
}
