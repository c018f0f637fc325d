import type { Ladder } from '../domain/ladder.ts';
import type { RestingStore } from '../engine/ports/store.ts';
import { type RestingList, restingPage } from './resting-page.ts';
import { ofAccount, type Reads } from './rows/prepared-reads.ts';
import { fixed, integer, json, nullable, owned, table, text } from './rows/table-entity.ts';

/** Ladders with the levels of their rungs, which never change. A rung's status is in the row of its trigger. */
export const ladderEntity = table<Ladder>('ladders', {
  ...owned,
  basketKey: fixed(text('basket_key')),
  legs: fixed(json('legs')),
  totalUsd: fixed(text('total_usd')),
  metric: fixed(text('metric')),
  symbol: nullable(fixed(text('symbol'))),
  direction: fixed(text('direction')),
  start: fixed(text('start_level')),
  end: fixed(text('end_level')),
  distribution: fixed(text('distribution')),
  sizing: fixed(text('sizing')),
  expiresAt: nullable(integer('expires_at')),
  slippage: fixed(text('slippage')),
  onLegFailure: fixed(text('on_leg_failure')),
  clientId: nullable(fixed(text('client_id'))),
  status: text('status'),
  rungs: fixed(json('rungs')),
  authorityKind: nullable(fixed(text('authority_kind'))),
  authorityId: nullable(fixed(text('authority_id'))),
  createdAt: fixed(integer('created_at')),
  updatedAt: integer('updated_at'),
});

export const LADDERS: RestingList = {
  entity: ladderEntity,
  live: ['ACTIVE'],
  condition: "status = 'ACTIVE'",
};

export function ladderReads({ one, select, lists }: Reads) {
  const ladderById = one(ladderEntity, 'WHERE id = ?');
  return {
    ladder: async (tradeAccountId, id) => ofAccount(await ladderById(id), tradeAccountId),
    ladders: async (filter, page) => restingPage<Ladder>(await lists(), LADDERS, filter, page),
    liveLadders: select(
      ladderEntity,
      `INDEXED BY ladders_live WHERE status = 'ACTIVE' ORDER BY created_at, id`,
    ),
  } satisfies Partial<RestingStore>;
}
