/** Single values by name: settings, and how far each account's history has been read. */
import type { Store } from '../engine/ports/store.ts';
import type { UnitOfWork } from '../engine/ports/unit-of-work.ts';
import type { Reads } from './rows/prepared-reads.ts';
import { key, table, text } from './rows/table-entity.ts';

export const settingEntity = table<NonNullable<UnitOfWork['settings']>[number]>('settings', {
  key: key(text('key')),
  value: text('value'),
});

/** Cursors: how far an account's history of each kind has been read. */
export const cursorEntity = table<NonNullable<UnitOfWork['cursors']>[number]>('cursors', {
  tradeAccountId: key(text('trade_account_id')),
  kind: key(text('kind')),
  value: text('value'),
});

export function settingReads({ one }: Reads) {
  const setting = one(settingEntity, 'WHERE key = ?');
  const cursor = one(cursorEntity, 'WHERE trade_account_id = ? AND kind = ?');
  return {
    setting: async (name) => (await setting(name))?.value ?? null,
    cursor: async (tradeAccountId, kind) => (await cursor(tradeAccountId, kind))?.value ?? null,
  } satisfies Partial<Store>;
}
