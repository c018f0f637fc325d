/** The `Store` port on one SQLite file. See README.md in this folder. */
import type { Clock, Logger, Store } from '../engine/ports.ts';
import { createDirectReads } from './direct-reads.ts';
import { executionPage } from './execution-pages.ts';
import { executionFillsQuery, fillPage } from './fill-pages.ts';
import { createHistoryReads } from './history-reads.ts';
import { MIGRATIONS } from './migrations/steps.ts';
import { createOAuthStore } from './oauth-store.ts';
import { type Database, openDatabase } from './open-database.ts';
import { positionPage } from './position-pages.ts';
import { createReadSource } from './read-source.ts';
import { forgetIdempotencyKey, IDEMPOTENCY_RETENTION_MS, prune } from './retention.ts';
import { createWriter, type Writer } from './writer.ts';

export interface StoreOptions {
  /** Path of the data file; its folder exists. The file is created with mode 0600. */
  readonly file: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
  /** `OFF` gives up durability against power loss: tests and benchmarks only. Default `FULL`. */
  readonly synchronous?: 'FULL' | 'OFF';
  /** `none` writes nothing: the baseline of benchmarks, never anything else. Default `group`. */
  readonly commitMode?: 'group' | 'none';
}

/** A setting that is written to find out whether writes succeed again. */
const WRITE_PROBE = 'write-probe';

async function openWriter(options: StoreOptions, database: Database): Promise<Writer> {
  const { write: handle, lastSeqs } = database;
  try {
    return await createWriter({
      handle,
      lastSeqs,
      logger: options.logger,
      commits: options.commitMode !== 'none',
    });
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Throws StoreOpenError when the file is newer than the program, damaged, not ours, or cannot be used. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { file, clock, logger } = options;
  const database = await openDatabase({
    file,
    clock,
    logger,
    synchronous: options.synchronous ?? 'FULL',
    migrations: MIGRATIONS,
  });
  const writer = await openWriter(options, database);
  const { eventsAfter, close: closeReads, oauth: oauthReads, ...reads } = createDirectReads(database.read);
  const oauth = createOAuthStore(writer, oauthReads);
  const pages = createReadSource(file);
  const { close: closeHistory, ...history } = createHistoryReads(file);
  let closing: Promise<void> | null = null;

  async function close(): Promise<void> {
    await writer.close();
    await closeReads();
    await closeHistory();
    await pages.close();
    await database.close();
  }

  return {
    ...reads,
    oauth,
    history,
    commit: (unit) => writer.commit(unit),
    onCommitted: (listener) => writer.onCommitted(listener),
    lastSeq: (tradeAccountId) => writer.lastSeq(tradeAccountId),
    async executions(filter, page) {
      return executionPage(await pages.get(), filter, page);
    },
    async fills(filter, page) {
      return fillPage(await pages.get(), filter, page);
    },
    async fillsOfExecution(executionId) {
      return executionFillsQuery(await pages.get(), executionId).getMany();
    },
    async positions(filter, page) {
      return positionPage(await pages.get(), filter, page);
    },
    async idempotency(userId, route, key) {
      const record = await reads.idempotency(userId, route, key);
      const now = clock.now();
      if (record === null || record.createdAt > now - IDEMPOTENCY_RETENTION_MS) return record;
      await forgetIdempotencyKey(writer, record, now);
      return null;
    },
    async events(tradeAccountId, after, limit) {
      // The counter is read first: a commit during the read may add events, never take away the last one known.
      const known = writer.lastSeq(tradeAccountId);
      const { events, oldest } = await eventsAfter(tradeAccountId, after, limit);
      return { events, oldest, last: Math.max(known, events.at(-1)?.seq ?? 0) };
    },
    async ping() {
      // A disk that was full says that it has space again only to somebody who writes.
      if (!writer.accepts()) await writer.commit({ settings: [{ key: WRITE_PROBE, value: '' }] });
      return writer.accepts() && reads.ping();
    },
    prune: (now) => prune(writer, now),
    close() {
      closing ??= close();
      return closing;
    },
  };
}
