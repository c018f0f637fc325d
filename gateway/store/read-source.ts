/**
 * TypeORM for lists, on a read-only connection of its own: a long list keeps neither the writer nor the single-row
 * reads waiting. Importing TypeORM takes longer than everything else at a start, so it is loaded by the first list.
 */
import sqlite3 from 'sqlite3';
import type { DataSource, ObjectLiteral } from 'typeorm';
import { executionEntity } from './executions.ts';
import { openedOnce } from './file/opened-once.ts';
import { TYPEORM_OPTIONS } from './file/typeorm-options.ts';
import { fillEntity } from './fills.ts';
import { ladderEntity } from './ladders.ts';
import { notificationEntity } from './notifications.ts';
import { positionEntity } from './positions.ts';
import { scheduleEntity } from './schedules.ts';
import { triggerEntity } from './trigger-row.ts';

export interface ReadSource {
  /** Opens the data source on first use; the next call retries a failed opening. */
  get(): Promise<DataSource>;
  close(): Promise<void>;
}

export function createReadSource(file: string): ReadSource {
  const source = openedOnce(async () => {
    const { DataSource, EntitySchema } = await import('typeorm');
    return new DataSource({
      ...TYPEORM_OPTIONS,
      database: file,
      flags: sqlite3.OPEN_READONLY,
      entities: [
        executionEntity,
        fillEntity,
        positionEntity,
        triggerEntity,
        scheduleEntity,
        ladderEntity,
        notificationEntity,
      ].map((entity) => new EntitySchema<ObjectLiteral>({ name: entity.tableName, ...entity })),
    }).initialize();
  });
  return { get: source.get, close: async () => (await source.opened())?.destroy() };
}
