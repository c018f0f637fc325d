/** Rows of mandates, of limits over all agents, and of suspensions. The adapter is store/. */

import type { HouseLimits, Mandate } from '../../domain/mandate.ts';
import type { AuthorityKind } from '../../domain/model.ts';

type HolderKind = Exclude<AuthorityKind, 'session'>;

/** One version of a mandate. Never changes; a change is a row with the next version. */
export interface MandateRecord {
  readonly holderKind: HolderKind;
  readonly holderId: string;
  /** Starts at 1. */
  readonly version: number;
  readonly userId: string;
  readonly terms: Mandate;
  /** SHA-256, in hex, of the canonical JSON of the terms in their API form. */
  readonly hash: string;
  readonly createdAt: number;
  /** Id of the session that made this version. */
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

/** Suspension of a holder. A resumed holder keeps its row, with nulls. */
export interface SuspensionRecord {
  readonly holderKind: HolderKind;
  readonly holderId: string;
  readonly userId: string;
  readonly reason: string | null;
  readonly suspendedAt: number | null;
  readonly suspendedBy: 'USER' | 'GATEWAY' | null;
}

export interface MandateStore {
  /** The version of each mandate that is in force. */
  mandates(): Promise<readonly MandateRecord[]>;
  /** The first version of each mandate. */
  firstMandates(): Promise<readonly MandateRecord[]>;
  /** The version of each user's limits that is in force. */
  houseLimits(): Promise<readonly HouseRecord[]>;
  suspensions(): Promise<readonly SuspensionRecord[]>;
}
