/** Authority on disk: written and read back, null for rows of an older version, and found when a grant is revoked. */
import { join } from 'node:path';
import { expect } from 'chai';
import type { Placed } from '../../../gateway/domain/authority.ts';
import type { Store } from '../../../gateway/engine/ports/store.ts';
import { MIGRATIONS } from '../../../gateway/store/migrations/steps.ts';
import {
  ladderWithRungs,
  rebalanceConfig,
  trailingStop,
  twap,
  waitingTrigger,
} from '../../support/resting-rows.ts';
import {
  execution,
  folderForEachTest,
  nextId,
  openedDatabase,
  testStore,
} from '../../support/store-records.ts';

const AGENT: Placed = { authorityKind: 'oauth_grant', authorityId: 'grant' };
const NOBODY: Placed = { authorityKind: null, authorityId: null };
const TABLES = [
  'executions',
  'triggers',
  'schedules',
  'slices',
  'ladders',
  'auto_rebalances',
  'position_setups',
];

describe('store: who placed it', () => {
  const folder = folderForEachTest();

  const make = (placed: Placed) => {
    const opening = execution(placed);
    const { ladder, triggers: rungs } = ladderWithRungs(2, placed);
    return {
      opening,
      ladder,
      rungs: rungs.map((rung) => ({ ...rung, ...placed })),
      trigger: waitingTrigger(placed),
      stop: trailingStop(placed),
      schedule: twap(placed),
      rebalance: rebalanceConfig(placed),
      setup: { executionId: opening.id, takeProfit: null, stopLoss: null, autoRebalance: null, ...placed },
    };
  };
  type Made = ReturnType<typeof make>;

  async function write(store: Store, made: Made): Promise<void> {
    const committed = await store.commit({
      newExecutions: [made.opening],
      positionSetups: [made.setup],
      triggers: [made.trigger, made.stop, ...made.rungs],
      ladders: [made.ladder],
      newSchedules: [made.schedule],
      autoRebalances: [made.rebalance],
    });
    expect(committed.ok).to.equal(true);
  }

  async function expectStored(store: Store, made: Made, placed: Placed): Promise<void> {
    const account = made.opening.tradeAccountId;
    expect(await store.execution(account, made.opening.id)).to.deep.equal({ ...made.opening, ...placed });
    expect(await store.positionSetup(made.opening.id)).to.deep.equal({ ...made.setup, ...placed });
    for (const trigger of [made.trigger, made.stop]) {
      expect(await store.trigger(trigger.tradeAccountId, trigger.id)).to.deep.equal({
        ...trigger,
        ...placed,
      });
    }
    const rungs = await store.triggersOfLadder(made.ladder.id);
    expect(rungs).to.deep.equal(made.rungs.map((rung) => ({ ...rung, ...placed })));
    const { tradeAccountId } = made.ladder;
    expect(await store.ladder(tradeAccountId, made.ladder.id)).to.deep.equal({ ...made.ladder, ...placed });
    expect(await store.schedule(tradeAccountId, made.schedule.id)).to.deep.equal({
      ...made.schedule,
      ...placed,
    });
    const rebalance = await store.autoRebalance(made.rebalance.positionId);
    expect(rebalance).to.deep.equal({ ...made.rebalance, ...placed });
  }

  it('is read as it was written; what changes hands changes it, an execution keeps it', async () => {
    const store = await testStore(folder.file);
    const made = make(AGENT);
    await write(store, made);
    await expectStored(store, made, AGENT);
    const user: Placed = { authorityKind: 'session', authorityId: 'session' };
    const trigger = { ...made.trigger, ...user };
    const rebalance = { ...made.rebalance, ...user };
    const opening = { ...made.opening, ...user };
    await store.commit({ triggers: [trigger], autoRebalances: [rebalance], executions: [opening] });
    expect(await store.trigger(trigger.tradeAccountId, trigger.id)).to.deep.equal(trigger);
    expect(await store.autoRebalance(rebalance.positionId)).to.deep.equal(rebalance);
    expect(await store.execution(opening.tradeAccountId, opening.id)).to.deep.equal(made.opening);
    await store.close();
  });

  for (const schema of [8, 11]) {
    it(`is the user, null, for everything in a file of schema ${schema}`, async () => {
      const source = join(folder.path, 'source.db');
      const made = make(AGENT);
      const newest = await testStore(source);
      await write(newest, made);
      await newest.close();
      const older = await openedDatabase(folder.file, { migrations: MIGRATIONS.slice(0, schema) });
      await older.write.exec(`ATTACH '${source}' AS newest`);
      for (const table of TABLES) {
        const columns = await older.write.all('SELECT name FROM pragma_table_info(?)', [table]);
        const names = columns.map(({ name }) => String(name));
        expect(names).not.to.include('authority_kind');
        const list = names.join(', ');
        await older.write.run(`INSERT INTO main.${table} (${list}) SELECT ${list} FROM newest.${table}`, []);
      }
      await older.write.exec('DETACH newest');
      await older.close();
      const store = await testStore(folder.file);
      await expectStored(store, made, NOBODY);
      await store.close();
    });
  }

  it('finds what a grant left waiting that could open something, and nothing else', async () => {
    const store = await testStore(folder.file);
    const mine = make(AGENT);
    await write(store, mine);
    await write(store, make({ ...AGENT, authorityId: 'another' }));
    await write(store, make(NOBODY));
    const position = { tradeAccountId: mine.trigger.tradeAccountId };
    await store.commit({
      triggers: [
        waitingTrigger({ ...AGENT, status: 'CANCELLED' }),
        waitingTrigger({ ...AGENT, kind: 'CLOSE', positionId: nextId() }),
      ],
      newSchedules: [
        twap({ ...AGENT, kind: 'CLOSE', positionId: nextId() }),
        twap({ ...AGENT, status: 'CANCELLED' }),
      ],
      autoRebalances: [rebalanceConfig({ ...AGENT, action: 'NOTIFY' })],
    });
    const paused = waitingTrigger({ ...AGENT, status: 'PAUSED', pauseReason: 'USER' });
    await store.commit({ triggers: [paused] });
    const found = await store.waitingOpenings('grant');
    expect(found.triggers.map(({ id }) => id).sort()).to.deep.equal([mine.trigger.id, paused.id].sort());
    expect(found.ladders).to.deep.equal([{ id: mine.ladder.id, ...position }]);
    expect(found.schedules).to.deep.equal([{ id: mine.schedule.id, ...position }]);
    expect(found.autoRebalances).to.deep.equal([{ id: mine.rebalance.positionId, ...position }]);
    await store.close();
  });
});
