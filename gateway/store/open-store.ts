/** The `Store` port on one SQLite file. See README.md in this folder. */
import type { Store } from '../engine/ports/store.ts';
import type { Clock, Logger } from '../engine/ports/system.ts';
import { agentReads } from './agents.ts';
import { approvalReads } from './approvals.ts';
import { auditReads } from './audit.ts';
import { basketReads } from './baskets.ts';
import { candleReads } from './candles.ts';
import { deliveryReads } from './deliveries.ts';
import { eventReads } from './events.ts';
import { executionReads } from './executions.ts';
import { openDatabase } from './file/open-database.ts';
import { fillReads } from './fills.ts';
import { fundingRateReads } from './funding-rates.ts';
import { idempotencyStore } from './idempotency.ts';
import { ladderReads } from './ladders.ts';
import { mandateReads } from './mandates.ts';
import { MIGRATIONS } from './migrations/steps.ts';
import { notificationStore } from './notifications.ts';
import { oauthStore } from './oauth.ts';
import { orderReads } from './orders.ts';
import { createHistoryReads } from './portfolio/history-reads.ts';
import { positionReads } from './positions.ts';
import { createReadSource } from './read-source.ts';
import { rebalanceReads } from './rebalances.ts';
import { createPreparedReads } from './rows/prepared-reads.ts';
import { scheduleReads } from './schedules.ts';
import { settingReads } from './settings.ts';
import { triggerReads } from './triggers.ts';
import { userReads } from './users.ts';
import { waitingOpeningReads } from './waiting-openings.ts';
import { prune } from './writer/retention.ts';
import { thinEquity } from './writer/thin-equity.ts';
import { createWriter } from './writer/writer.ts';

export interface StoreOptions {
  /** Path of the data file; its folder exists. The file is created with mode 0600. */
  readonly file: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
  /** `OFF` gives up durability against power loss: tests and benchmarks only. Default `FULL`. */
  readonly synchronous?: 'FULL' | 'OFF';
  /** `none` writes nothing and is only for the baseline of benchmarks. Default `group`. */
  readonly commitMode?: 'group' | 'none';
}

/** A setting that is written to find out whether writes succeed again. */
const WRITE_PROBE = 'write-probe';

/** Each of them is one look-up at the end of a primary key. */
const LAST_ID = `SELECT max(id) AS id FROM (${['audit_log', 'executions', 'positions', 'notifications']
  .map((name) => `SELECT max(id) AS id FROM ${name}`)
  .join(' UNION ALL ')})`;

/** Throws StoreOpenError when the file is newer than the program, damaged, another program's, or unusable. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { file, clock, logger } = options;
  const database = await openDatabase({
    file,
    clock,
    logger,
    synchronous: options.synchronous ?? 'FULL',
    migrations: MIGRATIONS,
  });
  const writer = createWriter({
    handle: database.write,
    lastSeqs: database.lastSeqs,
    logger,
    commits: options.commitMode !== 'none',
  });
  const prepared = createPreparedReads(database.read);
  const source = createReadSource(file);
  const reads = { ...prepared, lists: source.get };
  const { close: closeHistory, sampledAccounts, ...history } = createHistoryReads(file);
  const settings = settingReads(reads);
  const executions = executionReads(reads);
  const positions = positionReads(reads);
  const eventsAfter = eventReads(reads);
  let closing: Promise<void> | null = null;

  /**
   * Delays an answer until the engine has heard of every commit that the read may have seen: the read connection sees
   * a commit before the engine does. A client that reads the end of an execution may act on its position at once, so
   * the engine must know it too.
   */
  async function afterCommit<T>(read: Promise<T>): Promise<T> {
    const found = await read;
    await writer.settled();
    return found;
  }

  async function isReadable(): Promise<boolean> {
    try {
      return (await prepared.all('SELECT name FROM schema_migrations LIMIT 1', [])).length === 1;
    } catch {
      return false;
    }
  }

  async function close(): Promise<void> {
    await writer.close();
    await prepared.close();
    await closeHistory();
    await source.close();
    await database.close();
  }

  return {
    ...executions,
    ...orderReads(reads),
    ...fillReads(reads),
    ...positions,
    ...triggerReads(reads),
    ...scheduleReads(reads),
    ...ladderReads(reads),
    ...rebalanceReads(reads),
    ...waitingOpeningReads(reads),
    ...notificationStore(reads, writer),
    ...mandateReads(reads),
    ...userReads(reads),
    ...basketReads(reads),
    ...candleReads(reads),
    ...fundingRateReads(reads),
    ...settings,
    ...auditReads(reads),
    ...agentReads(reads),
    ...approvalReads(reads),
    ...deliveryReads(reads),
    ...idempotencyStore(reads, writer, clock),
    oauth: oauthStore(reads, writer),
    history,
    commit: writer.commit,
    onCommitted: writer.onCommitted,
    lastSeq: writer.lastSeq,
    execution: (tradeAccountId, id) => afterCommit(executions.execution(tradeAccountId, id)),
    executions: (filter, page) => afterCommit(executions.executions(filter, page)),
    position: (tradeAccountId, id) => afterCommit(positions.position(tradeAccountId, id)),
    positions: (filter, page) => afterCommit(positions.positions(filter, page)),
    async events(tradeAccountId, after, limit) {
      // The counter is read first: a commit during the read may add events, but never removes the last known one.
      const known = writer.lastSeq(tradeAccountId);
      const { events, oldest } = await eventsAfter(tradeAccountId, after, limit);
      return { events, oldest, last: Math.max(known, events.at(-1)?.seq ?? 0) };
    },
    async ping() {
      // Only a write finds out that a full disk has space again.
      if (!writer.accepts()) await writer.commit({ settings: [{ key: WRITE_PROBE, value: '' }] });
      return writer.accepts() && (await isReadable());
    },
    async lastId() {
      const [row] = await prepared.all(LAST_ID, []);
      return typeof row?.['id'] === 'string' ? row['id'] : null;
    },
    async prune(now) {
      await prune(writer, now);
      const { cursor } = settings;
      await thinEquity({ writer, history: { ...history, sampledAccounts }, cursor }, now);
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
}
