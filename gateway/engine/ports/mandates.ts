/** Rows of mandates, of limits over all agents, and of suspensions. The adapter is store/. */

import type { HouseLimits, Mandate } from '../../domain/mandate.ts';
import type { AuthorityKind } from '../../domain/model.ts';

type HolderKind = Exclude<AuthorityKind, 'session'>;

/** One version of a mandate. Never changes; a change is a row with the next version. */
export interface MandateRecord {
  readonly holderKind: HolderKind;
  readonly holderId: string;
  /** From 1 on. */
  readonly version: number;
  readonly userId: string;
  readonly terms: Mandate;
  /** SHA-256, in hex, of the canonical JSON of the terms as they are on the wire. */
  readonly hash: string;
  readonly createdAt: number;
  /** Id of the session that made it. */
  readonly createdBy: string;
}

export interface HouseRecord {
  readonly userId: string;
  readonly version: number;
  readonly terms: HouseLimits;
  readonly hash: string;
  readonly createdAt: number;
  readonly createdBy: string;
}

/** Whether a holder is suspended. A resumed one keeps its row, with nulls. */
export interface SuspensionRecord {
  readonly holderKind: HolderKind;
  readonly holderId: string;
  readonly userId: string;
  readonly reason: string | null;
  readonly suspendedAt: number | null;
  readonly suspendedBy: 'USER' | 'GATEWAY' | null;
}

export interface MandateStore {
  /** The version of each mandate that binds. */
  mandates(): Promise<readonly MandateRecord[]>;
  /** The version of each user's limits that binds. */
  houseLimits(): Promise<readonly HouseRecord[]>;
  suspensions(): Promise<readonly SuspensionRecord[]>;
}
