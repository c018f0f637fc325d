/** Facts in the database about the rest of the data folder, read without opening the database for writing. */
import { statSync } from 'node:fs';
import { openHandle, type SqliteHandle } from '../store/file/sqlite-handle.ts';

export const STARTS_SETTING = 'folder-starts';
/** Setting that is stored at the first start, before any paper venue writes a file. */
const SEED_SETTING = 'paper-seed';
/** Number of an account's newest fills to read: enough to find one that a venue has numbered. */
const NEWEST_FILLS = 20;

export interface DatabaseFacts {
  /** True when a gateway has been started on the database. */
  readonly begun: boolean;
  /** Starts that the database has counted; null: a database of an earlier version. */
  readonly starts: number | null;
  /** Per connector with paper accounts: trade ids of their newest fills. */
  readonly newest: ReadonlyMap<string, readonly string[]>;
}

/** null: the database cannot be read; the store's error when opening it says why. */
export async function readDatabase(file: string): Promise<DatabaseFacts | null> {
  let handle: SqliteHandle;
  try {
    handle = await openHandle(file, 'read-only');
  } catch {
    return null;
  }
  try {
    const tables = await handle.all("SELECT name FROM sqlite_master WHERE name = 'settings'");
    if (tables.length === 0) return { begun: false, starts: null, newest: new Map() };
    const settings = await handle.all('SELECT key, value FROM settings');
    const settingOf = (key: string) => settings.find((row) => row['key'] === key)?.['value'] ?? null;
    const starts = settingOf(STARTS_SETTING);
    const newest = new Map<string, string[]>();
    for (const row of await handle.all("SELECT id, connector FROM trade_accounts WHERE mode = 'PAPER'")) {
      const connector = String(row['connector']);
      const fills = await handle.all(
        `SELECT trade_id FROM fills WHERE trade_account_id = ? AND connector = ?
         ORDER BY timestamp DESC, id DESC LIMIT ${NEWEST_FILLS}`,
        [row['id'] ?? null, connector],
      );
      newest.set(connector, [
        ...(newest.get(connector) ?? []),
        ...fills.map((fill) => String(fill['trade_id'])),
      ]);
    }
    return {
      begun: settingOf(SEED_SETTING) !== null,
      starts: starts === null ? null : Number(starts),
      newest,
    };
  } catch {
    return null;
  } finally {
    await handle.close();
  }
}

/** Counts of everything that a gateway started on the database would trade by itself. */
export interface Waiting {
  readonly liveAccounts: number;
  /** Triggers and brackets, TWAPs, rebalances that trade, and executions that have not ended. */
  readonly plans: number;
}

const LIVE_ACCOUNTS = "SELECT count(*) AS n FROM trade_accounts WHERE mode <> 'PAPER'";
const PLANS = [
  "SELECT count(*) AS n FROM triggers WHERE status IN ('ACTIVE', 'PAUSED', 'TRIGGERED') AND kind <> 'ALERT'",
  "SELECT count(*) AS n FROM schedules WHERE status IN ('ACTIVE', 'PAUSED')",
  "SELECT count(*) AS n FROM auto_rebalances WHERE status IN ('ACTIVE', 'PAUSED') AND action = 'TRADE'",
  "SELECT count(*) AS n FROM executions WHERE status IN ('IDLE', 'ACTIVE')",
];

/** A database that cannot be read has nothing here; opening it says why. So has a table that its version lacks. */
export async function readWaiting(file: string): Promise<Waiting> {
  const handle = await openHandle(file, 'read-only').catch(() => null);
  if (handle === null) return { liveAccounts: 0, plans: 0 };
  const count = async (sql: string) => {
    const rows = await handle.all(sql).catch(() => []);
    return Number(rows[0]?.['n'] ?? 0);
  };
  try {
    const plans = await Promise.all(PLANS.map(count));
    return { liveAccounts: await count(LIVE_ACCOUNTS), plans: plans.reduce((sum, one) => sum + one, 0) };
  } finally {
    await handle.close();
  }
}

/** Bytes of a file, 0 when it is not there. */
export function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
