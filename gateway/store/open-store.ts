/** The `Store` port on one SQLite file. See README.md in this folder. */
import type { Ladder } from '../domain/ladder.ts';
import type { ScheduleSummary } from '../domain/schedule-summary.ts';
import type { Store } from '../engine/ports/store.ts';
import type { Clock, Logger } from '../engine/ports/system.ts';
import { createDirectReads } from './direct-reads.ts';
import { asTrigger, type TriggerRow } from './entities/trigger.ts';
import { executionPage } from './execution-pages.ts';
import { type Database, openDatabase } from './file/open-database.ts';
import { executionFillsQuery, fillPage } from './fill-pages.ts';
import { MIGRATIONS } from './migrations/steps.ts';
import { markNotifications, notificationPage } from './notification-pages.ts';
import { createOAuthStore } from './oauth-store.ts';
import { orderPage } from './order-pages.ts';
import { createHistoryReads } from './portfolio/history-reads.ts';
import { positionPage } from './position-pages.ts';
import { createReadSource } from './read-source.ts';
import { LADDERS, restingPage, SCHEDULES, TRIGGERS } from './resting-pages.ts';
import { forgetIdempotencyKey, IDEMPOTENCY_RETENTION_MS, prune } from './writer/retention.ts';
import { createWriter, type Writer } from './writer/writer.ts';

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

  /**
   * The read connection sees a commit a moment before the committer hears of it. An answer must not: whoever is told that an
   * execution has ended may act on its position at once, and the engine must know of it by then.
   */
  async function afterCommit<T>(read: Promise<T>): Promise<T> {
    const found = await read;
    await writer.settled();
    return found;
  }

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
    execution: (tradeAccountId, id) => afterCommit(reads.execution(tradeAccountId, id)),
    position: (tradeAccountId, id) => afterCommit(reads.position(tradeAccountId, id)),
    async executions(filter, page) {
      return afterCommit(executionPage(await pages.get(), filter, page));
    },
    async fills(filter, page) {
      return fillPage(await pages.get(), filter, page);
    },
    async fillsOfExecution(executionId) {
      return executionFillsQuery(await pages.get(), executionId).getMany();
    },
    async positions(filter, page) {
      return afterCommit(positionPage(await pages.get(), filter, page));
    },
    async orders(filter, page) {
      return orderPage(await pages.get(), filter, page);
    },
    async triggers(filter, page) {
      const { rows, next } = await restingPage<TriggerRow>(await pages.get(), TRIGGERS, filter, page);
      return { rows: rows.map(asTrigger), next };
    },
    async schedules(filter, page) {
      return restingPage<ScheduleSummary>(await pages.get(), SCHEDULES, filter, page);
    },
    async ladders(filter, page) {
      return restingPage<Ladder>(await pages.get(), LADDERS, filter, page);
    },
    async notifications(filter, page) {
      return notificationPage(await pages.get(), filter, page);
    },
    markNotifications: (owner, which, isRead, now) => markNotifications(writer, owner, which, isRead, now),
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
