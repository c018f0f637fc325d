/** Agents, API keys and their mandates on the wire. */
import { mandateBody } from '../../auth/mandate-records.ts';
import type { Suspended } from '../../auth/suspensions.ts';
import type { AgentBody, HouseBody, KeptMandateBody, MandateUsageBody } from '../../contract/agents.ts';
import { type HouseLimitsBody, houseLimits } from '../../contract/mandate.ts';
import type { HouseLimits } from '../../domain/mandate.ts';
import type { HouseRecord, MandateRecord } from '../../engine/ports/mandates.ts';
import { iso } from './time.ts';

export function presentMandate(record: MandateRecord | null): KeptMandateBody | null {
  if (record === null) return null;
  const { version, hash, createdAt, terms } = record;
  return { version, hash, since: iso(createdAt), terms: mandateBody(terms) };
}

export function presentSuspension(suspended: Suspended | null): AgentBody['suspended'] {
  return suspended === null ? null : { ...suspended, at: iso(suspended.at) };
}

const NO_LIMITS: HouseLimitsBody = {
  maxOrderUsd: null,
  maxOpenedUsd24h: null,
  maxGrossUsd: null,
  maxPositions: null,
  maxResting: null,
  lossUsd24h: null,
};

export function presentHouse(record: HouseRecord | null): HouseBody {
  if (record === null) return { version: 0, since: null, limits: NO_LIMITS };
  return {
    version: record.version,
    since: iso(record.createdAt),
    limits: presentHouseLimits(record.terms),
  };
}

export function presentHouseLimits(limits: HouseLimits): HouseLimitsBody {
  return houseLimits.parse(limits);
}

/** Present state of the holder. */
export function stateOf(
  mayWrite: boolean,
  mandate: MandateRecord | null,
  suspended: Suspended | null,
  now: number,
): AgentBody['state'] {
  if (suspended !== null) return 'SUSPENDED';
  if (!mayWrite) return 'READS';
  if (mandate === null) return 'UNLIMITED';
  const { validUntil, accounts, kinds, approval } = mandate.terms;
  if (validUntil !== null && now >= validUntil) return 'ENDED';
  if (accounts.length === 0 || kinds.length === 0) return 'READS';
  const asks =
    approval.when !== 'never' ||
    approval.kinds.length > 0 ||
    approval.firsts !== 'off' ||
    approval.duplicates === 'ask';
  return asks ? 'ASKS' : 'TRADES';
}

/** Usage of a holder now; null where nothing is counted. */
export type UsageOf = (holder: {
  readonly kind: 'oauth_grant' | 'api_key';
  readonly id: string;
}) => MandateUsageBody | null;
