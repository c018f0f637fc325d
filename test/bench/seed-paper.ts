/** A long life of a paper venue, written behind the archive of a folder that is stopped: orders that filled at once. */
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { databaseFile } from '../../gateway/config.ts';
import { openHandle } from '../../gateway/store/file/sqlite-handle.ts';
import { cursorText } from '../../gateway/venues/paper/accounts/generation.ts';
import type { Effect, JournalEntry } from '../../gateway/venues/paper/accounts/journal-entry.ts';
import { Archive } from '../../gateway/venues/paper/disk/archive.ts';
import { chained } from '../../gateway/venues/paper/disk/journal-chain.ts';
import { headerLine, readSnapshot, snapshotText } from '../../gateway/venues/paper/disk/journal-lines.ts';
import type { PaperState } from '../../gateway/venues/paper/exchange/exchange-disk.ts';

const ORDERS_AN_ENTRY = 4;
const WRITTEN_AT_ONCE_BYTES = 8 * 2 ** 20;

/** @returns how long making the index took, ms: a folder of an earlier version pays it once */
export async function seedPaperOrders(dataDir: string, orders: number): Promise<number> {
  const path = (kind: string) => join(dataDir, `paper.${kind}`);
  const snapshot = await readSnapshot<PaperState>(path('snapshot'));
  const account = snapshot?.state.accounts[0]?.id;
  if (snapshot === null || account === undefined) throw new Error('the folder has no paper account');
  let { n, hash, archiveBytes } = snapshot;
  let sequence = snapshot.state.sequence ?? 0;
  const archive = await open(path('archive'), 'r+');
  let lines: string[] = [];
  let waiting = 0;
  const write = async () => {
    const { bytesWritten } = await archive.write(lines.join(''), archiveBytes);
    archiveBytes += bytesWritten;
    lines = [];
    waiting = 0;
  };
  for (let made = 0; made < orders; made += ORDERS_AN_ENTRY) {
    n += 1;
    const effects: Effect[] = [];
    for (let leg = 0; leg < ORDERS_AN_ENTRY; leg += 1) {
      effects.push(...filledOrder(account, made + leg, sequence));
      sequence += 2;
    }
    const { startAt } = snapshot.state;
    const entry: JournalEntry = { n, at: startAt, marketAt: startAt, takes: [], effects };
    const line = JSON.stringify(entry);
    hash = chained(hash, line);
    lines.push(`${line}\n`);
    waiting += line.length + 1;
    if (waiting > WRITTEN_AT_ONCE_BYTES) await write();
  }
  await write();
  await archive.close();
  const state = { ...snapshot.state, sequence };
  await writeFile(path('snapshot'), snapshotText<PaperState>({ n, hash, archiveBytes, state }));
  await writeFile(path('journal'), headerLine({ after: n }));
  const startedAt = performance.now();
  const indexed = await Archive.open(dataDir, 'paper', { bytes: archiveBytes, hash });
  const indexedMs = performance.now() - startedAt;
  await readUpTo(
    dataDir,
    account,
    cursorText(state.generations ?? [], indexed.historyCounts.get(account) ?? 0),
  );
  await indexed.close();
  return indexedMs;
}

/** The gateway has read all of it long ago: what it has not would be trades past it, which it takes in one by one. */
async function readUpTo(dataDir: string, account: string, cursor: string): Promise<void> {
  const database = await openHandle(databaseFile(dataDir), 'read-write');
  const sql = `INSERT OR REPLACE INTO cursors (trade_account_id, kind, value) VALUES ('${account}', 'venue-history', '${cursor}')`;
  await database.exec(sql);
  await database.close();
}

function filledOrder(account: string, number: number, sequence: number): readonly Effect[] {
  const clientOrderId = `seed-${number.toString(36)}`;
  const venueOrderId = `paper-o${sequence + 1}`;
  const side = number % 2 === 0 ? 'BUY' : 'SELL';
  const about = { symbol: 'BTC-PERP', side, quantity: '0.001' } as const;
  const order = {
    ...about,
    clientOrderId,
    limitPrice: '100000',
    timeInForce: 'IOC',
    reduceOnly: false,
  } as const;
  const fill = {
    ...about,
    tradeId: `paper-t${sequence + 2}`,
    clientOrderId,
    venueOrderId,
    price: '100000',
    fee: '0.045',
    feeAsset: 'USDC',
    liquidity: 'TAKER',
    isLiquidation: false,
    timestamp: number,
  } as const;
  return [
    { kind: 'accepted', account, order: { ...order, expiresAt: number + 5_000 }, venueOrderId },
    { kind: 'fill', account, fill },
    { kind: 'closed', account, clientOrderId, state: 'filled' },
  ];
}
