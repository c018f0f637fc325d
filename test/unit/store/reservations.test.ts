/** Reservations of executions on disk: in their rows, found as long as they may count, taken over from older files. */
import { expect } from 'chai';
import type { Execution } from '../../../gateway/domain/model.ts';
import { RESERVED_SINCE } from '../../../gateway/store/agents.ts';
import { MIGRATIONS } from '../../../gateway/store/migrations/steps.ts';
import {
  execution,
  folderForEachTest,
  openedDatabase,
  START,
  testStore,
} from '../../support/store-records.ts';

const AGENT = { authorityKind: 'oauth_grant', authorityId: 'grant' } as const;
const RESERVED = { usd: '505.25', asked: true } as const;

describe('store: what executions have reserved', () => {
  const folder = folderForEachTest();

  const at = (createdAt: number, finishedAt: number | null, reserved: Execution['reserved'] = RESERVED) =>
    execution({
      ...{ ...AGENT, createdAt, finishedAt, updatedAt: finishedAt ?? createdAt, reserved },
      status: finishedAt === null ? 'ACTIVE' : 'COMPLETED',
    });
  const ids = (rows: readonly Execution[]) => rows.map(({ id }) => id).sort();

  it('is found while it runs, and when it was made or ended since, whichever way the clock went', async () => {
    const store = await testStore(folder.file);
    const counting = [at(START, null), at(START, START + 20), at(START + 20, START), at(START + 11, null)];
    const others = [at(START, START + 10), at(START + 11, START + 12, null), at(START, null, null)];
    await store.commit({ newExecutions: [...counting, ...others] });
    const { executions, waiting } = await store.reservations(START + 10);
    expect(ids(executions)).to.deep.equal(ids(counting));
    expect(executions.find(({ id }) => id === counting[0]?.id)).to.deep.equal(counting[0]);
    expect(waiting).to.deep.equal([]);
    const raised = { ...counting[0], reserved: { usd: '600', asked: true } } as Execution;
    await store.commit({ executions: [raised] });
    expect(await store.execution(raised.tradeAccountId, raised.id)).to.deep.equal(raised);
    await store.close();
  });

  it('is taken over from a file in which it had rows of its own; what waits keeps its own', async () => {
    const older = await openedDatabase(folder.file, { migrations: MIGRATIONS.slice(0, 20) });
    const placed = [at(START, START + 20), at(START + 1, null)];
    const [unbound] = [at(START + 2, null, null)];
    for (const one of [...placed, unbound]) {
      const { orders: _, reserved: __, ...row } = one as Execution;
      const columns = Object.keys(row).map((name) =>
        name.replace(/[A-Z]/g, (big) => `_${big.toLowerCase()}`),
      );
      await older.write.run(
        `INSERT INTO executions (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
        Object.values(row),
      );
    }
    const reserve = (id: string, what: string, usd: string, asked: number) =>
      older.write.run(
        `INSERT INTO agent_reservations VALUES (?, ?, 'oauth_grant', 'grant', 'user', 'account', ?, ?, ?)`,
        [id, what, usd, asked, START],
      );
    for (const [index, { id }] of placed.entries()) await reserve(id, 'EXECUTION', '505.25', 1 - index);
    await reserve('waits', 'TRIGGER', '20', 1);
    await older.close();
    const store = await testStore(folder.file);
    const { executions, waiting } = await store.reservations(START - 1);
    const found = executions.map(({ id, reserved }) => [id, reserved] as const);
    expect(new Map(found)).to.deep.equal(
      new Map([
        [placed[0]?.id, RESERVED],
        [placed[1]?.id, { usd: '505.25', asked: false }],
      ]),
    );
    expect(
      waiting.map(({ waiting: { id, usd, asked }, waits }) => ({ id, usd, asked, waits })),
    ).to.deep.equal([{ id: 'waits', usd: '20', asked: true, waits: false }]);
    await store.close();
    const upgraded = await openedDatabase(folder.file);
    const left = await upgraded.read.all('SELECT what FROM agent_reservations', []);
    expect(left).to.deep.equal([{ what: 'TRIGGER' }]);
    await upgraded.close();
  });

  it('a start reads two small indexes, however long the history is', async () => {
    const opened = await openedDatabase(folder.file);
    const steps = await opened.read.all(
      `EXPLAIN QUERY PLAN SELECT id FROM executions ${RESERVED_SINCE.replace(/SELECT .* FROM/, 'SELECT id FROM')}`,
      [START],
    );
    const plan = steps.map(({ detail }) => String(detail)).join('\n');
    expect(plan).to.include('executions_unfinished');
    expect(plan).to.match(/SEARCH executions USING INDEX executions_reserved \(<expr>>\?\)/);
    await opened.close();
  });
});
