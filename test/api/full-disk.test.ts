/** A disk that fills up: a warning before, closing and panic meanwhile, recorded before they are sent, and one notice afterwards. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openStore } from '../../gateway/store/open-store.ts';
import { startTestGateway, type TestAnswer, type TestGateway, whileTimePasses } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { callTool, newClient } from '../support/mcp-client.ts';
import { PAIR, type Trader, trader, usd } from '../support/trader.ts';
import { until } from '../support/until.ts';

const GIB = 1024 ** 3;
const WAY_OUT =
  /cannot write to its database.*free some space on the disk of the data folder.*closed at the venue/;

describe('API: a disk that is full', () => {
  let gateway: TestGateway;
  let bot: Trader;
  /** Bytes that the disk has left. */
  let free: number;

  const reserve = () => join(gateway.dataDir, 'disk-reserve');
  /** As SQLite answers on a full disk: what is set aside has to be given back before anything can be written. */
  const isRefusing = () => free === 0 && existsSync(reserve());
  let isWithoutReserve: boolean;

  beforeEach(async () => {
    free = 100 * GIB;
    isWithoutReserve = false;
    gateway = await startTestGateway({
      overrides: {
        disk: { free: async () => free },
        async openStore(options) {
          const store = await openStore(options);
          return {
            ...store,
            commit: async (unit) =>
              isRefusing() || (free === 0 && isWithoutReserve)
                ? {
                    ok: false,
                    error: { kind: 'unavailable', message: 'SQLITE_FULL: database or disk is full' },
                  }
                : store.commit(unit),
          };
        },
      },
    });
    bot = await trader(gateway);
  });
  afterEach(async () => {
    free = 100 * GIB;
    await gateway.close();
  });

  const soon = (look: () => Promise<boolean>) => until(gateway.clock, 'the disk is looked at', look);
  const call = (method: string, path: string, body?: object): Promise<TestAnswer> =>
    whileTimePasses(gateway.clock, bot.call(method, path, body));
  async function setAside(): Promise<void> {
    await gateway.clock.advance(6_000);
    await soon(async () => existsSync(reserve()));
  }
  const storage = async (): Promise<Json> => {
    const { json } = await gateway.request('GET', '/ready');
    return json.checks.find(({ name }: Json) => name === 'storage');
  };
  const told = async (): Promise<Json[]> => {
    const { notifications } = (await bot.call('GET', '/notifications')).json;
    return notifications.filter(({ category }: Json) => category === 'DISK_SPACE');
  };
  const opened = async (symbol: string): Promise<string> => {
    const { id } = (await call('POST', '/trade/open', { type: 'MARKET', legs: [usd(symbol, 'BUY', '500')] }))
      .json.execution;
    return (await bot.ended(id)).positionId;
  };
  const refused = (answer: TestAnswer) => {
    expect([answer.status, answer.json.errorCode], answer.text).to.deep.equal([500, 'DATABASE_ERROR']);
    expect(answer.json.message).to.match(WAY_OUT);
  };

  async function closeOverMcp(id: string): Promise<void> {
    const client = await newClient(gateway.url, { 'x-api-key': bot.key });
    try {
      const tool = (name: string, args: Record<string, unknown>) =>
        whileTimePasses(gateway.clock, callTool(client, name, args));
      const change = { account: bot.accountId, position_id: id, action: 'close' };
      const { preview_id, summary } = (await tool('preview_change', change)).data;
      const placed = await tool('place_order', { preview_id, summary, reason: 'a test' });
      expect(placed.data?.outcome, placed.text).to.equal('FILLED');
      expect((await call('GET', `/positions/${id}`)).json.status).to.equal('CLOSED');
    } finally {
      await client.close();
    }
  }

  it('is warned of while there is room: once, until there is enough again', async () => {
    free = GIB / 2;
    await gateway.clock.advance(60_000);
    await soon(async () => (await told()).length === 1);
    await gateway.clock.advance(180_000);
    const [notice, ...more] = await told();
    expect(more).to.deep.equal([]);
    expect(notice.parameters.reason).to.match(/^512 MiB are free on the disk of the data folder/);
    expect(await storage()).to.deep.include({ ok: true, detail: notice.parameters.reason });
    free = 2 * GIB;
    await gateway.clock.advance(60_000);
    await soon(async () => (await storage()).detail === null);
    free = GIB / 4;
    await gateway.clock.advance(60_000);
    await soon(async () => (await told()).length === 2);
  });

  it('lets a position close and a panic end, recorded as ever; opens nothing; tells once from when to when', async () => {
    const [first, second, third] = [await opened('SOL'), await opened('LINK'), await opened('DOGE')];
    await setAside();
    free = 0;
    const from = gateway.clock.now();
    refused(await call('POST', '/trade/open', { type: 'MARKET', legs: PAIR }));
    expect(existsSync(reserve()), 'an opening order does not use it').to.equal(true);

    const closed = await call('POST', `/positions/${first}/close`, { type: 'MARKET' });
    expect(closed.status, closed.text).to.equal(202);
    expect(await bot.ended(closed.json.execution.id)).to.include({ status: 'COMPLETED' });
    expect((await call('GET', `/positions/${first}`)).json.status).to.equal('CLOSED');
    await closeOverMcp(third);
    refused(await call('POST', '/trade/open', { type: 'MARKET', legs: PAIR }));
    refused(await call('POST', '/schedules', { legs: PAIR, durationSeconds: 600, intervalSeconds: 60 }));
    expect((await storage()).ok).to.equal(false);
    expect((await storage()).detail).to.contain('only closing orders are taken');

    const panic = await call('POST', '/safety/panic', { confirm: 'CLOSE ALL' });
    expect(panic.status, panic.text).to.be.within(200, 202);
    await soon(async () => (await bot.call('GET', `/positions/${second}`)).json.status === 'CLOSED');
    expect(await told()).to.deep.equal([]);

    free = 100 * GIB;
    await gateway.clock.advance(60_000);
    await soon(async () => (await told()).length === 1);
    const [notice] = await told();
    const [, since, till] = /from (\S+) to (\S+), and refused \d+ times\. Closing went on/.exec(
      notice.parameters.reason,
    ) ?? ['', '', ''];
    expect(Date.parse(since ?? '')).to.be.within(from, from + 60_000);
    expect(Date.parse(till ?? '')).to.be.within(Date.parse(since ?? ''), gateway.clock.now());
    expect(existsSync(reserve())).to.equal(true);
    await call('POST', '/safety/resume');
    expect((await call('POST', '/trade/open', { type: 'MARKET', legs: PAIR })).status).to.equal(202);
    await gateway.clock.advance(120_000);
    expect(await told()).to.have.length(1);
  });

  it('lets a stop-loss fire, and close its position @long', async () => {
    const position = await opened('SOL');
    const stopLoss = { type: 'PERCENTAGE', value: '5' };
    expect((await call('PUT', `/positions/${position}/brackets`, { stopLoss })).status).to.equal(200);
    await setAside();
    free = 0;
    await gateway.gateway.paperVenue('paper').shock('SOL-PERP', 0.9);
    await soon(async () => (await bot.call('GET', `/positions/${position}`)).json.status === 'CLOSED');
    expect((await storage()).ok, 'the disk is full on').to.equal(false);
    free = 100 * GIB;
    await gateway.clock.advance(60_000);
    const { notifications } = (await bot.call('GET', '/notifications')).json;
    expect(notifications.map(({ category }: Json) => category)).to.include('STOP_LOSS_HIT');
  });

  it('without space set aside refuses what closes too, sends nothing, and says the way out', async () => {
    const position = await opened('SOL');
    isWithoutReserve = true;
    free = 0;
    const fills = async () => (await bot.call('GET', '/fills')).json.fills.length;
    const before = await fills();
    refused(await call('POST', `/positions/${position}/close`, { type: 'MARKET' }));
    refused(await call('POST', '/safety/panic', { confirm: 'CLOSE ALL' }));
    await gateway.clock.advance(10_000);
    expect(await fills()).to.equal(before);
    expect((await bot.call('GET', `/positions/${position}`)).json.status).to.equal('OPEN');
    free = 100 * GIB;
    const closed = await call('POST', `/positions/${position}/close`, { type: 'MARKET' });
    expect(closed.status, closed.text).to.equal(202);
    await bot.ended(closed.json.execution.id);
    await soon(async () => (await told()).length === 1);
  });
});
