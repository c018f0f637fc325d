/** Mandates currently in force, from memory. Implemented where grants and API keys are kept. */
import type { Placed } from '../../domain/authority.ts';
import type { HouseLimits, Mandate, MandateHolder } from '../../domain/mandate.ts';

export interface Suspension {
  /** Reason in words, for people. */
  readonly reason: string;
  /** Epoch ms. */
  readonly at: number;
}

export interface BoundMandate {
  readonly holder: MandateHolder;
  readonly mandate: Mandate;
  /** Rises by one with each change. */
  readonly version: number;
  /** Time of the first version, epoch ms. Earlier orders of the holder are its user's. */
  readonly since: number;
  readonly userId: string;
  readonly suspended: Suspension | null;
  /**
   * Ids of earlier holders of the same kind whose last 24 hours count as this one's too: earlier grants of a client
   * that registered again. Without its own id.
   */
  readonly lineage: readonly string[];
}

/**
 * `of` reflects a tightening from its request on, a loosening only after its commit. All answers are synchronous and
 * cost one lookup, because every order needs them.
 */
export interface MandateBook {
  /** null: no mandate binds this authority (a session, or a grant or key without one). */
  of(placed: Placed): BoundMandate | null;
  /** Limits over all holders of the user together; null: none. */
  house(userId: string): HouseLimits | null;
  /** All holders with a mandate, including suspended ones. */
  all(): readonly BoundMandate[];
  /**
   * Suspends a holder: it opens nothing from the call on, until a session resumes it. The book commits, audits and
   * notifies. A holder that is already suspended stays as it is.
   */
  suspend(holder: MandateHolder, reason: string): void;
}

/** Book of a gateway without mandates. */
export const NO_MANDATES: MandateBook = {
  of: () => null,
  house: () => null,
  all: () => [],
  suspend: () => {},
};
