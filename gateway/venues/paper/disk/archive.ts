/**
 * The SQLite file `<name>.db`: orders and history that have left the exchange's memory, and the snapshot of everything
 * else. Both are written in one transaction. Client order ids are held in memory, so that a new order is known as new
 * without a read.
 */
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openHandle, type SqliteHandle } from '../../../store/file/sqlite-handle.ts';
import type { HistoryItem, PaperOrder } from '../accounts/account-state.ts';
import { type OldRecord, type OldRecords, orderOf, type StoredOrder } from '../accounts/old-records.ts';
import { PaperFilesError } from './paper-files-error.ts';

/** Keys are client order ids (text) of orders, and numbers of history items. */
const TABLE = `
  CREATE TABLE IF NOT EXISTS records (
    account TEXT NOT NULL,
    kind TEXT NOT NULL,
    key ANY NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (account, kind, key)
  ) STRICT`;
/** An order that is written again keeps its rowid: rowids follow the arrival of an account's orders. */
const REPLACE = 'ON CONFLICT (account, kind, key) DO UPDATE SET body = excluded.body';
const WRITE = `
  INSERT INTO records (account, kind, key, body)
  SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?) WHERE true ${REPLACE}`;
/** By itself: within other JSON, the megabytes of a snapshot are escaped once more, and hold up other requests. */
const WRITE_SNAPSHOT = `INSERT INTO records (account, kind, key, body) VALUES ('', 'snapshot', 0, ?) ${REPLACE}`;
/** Records per statement, so that turning them into JSON does not hold up other requests. */
const WRITTEN_AT_ONCE = 500;

export interface Snapshot<State> {
  /** Number of the last journal entry that the snapshot holds. */
  readonly n: number;
  /** The journal's running hash after that entry. */
  readonly hash: string;
  /** The journal beside the snapshot has a header; absent in files of earlier versions, whose journals have none. */
  readonly headed?: true;
  readonly state: State;
}

export class Archive implements OldRecords {
  private readonly path: string;
  private readonly handle: SqliteHandle;
  private readonly orderIds: Map<string, Set<string>>;

  private constructor(path: string, handle: SqliteHandle, orderIds: Map<string, Set<string>>) {
    this.path = path;
    this.handle = handle;
    this.orderIds = orderIds;
  }

  /** Opens the file, and makes it where there is none. @throws PaperFilesError when it is damaged */
  static async open(directory: string, name: string): Promise<Archive> {
    const path = archivePath(directory, name);
    const file = await open(path, 'a', 0o600);
    await file.close();
    return withDamageNamed(path, async () => {
      const handle = await openHandle(path, 'read-write');
      try {
        await handle.exec(TABLE);
        return new Archive(path, handle, await orderIdsIn(handle));
      } catch (error) {
        await handle.close();
        throw error;
      }
    });
  }

  /** null: nothing was ever written. */
  async snapshot<State>(): Promise<Snapshot<State> | null> {
    return withDamageNamed(this.path, () => snapshotIn<State>(this.handle));
  }

  has(account: string, clientOrderId: string): boolean {
    return this.orderIds.get(account)?.has(clientOrderId) === true;
  }

  /** @throws PaperFilesError for orders that it does not hold */
  async orders(account: string, clientOrderIds: readonly string[]): Promise<readonly PaperOrder[]> {
    const ids = [...new Set(clientOrderIds)];
    const found = await this.ordersWhere('key IN (SELECT value FROM json_each(?))', account, [
      JSON.stringify(ids),
    ]);
    if (found.length < ids.length) throw damaged(this.path);
    return found;
  }

  /** All orders of an account that were ever written, in the order of their arrival. For tests. */
  async allOrders(account: string): Promise<readonly PaperOrder[]> {
    return this.ordersWhere('true', account, []);
  }

  async history(account: string, from: number, limit: number): Promise<readonly HistoryItem[]> {
    const rows = await this.bodies("account = ? AND kind = 'history' AND key >= ? AND key < ? ORDER BY key", [
      account,
      from,
      from + limit,
    ]);
    return rows.map((body): HistoryItem => JSON.parse(body));
  }

  /** Number of history items per account. */
  async historyLengths(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.handle.all(
      "SELECT account, count(*) AS items FROM records WHERE kind = 'history' GROUP BY account",
    );
    return new Map(rows.map((row) => [String(row['account']), Number(row['items'])]));
  }

