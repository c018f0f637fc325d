/** Brings a data file to the program's schema: creates it, migrates it, or refuses it. */
import sqlite3 from 'sqlite3';
import type { Logger } from '../../engine/ports/system.ts';
import {
  MIGRATIONS_TABLE,
  migrationClass,
  type SchemaMigration,
  timestampOf,
} from '../migrations/schema-migration.ts';
import { backUp } from './backup.ts';
import type { SqliteHandle } from './sqlite-handle.ts';
import { StoreOpenError } from './store-open-error.ts';
import { TYPEORM_OPTIONS } from './typeorm-options.ts';

/** "TAND" in ASCII: marks a SQLite file as Tandem's. https://sqlite.org/fileformat.html#application_id */
const APPLICATION_ID = 0x54414e44;

export interface SchemaOptions {
  readonly handle: SqliteHandle;
  readonly file: string;
  readonly migrations: readonly SchemaMigration[];
  readonly now: number;
  readonly logger: Logger;
}

interface FileState {
  readonly version: number;
  readonly applicationId: number;
  readonly objects: number;
}

async function fileState(handle: SqliteHandle): Promise<FileState> {
  const [row] = await handle.all(
    `SELECT (SELECT user_version FROM pragma_user_version) AS version,
            (SELECT application_id FROM pragma_application_id) AS application,
            (SELECT count(*) FROM sqlite_schema) AS objects`,
  );
  return {
    version: Number(row?.['version']),
    applicationId: Number(row?.['application']),
    objects: Number(row?.['objects']),
  };
}

async function create(handle: SqliteHandle, migrations: readonly SchemaMigration[]): Promise<void> {
  const applied = migrations.map(
    (migration) =>
      `INSERT INTO "${MIGRATIONS_TABLE}" ("timestamp", "name") VALUES (${timestampOf(migration)}, '${migration.name}')`,
  );
  await handle.exec('PRAGMA journal_mode = WAL');
  // The table of applied steps has the columns that TypeORM would give it, because TypeORM runs later migrations.
  await handle.exec(
    [
      'BEGIN IMMEDIATE',
      `PRAGMA application_id = ${APPLICATION_ID}`,
      `CREATE TABLE "${MIGRATIONS_TABLE}" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "timestamp" bigint NOT NULL, "name" varchar NOT NULL)`,
      ...migrations.flatMap(({ statements }) => statements),
      ...applied,
      `PRAGMA user_version = ${migrations.length}`,
      'COMMIT',
    ].join(';\n'),
  );
}

async function migrate(options: SchemaOptions, from: number): Promise<void> {
  const { file, handle, migrations, logger } = options;
  let backup: string;
  try {
    backup = await backUp(handle, file, from, options.now);
  } catch (error) {
    throw new StoreOpenError(
      'migration_failed',
      `${file} must be upgraded but no backup copy could be made, so it was left as it is`,
      error,
    );
  }
  const { DataSource } = await import('typeorm');
  const source = new DataSource({
    ...TYPEORM_OPTIONS,
    database: file,
    flags: sqlite3.OPEN_READWRITE,
    migrations: migrations.map(migrationClass),
    migrationsTableName: MIGRATIONS_TABLE,
  });
  await source.initialize();
  try {
    // One transaction for all steps: the file has either the old schema or the new one.
    await source.runMigrations({ transaction: 'all' });
  } catch (error) {
    throw new StoreOpenError(
      'migration_failed',
      `${file} could not be upgraded from schema ${from} to ${migrations.length} and was left as it is (copy: ${backup})`,
      error,
    );
  } finally {
    await source.destroy();
  }
  logger.info({ file, from, to: migrations.length, backup }, 'The data file was upgraded');
}

/** Throws StoreOpenError, or the driver's error where the file cannot be read or written at all. */
export async function prepareSchema(options: SchemaOptions): Promise<void> {
  const { file, handle, migrations } = options;
  const known = migrations.length;
  const { version, applicationId, objects } = await fileState(handle);
  if (version === 0 && applicationId === 0 && objects === 0) {
    await create(handle, migrations);
    return;
  }
  if (applicationId !== APPLICATION_ID) {
    throw new StoreOpenError('not_a_database', `${file} is a SQLite file, but not one of Tandem's`);
  }
  if (version > known) {
    throw new StoreOpenError(
      'newer',
      `This database was written by a newer Tandem (schema ${version}, this program knows ${known}). Update Tandem, or start it with another data folder.`,
    );
  }
  if (version < known) await migrate(options, version);
}
