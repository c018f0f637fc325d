import { expect } from 'chai';
import type { StoredEvent } from '../../../gateway/engine/ports/unit-of-work.ts';
import {
  committed,
  event,
  execution,
  fill,
  START,
  session,
  storeForEachTest,
  user,
} from '../../support/store-records.ts';

describe('store: group commit', () => {
  const store = storeForEachTest();

  it('fails only the unit with the conflict out of fifty handed in at once, and leaves no hole in the numbers', async () => {
    const taken = fill({ tradeId: 'taken' });
    expect((await store.commit({ fills: [taken] })).ok).to.equal(true);
    const units = Array.from({ length: 50 }, (_, index) => {
      const row = execution({ error: `unit ${index}` });
      const trade = fill({ executionId: row.id, tradeId: index === 23 ? 'taken' : `t${index}` });
      return { newExecutions: [row], fills: [trade], events: [event({ entityId: row.id }), event()] };
    });
    const results = await Promise.all(units.map((unit) => store.commit(unit)));

    expect(results.map(({ ok }, index) => (ok ? -1 : index)).filter((index) => index >= 0)).to.deep.equal([
      23,
    ]);
    const guilty = results[23];
    expect(guilty?.ok === false && guilty.error.kind).to.equal('conflict');
    const { events, last } = await store.events('account', 0, 1000);
    expect(events.map(({ seq }) => seq)).to.deep.equal(Array.from({ length: 98 }, (_, index) => index + 1));
    expect(last).to.equal(98);
    expect(results.flatMap((result) => (result.ok ? result.value : []))).to.deep.equal(events);
    for (const [index, { newExecutions, fills }] of units.entries()) {
      const [row] = newExecutions;
      const found = await store.execution('account', row?.id ?? '');
      const trades = await store.fillsOfExecution(row?.id ?? '');
      expect(found, `unit ${index}`).to.deep.equal(index === 23 ? null : row);
      expect(trades, `unit ${index}`).to.deep.equal(index === 23 ? [] : fills);
    }
  });

  it('writes every combination of kinds of records, however many there are', async () => {
    for (let combination = 1; combination < 128; combination += 1) {
      const [a, b, c, d, e, f, g] = Array.from({ length: 7 }, (_, bit) => (combination & (1 << bit)) !== 0);
      const value = `${combination}`;
      const row = execution({ error: value });
      const owner = user({ displayName: value });
      const result = await store.commit({
        ...(a ? { settings: [{ key: 'k', value }] } : {}),
        ...(b ? { cursors: [{ tradeAccountId: 'account', kind: 'k', value }] } : {}),
        ...(c ? { newExecutions: [row] } : {}),
        ...(d ? { fills: [fill({ executionId: row.id, tradeId: value })] } : {}),
        ...(e ? { users: [owner] } : {}),
        ...(f ? { deletes: [{ from: 'sessions' as const, id: 'nobody' }] } : {}),
        ...(g ? { events: [event()] } : {}),
      });
      expect(result.ok, value).to.equal(true);
      if (a) expect(await store.setting('k')).to.equal(value);
      if (b) expect(await store.cursor('account', 'k')).to.equal(value);
      if (c) expect(await store.execution('account', row.id)).to.deep.equal(row);
      if (d) expect(await store.fillsOfExecution(row.id)).to.have.length(1);
      if (e) expect((await store.users()).find(({ id }) => id === owner.id)).to.deep.equal(owner);
    }
    expect(store.lastSeq('account')).to.equal(64);
  });

  it('fails only the unit with a bug in it, by rejecting', async () => {
    const units = [1, 2, 3].map((leverage) => ({
      leverage: [
        {
          tradeAccountId: 'account',
          symbol: `S${leverage}`,
          leverage: leverage === 2 ? 2.5 : leverage,
          marginMode: 'cross' as const,
          updatedAt: START,
        },
      ],
    }));
    const outcomes = await Promise.allSettled(units.map((unit) => store.commit(unit)));
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled']);
    expect((await store.leverage()).map(({ symbol }) => symbol)).to.deep.equal(['S1', 'S3']);
  });

  it('numbers each account on its own and tells events in commit order before the promises resolve', async () => {
    const told: StoredEvent[] = [];
    const stop = store.onCommitted((events) => told.push(...events));
    let early = 0;
    const units = Array.from({ length: 200 }, (_, index) => ({
      settings: [{ key: `k${index}`, value: 'v' }],
      events: Array.from({ length: index % 3 }, () => event({ tradeAccountId: `account-${index % 5}` })),
    }));
    const results = await Promise.all(
      units.map(async (unit) => {
        const own = await committed(store, unit);
        for (const mine of own) if (!told.includes(mine)) early += 1;
        return own;
      }),
    );
    expect(early).to.equal(0);
    expect(told).to.deep.equal(results.flat());
    for (let account = 0; account < 5; account += 1) {
      const seqs = told.filter((one) => one.tradeAccountId === `account-${account}`).map(({ seq }) => seq);
      expect(seqs).to.deep.equal(seqs.map((_, index) => index + 1));
      expect(store.lastSeq(`account-${account}`)).to.equal(seqs.length);
      expect((await store.events(`account-${account}`, 0, 1000)).events.map(({ seq }) => seq)).to.deep.equal(
        seqs,
      );
    }
    stop();
    const heard = told.length;
    await store.commit({ events: [event()] });
    expect(told.length).to.equal(heard);
  });

  it('writes on while it tells: what listeners and committers hear stays in commit order, and the counter with it', async () => {
    const heard: number[] = [];
    const ahead: number[] = [];
    store.onCommitted((events) => {
      heard.push(...events.map(({ seq }) => seq));
      const newest = heard.at(-1) ?? 0;
      // The next batch is with the driver by now, and not one of its numbers is given away.
      if (store.lastSeq('account') !== newest) ahead.push(newest);
    });
    const taken = fill({ tradeId: 'taken' });
    await store.commit({ fills: [taken] });
    let conflicts = 0;
    // As many as fill several batches at once, each coming back as soon as it hears, one in fifty with a conflict.
    await Promise.all(
      Array.from({ length: 150 }, async (_, committer) => {
        for (let round = 0; round < 10; round += 1) {
          const clashes = (committer + round) % 50 === 0;
          const result = await store.commit({
            fills: [fill(clashes ? { tradeId: 'taken' } : {})],
            events: [event()],
          });
          if (result.ok) expect(heard).to.include(result.value[0]?.seq);
          else conflicts += 1;
        }
      }),
    );
    expect(conflicts).to.equal(30);
    expect(heard).to.deep.equal(Array.from({ length: 1_470 }, (_, index) => index + 1));
    expect(ahead).to.deep.equal([]);
    expect(store.lastSeq('account')).to.equal(1_470);
  });

  it('commits for everybody though a listener throws', async () => {
    const told: number[] = [];
    store.onCommitted(() => {
      throw new Error('listener');
    });
    store.onCommitted((events) => told.push(...events.map(({ seq }) => seq)));
    const results = await Promise.all([1, 2].map(() => store.commit({ events: [event()] })));
    expect(results.every(({ ok }) => ok)).to.equal(true);
    expect(told).to.deep.equal([1, 2]);
  });

  it('does in one batch what the units would have done one after the other', async () => {
    const owner = user();
    const first = session(owner.id);
    const again = { ...first, refreshHash: 'b' };
    const results = await Promise.all([
      store.commit({ users: [owner] }),
      store.commit({ sessions: [first] }),
      store.commit({ deletes: [{ from: 'sessions', id: first.id }] }),
      store.commit({ sessions: [again] }),
      store.commit({ settings: [{ key: 'k', value: '1' }] }),
      store.commit({ settings: [{ key: 'k', value: '2' }] }),
    ]);
    expect(results.every(({ ok }) => ok)).to.equal(true);
    expect(await store.sessions()).to.deep.equal([again]);
    expect(await store.setting('k')).to.equal('2');
  });

  it('shows a committed unit to every read that starts after its promise resolved', async () => {
    for (let round = 0; round < 50; round += 1) {
      const rows = Array.from({ length: 4 }, () => execution());
      await Promise.all(
        rows.map(async (row) => {
          await store.commit({ newExecutions: [row] });
          expect(await store.execution('account', row.id)).to.deep.equal(row);
        }),
      );
    }
  });
});