  /** Writes records, and replaces the snapshot unless it is null: all of it or, where it throws, none. */
  async write(records: readonly OldRecord[], snapshot: Snapshot<unknown> | null): Promise<void> {
    await this.handle.exec('BEGIN IMMEDIATE');
    try {
      for (let from = 0; from < records.length; from += WRITTEN_AT_ONCE)
        await this.writeRows(records.slice(from, from + WRITTEN_AT_ONCE));
      if (snapshot !== null) await this.handle.run(WRITE_SNAPSHOT, [JSON.stringify(snapshot)]);
      await this.handle.exec('COMMIT');
    } catch (error) {
      // SQLite has rolled back by itself after some errors, and then refuses to.
      await this.handle.exec('ROLLBACK').catch(() => undefined);
      throw error;
    }
    for (const [account, kind, key] of records) if (kind === 'order') idsOf(this.orderIds, account).add(key);
  }

  async close(): Promise<void> {
    await this.handle.close();
  }

  private async writeRows(rows: readonly OldRecord[]): Promise<void> {
    // Bodies are text within the text: SQLite need not parse them.
    const texts = rows.map(([account, kind, key, body]) => [account, kind, key, JSON.stringify(body)]);
    await this.handle.run(WRITE, [JSON.stringify(texts)]);
  }

  private async ordersWhere(
    condition: string,
    account: string,
    params: readonly string[],
  ): Promise<readonly PaperOrder[]> {
    const rows = await this.bodies(`account = ? AND kind = 'order' AND ${condition} ORDER BY rowid`, [
      account,
      ...params,
    ]);
    return rows.map((body) => {
      const stored: StoredOrder = JSON.parse(body);
      return orderOf(stored);
    });
  }

  private async bodies(condition: string, params: readonly (string | number)[]): Promise<readonly string[]> {
    return withDamageNamed(this.path, async () => {
      const rows = await this.handle.all(`SELECT body FROM records WHERE ${condition}`, params);
      return rows.map((row) => String(row['body']));
    });
  }
}

/**
 * The snapshot of an archive that is not open; null: there is none. A transaction that a kill cut off is undone, as the
 * next start would. @param thorough reads the whole file @throws PaperFilesError when it is damaged
 */
export async function readSnapshot<State>(
  directory: string,
  name: string,
  thorough: boolean,
): Promise<Snapshot<State> | null> {
  const path = archivePath(directory, name);
  const size = await stat(path).then(
    (stats) => stats.size,
    () => 0,
  );
  if (size === 0) return null;
  return withDamageNamed(path, async () => {
    const handle = await openHandle(path, 'read-write');
    try {
      const tables = await handle.all("SELECT name FROM sqlite_schema WHERE name = 'records'");
      if (tables.length === 0) return null;
      const snapshot = await snapshotIn<State>(handle);
      const [check] = thorough ? await handle.all('PRAGMA integrity_check(1)') : [];
      if (check !== undefined && check['integrity_check'] !== 'ok') throw damaged(path);
      return snapshot;
    } finally {
      await handle.close();
    }
  });
}

export function archivePath(directory: string, name: string): string {
  return join(directory, `${name}.db`);
}

async function snapshotIn<State>(handle: SqliteHandle): Promise<Snapshot<State> | null> {
  const [row] = await handle.all("SELECT body FROM records WHERE account = '' AND kind = 'snapshot'");
  return row === undefined ? null : JSON.parse(String(row['body']));
}

async function orderIdsIn(handle: SqliteHandle): Promise<Map<string, Set<string>>> {
  const rows = await handle.all(
    "SELECT account, json_group_array(key) AS keys FROM records WHERE kind = 'order' GROUP BY account",
  );
  const found = new Map<string, Set<string>>();
  for (const row of rows) found.set(String(row['account']), new Set<string>(JSON.parse(String(row['keys']))));
  return found;
}

function idsOf(orderIds: Map<string, Set<string>>, account: string): Set<string> {
  const known = orderIds.get(account);
  if (known !== undefined) return known;
  const ids = new Set<string>();
  orderIds.set(account, ids);
  return ids;
}

async function withDamageNamed<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    throw code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT' ? damaged(path) : error;
  }
}

function damaged(path: string): PaperFilesError {
  return new PaperFilesError(`${path} is damaged`);
}
