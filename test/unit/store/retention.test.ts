import { expect } from 'chai';
import { event, START, storeForEachTest } from '../../support/store-records.ts';

const DAY_MS = 86_400_000;

describe('store: retention', () => {
  const store = storeForEachTest();

  it('drops events after seven days, many at a time, and goes on numbering', async () => {
    const old = Array.from({ length: 1_234 }, () => event({ timestamp: START }));
    const young = Array.from({ length: 3 }, () => event({ timestamp: START + 1 }));
    await store.commit({ events: [...old, ...young, event({ tradeAccountId: 'another' })] });

    await store.prune(START + 7 * DAY_MS - 1);
    expect((await store.events('account', 0, 5_000)).events).to.have.length(1_237);

    await store.prune(START + 7 * DAY_MS);
    const kept = await store.events('account', 0, 5_000);
    expect(kept.events.map(({ seq }) => seq)).to.deep.equal([1_235, 1_236, 1_237]);
    expect([kept.oldest, kept.last]).to.deep.equal([1_235, 1_237]);
    expect(await store.events('another', 0, 5_000)).to.deep.equal({ events: [], oldest: 0, last: 1 });

    const next = await store.commit({ events: [event({ timestamp: START + 9 * DAY_MS })] });
    expect(next.ok && next.value[0]?.seq).to.equal(1_238);
  });

  it('never makes a hole, though a later event has an older time', async () => {
    const times = [START, START + DAY_MS, START - 5, START];
    await store.commit({ events: times.map((timestamp) => event({ timestamp })) });
    await store.prune(START + 7 * DAY_MS);
    expect((await store.events('account', 0, 10)).events.map(({ seq }) => seq)).to.deep.equal([2, 3, 4]);
  });

  it('frees idempotency keys after 24 hours', async () => {
    const record = (key: number, createdAt: number) => ({
      userId: 'user',
      route: 'POST /trade/open',
      key: String(key),
      requestHash: 'h',
      status: 202,
      answer: '{}',
      createdAt,
    });
    const old = Array.from({ length: 700 }, (_, index) => record(index, START - DAY_MS));
    const young = record(700, START - DAY_MS + 1);
    await store.commit({ idempotency: [...old, young] });
    await store.prune(START);
    const again = await store.commit({ idempotency: old.map((one) => ({ ...one, createdAt: START })) });
    expect(again.ok).to.equal(true);
    const tooEarly = await store.commit({ idempotency: [young] });
    expect(tooEarly.ok ? '' : tooEarly.error.kind).to.equal('conflict');
  });

  it('drops funding rates after 31 days', async () => {
    const hour = (at: number) => ({
      connector: 'paper',
      hour: at,
      rates: { 'BTC-PERP': ['0.00001', 1] as const },
    });
    await store.commit({ fundingRates: [hour(START - 31 * DAY_MS), hour(START - 30 * DAY_MS)] });
    await store.prune(START);
    const kept = await store.fundingPoints('paper', 'BTC-PERP', 0, START);
    expect(kept).to.deep.equal([{ hour: START - 30 * DAY_MS, rate: ['0.00001', 1] }]);
  });
});
