import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import type { Page, PageRequest } from '../../gateway/engine/ports/pages.ts';
import type { Store } from '../../gateway/engine/ports/store.ts';
import { IS_LONG } from '../support/long-run.ts';
import { programFile } from '../support/program-file.ts';
import { temporaryFolder, testStore } from '../support/store-records.ts';

const ROUNDS = IS_LONG ? 5 : 2;
const CHILD = programFile(new URL('./support/store-crash-child.ts', import.meta.url));

/** Runs the child until `lifetimeMs` after its first acknowledgement, kills it, returns what it acknowledged. */
async function acknowledgedUntilKilled(file: string, lifetimeMs: number): Promise<string[]> {
  const child: ChildProcess = spawn(process.execPath, [CHILD, file], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (!child.stdout || !child.stderr) throw new Error('the child has no pipes');
  let complaints = '';
  child.stderr.on('data', (data: Buffer) => {
    complaints += data.toString();
  });
  const acknowledged: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    if (acknowledged.length === 0) setTimeout(() => child.kill('SIGKILL'), lifetimeMs);
    acknowledged.push(line);
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  expect(child.signalCode, complaints).to.equal('SIGKILL');
  return acknowledged;
}

async function everything<T>(list: (page: PageRequest) => Promise<Page<T>>): Promise<T[]> {
  const rows: T[] = [];
  let after: PageRequest['after'] = null;
  do {
    const page: Page<T> = await list({ limit: 2_000, after });
    rows.push(...page.rows);
    after = page.next;
  } while (after !== null);
  return rows;
}

/** Every unit in the file is there whole, and its events are numbered without a hole. Returns the units' ids. */
async function wholeUnits(store: Store): Promise<Set<string>> {
  const account = { tradeAccountId: 'account' };
  const executions = await everything((page) => store.executions(account, page));
  const fills = await everything((page) => store.fills({ ...account, descending: false }, page));
  const positions = await everything((page) =>
    store.positions({ ...account, orderBy: 'createdAt', descending: false }, page),
  );
  const { events, last } = await store.events('account', 0, Number.MAX_SAFE_INTEGER);

  expect(events.every(({ seq }, index) => seq === index + 1)).to.equal(true);
  expect(last).to.equal(events.length);
  expect(store.lastSeq('account')).to.equal(events.length);

  const units = new Set(executions.map(({ id }) => id));
  expect(executions.filter(({ orders }) => orders.length !== 4)).to.deep.equal([]);
  expect(new Set(fills.map(({ executionId }) => executionId))).to.deep.equal(units);
  expect(new Set(positions.map(({ id }) => id))).to.deep.equal(
    new Set(executions.map(({ positionId }) => positionId)),
  );
  expect(events.length).to.equal(units.size * 2);
  expect(new Set(events.map(({ entityId }) => entityId))).to.deep.equal(units);
  // The last unit applied is the one that left its mark.
  expect(await store.cursor('account', 'history')).to.equal(events.at(-1)?.entityId);
  return units;
}

describe('store: killed while it commits', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  before(async () => {
    folder = await temporaryFolder();
  });

  after(() => folder.remove());

  it(`has every acknowledged unit whole after each of ${ROUNDS} kills`, async function () {
    this.timeout(120_000);
    const file = join(folder.path, 'tandem.db');
    const acknowledged: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const lifetimeMs = Math.floor(Math.random() * 250);
      acknowledged.push(...(await acknowledgedUntilKilled(file, lifetimeMs)));
      const store = await testStore(file, { synchronous: 'FULL' });
      try {
        const units = await wholeUnits(store);
        const lost = acknowledged.filter((id) => !units.has(id));
        expect(lost, `round ${round}, killed after ${lifetimeMs} ms`).to.deep.equal([]);
        expect(units.size).to.be.at.least(acknowledged.length);
        const sample = acknowledged.at(-1) ?? '';
        const replay = await store.commit({
          idempotency: [
            {
              userId: 'user',
              route: 'r',
              key: sample,
              requestHash: 'h',
              status: 202,
              answer: '{}',
              createdAt: 0,
            },
          ],
        });
        expect(replay.ok ? '' : replay.error.kind).to.equal('conflict');
      } finally {
        await store.close();
      }
    }
  });
});
