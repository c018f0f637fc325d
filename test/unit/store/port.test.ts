import { expect } from 'chai';
import fc from 'fast-check';
import type { FundingPayment, Order } from '../../../gateway/domain/model.ts';
import type { Page } from '../../../gateway/engine/ports/pages.ts';
import type { Store } from '../../../gateway/engine/ports/store.ts';
import type { UnitOfWork } from '../../../gateway/engine/ports/unit-of-work.ts';
import { forAllAsync, propertyRuns } from '../../support/property-runs.ts';
import {
  committed,
  event,
  execution,
  fill,
  nextId,
  paperAccount,
  position,
  START,
  session,
  storeForEachTest,
  user,
} from '../../support/store-records.ts';

describe('store: the port on a real file', () => {
  const store = storeForEachTest();
  const commit = (unit: UnitOfWork) => committed(store, unit);

  it('answers an empty file with nothing', async () => {
    expect(await store.execution('account', nextId())).to.equal(null);
    expect(await store.position('account', nextId())).to.equal(null);
    expect(await store.unfinishedExecutions()).to.deep.equal([]);
    expect(await store.openPositions()).to.deep.equal([]);
    expect(await store.executions({ tradeAccountId: 'account' }, { limit: 5, after: null })).to.deep.equal({
      rows: [],
      next: null,
    });
    expect(await store.events('account', 0, 10)).to.deep.equal({ events: [], oldest: 0, last: 0 });
    expect(store.lastSeq('account')).to.equal(0);
    expect(await store.setting('x')).to.equal(null);
    expect(await store.ping()).to.equal(true);
  });

  it('keeps an execution with its orders, then replaces it whole', async () => {
    const first = execution({}, 3);
    await commit({ newExecutions: [first] });
    expect(await store.execution('account', first.id)).to.deep.equal(first);
    expect(await store.execution('another', first.id)).to.equal(null);
    expect(await store.unfinishedExecutions()).to.deep.equal([first]);

    const done = {
      ...first,
      status: 'COMPLETED',
      activeAt: START + 5,
      updatedAt: START + 5,
      finishedAt: START + 6,
      positionId: nextId(),
      orders: first.orders.map((row) => ({
        ...row,
        status: 'FILLED' as const,
        quantity: '0.01',
        limitPrice: '98094.7',
        attempt: 1,
        clientOrderId: `0x${row.legIndex}`,
        expiresAt: START + 9,
        filledQuantity: '0.01',
        averagePrice: '97000.123456789012345678',
        updatedAt: START + 6,
      })),
    } as const;
    await commit({ executions: [done] });
    expect(await store.execution('account', first.id)).to.deep.equal(done);
    expect(await store.unfinishedExecutions()).to.deep.equal([]);
    const listed = await store.executions({ tradeAccountId: 'account' }, { limit: 5, after: null });
    expect(listed).to.deep.equal({ rows: [done], next: null });
  });

  it('keeps each value of an order, whichever of them an order has', async () => {
    const values: Partial<Order>[] = [
      { reduceOnly: true },
      { status: 'CANCELLED' },
      { filledQuantity: '0.5' },
      { quantity: '2' },
      { limitPrice: '3' },
      { attempt: 4 },
      { clientOrderId: '0x5' },
      { expiresAt: START + 6 },
      { venueOrderId: '7' },
      { averagePrice: '8.125' },
      { error: 'nine "quoted"' },
      { errorCode: 'VENUE_REJECTED' },
      { updatedAt: START + 11 },
    ];
    const given = execution({}, values.length);
    const orders = given.orders.map((row, leg) => ({ ...row, ...values[leg] }));
    await commit({ newExecutions: [{ ...given, orders }] });
    expect((await store.execution('account', given.id))?.orders).to.deep.equal(orders);
  });

  it('gives the unfinished executions oldest first, with their orders by leg', async () => {
    const late = execution({ createdAt: START + 2, status: 'ACTIVE' });
    const early = execution({ createdAt: START + 1 }, 4);
    const over = execution({ createdAt: START, status: 'FAILED' });
    await commit({ newExecutions: [late, early, over] });
    expect(await store.unfinishedExecutions()).to.deep.equal([early, late]);
  });

  it('filters executions by connector, statuses and origins', async () => {
    const a = execution({ createdAt: START + 1, status: 'COMPLETED' });
    const b = execution({ createdAt: START + 2, status: 'FAILED', origin: 'TRIGGER' });
    const c = execution({ createdAt: START + 3, status: 'ACTIVE', connector: 'paper-cross' });
    const d = execution({ createdAt: START + 4, status: 'CANCELLED' });
    const foreign = execution({ createdAt: START + 5, tradeAccountId: 'another' });
    await commit({ newExecutions: [a, b, c, d, foreign] });
    const list = async (filter: Omit<Parameters<Store['executions']>[0], 'tradeAccountId'>) =>
      (await store.executions({ tradeAccountId: 'account', ...filter }, { limit: 10, after: null })).rows;
    expect(await list({})).to.deep.equal([d, c, b, a]);
    expect(await list({ connector: 'paper-cross' })).to.deep.equal([c]);
    expect(await list({ statuses: ['COMPLETED', 'FAILED'] })).to.deep.equal([b, a]);
    expect(await list({ statuses: ['CANCELLED'] })).to.deep.equal([d]);
    expect(await list({ statuses: ['FAILED', 'CANCELLED'] })).to.deep.equal([d, b]);
    expect(await list({ statuses: ['ACTIVE'] })).to.deep.equal([c]);
    expect(await list({ statuses: [] })).to.deep.equal([]);
    expect(await list({ origins: ['TRIGGER', 'LADDER'] })).to.deep.equal([b]);
    expect(await list({ statuses: ['FAILED'], origins: ['API'] })).to.deep.equal([]);
  });

  it('keeps fills, by account, position and execution, and knows their trade ids', async () => {
    const x = fill({ timestamp: START + 1, positionId: 'p', executionId: 'e', isLiquidation: true });
    const y = fill({ timestamp: START + 2, positionId: 'p', cloid: '0x1', isProvisional: true });
    const z = fill({ timestamp: START + 3, executionId: 'e', connector: 'paper-cross', liquidity: 'MAKER' });
    const foreign = fill({ tradeAccountId: 'another', positionId: 'p', tradeId: x.tradeId });
    await commit({ fills: [z, x, y, foreign] });
    const page = { limit: 10, after: null };
    const account = { tradeAccountId: 'account', descending: true };
    expect((await store.fills(account, page)).rows).to.deep.equal([z, y, x]);
    expect((await store.fills({ ...account, descending: false }, page)).rows).to.deep.equal([x, y, z]);
    expect((await store.fills({ ...account, positionId: 'p' }, page)).rows).to.deep.equal([y, x]);
    expect((await store.fills({ ...account, connector: 'paper-cross' }, page)).rows).to.deep.equal([z]);
    expect(await store.fillsOfExecution('e')).to.deep.equal([x, z]);
    expect(await store.knownTradeIds('account', [x.tradeId, 'never'])).to.deep.equal(new Set([x.tradeId]));
    expect(await store.knownTradeIds('another', [y.tradeId])).to.deep.equal(new Set());
    expect(await store.knownTradeIds('account', [])).to.deep.equal(new Set());
  });

  it('knows funding by venue id, one payment shared by two positions', async () => {
    const payment = {
      tradeAccountId: 'account',
      venueId: 'f1',
      symbol: 'BTC-PERP',
      amount: '-0.5',
      rate: '0.0001',
    };
    const both = ['p', 'q'].map((positionId) => ({
      ...payment,
      id: `f1-${positionId}`,
      positionId,
      timestamp: START,
    }));
    await commit({ funding: both });
    expect(await store.knownFunding('account', ['f1', 'f2'])).to.deep.equal(new Set(['f1']));
    const again = await store.commit({ funding: both.slice(0, 1) });
    expect(again).to.deep.include({ ok: false });
    expect(again.ok ? '' : again.error.kind).to.equal('conflict');
  });

  it('lists funding payments by time, page by page, inside a range and of one account', async () => {
    const at = (timestamp: number, id: string, tradeAccountId = 'account'): FundingPayment => ({
      ...{ id, tradeAccountId, venueId: id, positionId: 'p', symbol: 'BTC-PERP', amount: '1', rate: '0.1' },
      timestamp,
    });
    // Several of one moment, as every settlement brings them.
    const rows = [at(START, 'a'), at(START, 'c'), at(START, 'b'), at(START + 5, 'd'), at(START + 9, 'e')];
    await commit({ funding: [...rows, at(START, 'x', 'another')] });
    const ever = { tradeAccountId: 'account', from: 0, to: Number.MAX_SAFE_INTEGER };
    const found: string[] = [];
    let after: { readonly key: number; readonly id: string } | null = null;
    do {
      const page: Page<FundingPayment> = await store.fundingPayments(ever, { limit: 2, after });
      found.push(...page.rows.map(({ id }) => id));
      after = page.next;
    } while (after !== null);
    expect(found).to.deep.equal(['e', 'd', 'c', 'b', 'a']);
    const some = { ...ever, from: START + 1, to: START + 9 };
    const page = await store.fundingPayments(some, { limit: 9, after: null });
    expect(page.rows).to.deep.equal([rows[3]]);
    expect(await store.positionsByIds('account', [])).to.deep.equal([]);
  });

  it('replaces positions whole and lists them both ways', async () => {
    const open = position({ createdAt: START + 1, updatedAt: START + 9 });
    const closed = position({
      createdAt: START + 2,
      updatedAt: START + 3,
      status: 'CLOSED',
      closedAt: START + 3,
    });
    await commit({ positions: [open, closed] });
    expect(await store.position('account', open.id)).to.deep.equal(open);
    expect(await store.position('another', open.id)).to.equal(null);
    expect(await store.openPositions()).to.deep.equal([open]);
    const list = async (filter: Partial<Parameters<Store['positions']>[0]>) =>
      (
        await store.positions(
          { tradeAccountId: 'account', orderBy: 'createdAt', descending: true, ...filter },
          { limit: 10, after: null },
        )
      ).rows;
    expect(await list({})).to.deep.equal([closed, open]);
    expect(await list({ orderBy: 'updatedAt' })).to.deep.equal([open, closed]);
    expect(await list({ orderBy: 'updatedAt', descending: false })).to.deep.equal([closed, open]);
    expect(await list({ statuses: ['OPEN'] })).to.deep.equal([open]);
    expect(await list({ statuses: ['CLOSED'] })).to.deep.equal([closed]);
    expect(await list({ statuses: ['OPEN', 'CLOSED'], connector: 'other' })).to.deep.equal([]);
    const grown = { ...open, updatedAt: START + 20, legs: [...open.legs, ...open.legs], entryRatio: null };
    await commit({ positions: [grown] });
    expect(await store.openPositions()).to.deep.equal([grown]);
  });

  it('keeps users, sessions, keys, accounts, leverage, settings and cursors across a restart', async () => {
    const owner = user({ email: 'ada@example.org', passwordHash: '$argon2id$x', displayName: 'Ada' });
    const opened = session(owner.id);
    const apiKey = {
      id: nextId(),
      userId: owner.id,
      label: 'bot',
      scope: 'read_write' as const,
      keyPrefix: 'tdm_ab',
      keyHash: 'h1',
      tradeAccountIds: ['one', 'two'],
      expiresAt: null,
      lastUsedAt: null,
      createdAt: START,
    };
    const metadata = { note: 'x', depth: [1, { y: null }] };
    const account = paperAccount({ userId: owner.id, metadata });
    const leverage = {
      tradeAccountId: account.id,
      symbol: 'BTC-PERP',
      leverage: 5,
      marginMode: 'isolated' as const,
      updatedAt: START,
    };
    await commit({
      users: [owner],
      sessions: [opened],
      apiKeys: [apiKey],
      accounts: [account],
      leverage: [leverage],
      settings: [{ key: 'seed', value: '1' }],
      cursors: [{ tradeAccountId: account.id, kind: 'history', value: 'c1' }],
    });
    const rotated = { ...opened, refreshHash: 'r2', lastUsedAt: START + 1 };
    const used = { ...apiKey, lastUsedAt: START + 1, tradeAccountIds: null };
    const higher = { ...leverage, leverage: 10 };
    await commit({
      sessions: [rotated],
      apiKeys: [used],
      leverage: [higher],
      settings: [{ key: 'seed', value: '2' }],
      cursors: [{ tradeAccountId: account.id, kind: 'history', value: 'c2' }],
    });
    await store.reopen();
    expect(await store.users()).to.deep.equal([owner]);
    expect(await store.sessions()).to.deep.equal([rotated]);
    expect(await store.apiKeys()).to.deep.equal([used]);
    expect(await store.accounts()).to.deep.equal([account]);
    expect(await store.leverage()).to.deep.equal([higher]);
    expect(await store.setting('seed')).to.equal('2');
    expect(await store.cursor(account.id, 'history')).to.equal('c2');
    expect(await store.cursor(account.id, 'other')).to.equal(null);

    await commit({
      deletes: [
        { from: 'sessions', id: opened.id },
        { from: 'apiKeys', id: apiKey.id },
        { from: 'accounts', id: account.id },
      ],
    });
    expect([await store.sessions(), await store.apiKeys(), await store.accounts()]).to.deep.equal([
      [],
      [],
      [],
    ]);
  });

  it('refuses a second user with the same e-mail, whatever its case', async () => {
    await commit({
      users: [user({ email: 'ada@example.org' }), user({ email: null }), user({ email: null })],
    });
    const second = await store.commit({ users: [user({ email: 'Ada@example.org' })] });
    expect(second.ok ? '' : second.error.kind).to.equal('conflict');
  });

  it('rejects the promise for what only a bug can cause', async () => {
    const orphan = session(nextId());
    const outcome = await store.commit({ sessions: [orphan] }).catch((error: unknown) => error);
    expect(outcome).to.be.instanceOf(Error).with.property('message').that.includes('FOREIGN KEY');
    expect((await store.commit({ newExecutions: [execution()] })).ok).to.equal(true);
  });

  it('remembers an idempotency key for 24 hours to the millisecond, then lets it be used again', async () => {
    let now = START;
    await store.reopen({ clock: { now: () => now } });
    const record = {
      userId: 'user',
      route: 'POST /trade/open',
      key: 'k',
      requestHash: 'h',
      status: 202,
      answer: '{"é":"\\u0000"}',
      createdAt: START,
    };
    await commit({ idempotency: [record] });
    now = START + 24 * 3_600_000 - 1;
    expect(await store.idempotency('user', 'POST /trade/open', 'k')).to.deep.equal(record);
    expect(await store.idempotency('user', 'POST /triggers/open', 'k')).to.equal(null);
    const again = await store.commit({ idempotency: [{ ...record, answer: '{}' }] });
    expect(again.ok ? '' : again.error.kind).to.equal('conflict');
    now += 1;
    expect(await store.idempotency('user', 'POST /trade/open', 'k')).to.equal(null);
    await commit({ idempotency: [{ ...record, createdAt: now }] });
    expect(await store.idempotency('user', 'POST /trade/open', 'k')).to.deep.equal({
      ...record,
      createdAt: now,
    });
  });

  it('keeps every text and decimal to the letter', async () => {
    const decimals = fc
      .tuple(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.stringMatching(/^[0-9]{1,18}$/))
      .map(([whole, fraction]) => `${whole}.${fraction}`);
    const texts = fc.string({ unit: 'binary' });
    await forAllAsync([decimals, texts], propertyRuns(60), async (decimal, text) => {
      const changes = { error: text, slippage: decimal, clientId: `${text}\0'"\\` };
      const untouched = execution(changes, 2);
      const orders = untouched.orders.map((order) => ({ ...order, symbol: text }));
      const row = { ...untouched, connector: text, orders };
      const legs = position({ basketKey: text }).legs.map((leg) => ({
        ...leg,
        symbol: text,
        quantity: decimal,
      }));
      const held = position({ legs, entryRatio: decimal });
      await commit({ newExecutions: [row], positions: [held] });
      expect(await store.execution('account', row.id)).to.deep.equal(row);
      expect(await store.position('account', held.id)).to.deep.equal(held);
    });
    const page = await store.executions({ tradeAccountId: 'account' }, { limit: 2000, after: null });
    for (const row of page.rows) expect(await store.execution('account', row.id)).to.deep.equal(row);
  });

  it('answers events after a number, oldest first, and numbers them on across a restart', async () => {
    const given = await commit({ events: [event(), event({ tradeAccountId: 'another' }), event()] });
    expect(given.map(({ tradeAccountId, seq }) => [tradeAccountId, seq])).to.deep.equal([
      ['account', 1],
      ['another', 1],
      ['account', 2],
    ]);
    await store.reopen();
    expect(store.lastSeq('account')).to.equal(2);
    const [third] = await commit({ events: [event()] });
    expect(third?.seq).to.equal(3);
    expect(await store.events('account', 1, 10)).to.deep.equal({
      events: [given[2], third],
      oldest: 1,
      last: 3,
    });
    expect(await store.events('account', 0, 1)).to.deep.equal({ events: [given[0]], oldest: 1, last: 3 });
  });

  it('is of no use after close: writes are refused, ping says so', async () => {
    const waiting = store.commit({ settings: [{ key: 'last', value: 'words' }] });
    await store.close();
    expect((await waiting).ok).to.equal(true);
    const late = await store.commit({ settings: [{ key: 'x', value: 'y' }] });
    expect(late.ok ? '' : late.error.kind).to.equal('unavailable');
    expect(await store.ping()).to.equal(false);
    await store.reopen();
    expect(await store.setting('last')).to.equal('words');
  });

  it('writes nothing in the benchmark mode, but numbers and tells events', async () => {
    await store.reopen({ commitMode: 'none' });
    const told: number[] = [];
    store.onCommitted((events) => told.push(...events.map(({ seq }) => seq)));
    await commit({ settings: [{ key: 'a', value: 'b' }], events: [event(), event()] });
    expect(told).to.deep.equal([1, 2]);
    expect(store.lastSeq('account')).to.equal(2);
    expect(await store.setting('a')).to.equal(null);
  });
});
