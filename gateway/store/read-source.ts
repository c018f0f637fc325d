/**
 * TypeORM for lists, on a read-only connection of its own: a long list keeps neither the writer nor the single-row
 * reads waiting. Importing TypeORM takes longer than everything else at a start, so it is loaded by the first list.
 */
import sqlite3 from 'sqlite3';
import type { DataSource, ObjectLiteral } from 'typeorm';
import { executionEntity } from './executions.ts';
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
  let opening: Promise<DataSource> | null = null;

  async function open(): Promise<DataSource> {
    const { DataSource, EntitySchema } = await import('typeorm');
    const source = new DataSource({
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
    });
    return source.initialize();
  }

  return {
    get() {
      opening ??= open().catch((error: unknown) => {
        opening = null;
        throw error;
      });
      return opening;
    },
    async close() {
      const source = await opening?.catch(() => undefined);
      await source?.destroy();
    },
  };
}
