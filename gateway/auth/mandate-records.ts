/** Records of mandates, as they are committed: the terms in order, their hash, who made them. */
import type { HouseLimitsBody, MandateBody } from '../contract/mandate.ts';
import { canonicalJson } from '../domain/canonical-json.ts';
import type { HouseLimits, Mandate, MandateHolder } from '../domain/mandate.ts';
import type { HouseRecord, MandateRecord } from '../engine/ports/mandates.ts';
import { sha256Hex } from './secret-text.ts';

/** Author and time of a change. */
export interface Making {
  readonly userId: string;
  /** Id of the session. */
  readonly by: string;
  readonly at: number;
}

export function mandateOf(body: MandateBody): Mandate {
  return { ...body, validUntil: body.validUntil === null ? null : Date.parse(body.validUntil) };
}

export function mandateBody(terms: Mandate): MandateBody {
  const { accounts, instruments, deny, kinds, approval, hours, lossStop, rate, rights, runaway } = terms;
  return {
    ...terms,
    accounts: [...accounts],
    instruments: instruments === 'any' ? 'any' : [...instruments],
    deny: [...deny],
    kinds: [...kinds],
    approval: { ...approval, kinds: [...approval.kinds] },
    hours: hours === null ? null : { ...hours, days: [...hours.days] },
    lossStop: lossStop === null ? null : { ...lossStop },
    rate: { ...rate },
    rights: { ...rights },
    ...(runaway === undefined ? {} : { runaway: { ...runaway } }),
    validUntil: terms.validUntil === null ? null : new Date(terms.validUntil).toISOString(),
  };
}

/** @param version 1 for the first mandate of the holder */
export function mandateRecord(
  { kind, id }: MandateHolder,
  terms: Mandate,
  version: number,
  { userId, by, at }: Making,
): MandateRecord {
  const hash = sha256Hex(canonicalJson(mandateBody(terms)));
  return { holderKind: kind, holderId: id, version, userId, terms, hash, createdAt: at, createdBy: by };
}

export function houseRecord(terms: HouseLimits, version: number, { userId, by, at }: Making): HouseRecord {
  const wire: HouseLimitsBody = { ...terms };
  return { userId, version, terms, hash: sha256Hex(canonicalJson(wire)), createdAt: at, createdBy: by };
}
