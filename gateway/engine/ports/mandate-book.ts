/** Mandates as they bind now, from memory. Implemented where grants and API keys are kept. */
import type { Placed } from '../../domain/authority.ts';
import type { HouseLimits, Mandate, MandateHolder } from '../../domain/mandate.ts';

export interface Suspension {
  /** In words, for people. */
  readonly reason: string;
  /** Epoch ms. */
  readonly at: number;
}

export interface BoundMandate {
  readonly holder: MandateHolder;
  readonly mandate: Mandate;
  /** Rises by one with each change. */
  readonly version: number;
  readonly userId: string;
  readonly suspended: Suspension | null;
  /**
   * Ids of holders of the same kind whose last 24 hours count as this one's too: earlier grants of a client that
   * registered anew. Without its own id.
   */
  readonly lineage: readonly string[];
}

/**
 * A tightening is answered by `of` from the moment it is asked, a loosening only after its commit. All answers are
 * synchronous and cost one lookup: they are asked about every order.
 */
export interface MandateBook {
  /** null: no mandate binds whoever placed it (a session, or a grant or key without one). */
  of(placed: Placed): BoundMandate | null;
  /** Limits over all holders of the user together; null: none. */
  house(userId: string): HouseLimits | null;
  /** All holders that have a mandate, suspended ones too. */
  all(): readonly BoundMandate[];
  /**
   * The holder opens nothing from the call on, until a session resumes it. Committed, audited and notified by the book;
   * a holder that is suspended already stays as it is.
   */
  suspend(holder: MandateHolder, reason: string): void;
}

/** Book of a gateway on which nobody has a mandate. */
export const NO_MANDATES: MandateBook = {
  of: () => null,
  house: () => null,
  all: () => [],
  suspend: () => {},
};
