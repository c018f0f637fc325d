/** The data file with its schema up to date, as a write handle and a read-only handle. */
import { chmod, open, stat } from 'node:fs/promises';
import type { Clock, Logger } from '../../engine/ports/system.ts';
import type { SchemaMigration } from '../migrations/schema-migration.ts';
import { prepareSchema } from './schema.ts';
import { isDriverError } from './sqlite-failure.ts';
import { openHandle, type SqliteHandle } from './sqlite-handle.ts';
import { StoreOpenError } from './store-open-error.ts';

/** The gateway is the only writer of the file; only a tool that a person runs on the file can make the gateway wait. */
const BUSY_TIMEOUT_MS = 2_000;

export interface Database {
  readonly write: SqliteHandle;
  readonly read: SqliteHandle;
  /** The event counters as they are on disk. */
  readonly lastSeqs: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly file: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
  readonly synchronous: 'FULL' | 'OFF';
  readonly migrations: readonly SchemaMigration[];
}

/** Only the owner may read the file. SQLite gives its -wal and -shm files the same mode. */
async function ensurePrivateFile(file: string): Promise<void> {
  const handle = await open(file, 'a', 0o600);
  await handle.close();
  const { mode } = await stat(file);
  if ((mode & 0o077) !== 0) await chmod(file, 0o600);
}

function openError(file: string, error: unknown): StoreOpenError {
  if (error instanceof StoreOpenError) return error;
  const code = isDriverError(error) ? error.code : '';
  if (code === 'SQLITE_NOTADB') {
    return new StoreOpenError(
      'not_a_database',
      `${file} is not a database. Restore a backup copy of it, or start Tandem with another data folder.`,
      error,
    );
  }
  if (code === 'SQLITE_CORRUPT') {
    return new StoreOpenError(
      'corrupt',
      `${file} is damaged. Restore a backup copy of it, or start Tandem with another data folder.`,
      error,
    );
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreOpenError('unusable', `${file} cannot be opened: ${reason}`, error);
}

/**
 * Throws StoreOpenError. The settings of the write handle:
 * WAL so that readers and the writer do not wait for each other; a checkpoint every 1,000 pages (4 MiB): rarer
 * checkpoints gain no throughput and delay the commit that runs them longer; the log file is cut back to 64 MiB after a
 * burst; temporary structures stay in memory.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { file } = options;
  const opened: SqliteHandle[] = [];
  const close = async () => {
    // The write handle is closed last: closing it checkpoints and removes the log.
    for (const handle of opened.reverse()) await handle.close();
  };
  try {
    await ensurePrivateFile(file);
    const write = await openHandle(file, 'read-write');
    opened.push(write);
    await write.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    await prepareSchema({
      handle: write,
      file,
      migrations: options.migrations,
      now: options.clock.now(),
      logger: options.logger,
    });
    await write.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = ${options.synchronous};
      PRAGMA foreign_keys = ON;
      PRAGMA trusted_schema = OFF;
      PRAGMA temp_store = MEMORY;
      PRAGMA cache_size = -16384;
      PRAGMA wal_autocheckpoint = 1000;
      PRAGMA journal_size_limit = 67108864;
    `);
    const read = await openHandle(file, 'read-only');
    opened.push(read);
    await read.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA trusted_schema = OFF;`);
    const counters = await read.all('SELECT trade_account_id, last_seq FROM account_seq');
    const lastSeqs = new Map(
      counters.map((row) => [String(row['trade_account_id']), Number(row['last_seq'])] as const),
    );
    return { write, read, lastSeqs, close };
  } catch (error) {
    await close();
    throw openError(file, error);
  }
}
