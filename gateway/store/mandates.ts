/** Mandates, limits over all agents, suspensions. Where versions are only ever added, the highest one is read. */
import type { HouseRecord, MandateRecord, MandateStore, SuspensionRecord } from '../engine/ports/mandates.ts';
import type { Reads } from './rows/prepared-reads.ts';
import { fixed, integer, json, key, nullable, table, text } from './rows/table-entity.ts';

export const mandateEntity = table<MandateRecord>('agent_mandates', {
  holderKind: key(text('holder_kind')),
  holderId: key(text('holder_id')),
  version: key(integer('version')),
  userId: text('user_id'),
  terms: json('terms'),
  hash: text('hash'),
  createdAt: integer('created_at'),
  createdBy: text('created_by'),
});

export const houseLimitsEntity = table<HouseRecord>('house_limits', {
  userId: key(text('user_id')),
  version: key(integer('version')),
  terms: json('terms'),
  hash: text('hash'),
  createdAt: integer('created_at'),
  createdBy: text('created_by'),
});

export const suspensionEntity = table<SuspensionRecord>('agent_suspensions', {
  holderKind: key(text('holder_kind')),
  holderId: key(text('holder_id')),
  userId: fixed(text('user_id')),
  reason: nullable(text('reason')),
  suspendedAt: nullable(integer('suspended_at')),
  suspendedBy: nullable(text('suspended_by')),
});

export function mandateReads({ select }: Reads): MandateStore {
  return {
    mandates: select(
      mandateEntity,
      `WHERE version = (SELECT max(m.version) FROM agent_mandates AS m
         WHERE m.holder_kind = agent_mandates.holder_kind AND m.holder_id = agent_mandates.holder_id)`,
    ),
    firstMandates: select(mandateEntity, 'WHERE version = 1'),
    houseLimits: select(
      houseLimitsEntity,
      'WHERE version = (SELECT max(h.version) FROM house_limits AS h WHERE h.user_id = house_limits.user_id)',
    ),
    suspensions: select(suspensionEntity, 'WHERE suspended_at IS NOT NULL'),
  };
}
