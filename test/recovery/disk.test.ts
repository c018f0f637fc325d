/**
 * A disk that takes no writes: whatever would have to be written is refused with DATABASE_ERROR and leaves nothing behind,
 * but for closes on a full one, which are recorded in the space set aside; reads go on, what the venue has done is kept until it can be written, and nothing has to be restarted afterwards.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { until } from '../real-time/support/until.ts';
import { readAccount } from '../support/account-state.ts';
import { auditAccount, readVenue } from '../support/audit-account.ts';
import { buildGateway } from '../support/gateway-process.ts';
import type { Json } from '../support/json.ts';
import { type SimInspector, type SimProcess, startSim } from '../support/sim-client.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { PAIR, type Trader, trader, usd } from '../support/trader.ts';
import { MEDIA, type Medium, type UnwritableGateway } from './support/unwritable-media.ts';

describe('a disk that takes no writes', () => {
  before(function () {
    this.timeout(90_000);
    buildGateway();
  });
  for (const medium of MEDIA)
    describe(`${medium.name}${medium === MEDIA[0] ? '' : ' @long'}`, () => behaviourOn(medium));
});

function behaviourOn(medium: Medium): void {
  let sim: SimProcess | null = null;
  let inspector: SimInspector;
  let gateway: UnwritableGateway | null = null;
  let bot: Trader;

  before(async function () {
    const folder = await temporaryFolder();
    if (!medium.isPossible(folder)) this.skip();
    sim = await startSim({ dataDir: await temporaryFolder() });
    inspector = await sim.inspect();
    gateway = await medium.start(folder, sim.port);
  });
  after(async () => {
    await gateway?.close();
    if (sim === null) return;
    inspector.close();
    await sim.stop();
  });

  const running = (): UnwritableGateway => {
    if (gateway === null) throw new Error('not started');
    return gateway;
  };
  const refused = (answer: { readonly status: number; readonly json: Json }) => {
    expect(answer.status, JSON.stringify(answer.json)).to.equal(500);
    expect(answer.json).to.include({ errorCode: 'DATABASE_ERROR' });
  };
  const read = () => readAccount(running(), running().port, bot);
  const storageReady = async () => {
    const { json } = await running().request('GET', '/ready');
    return json.checks.find(({ name }: Json) => name === 'storage').ok;
  };
  const agrees = async () => {
    expect(auditAccount(await read(), await readVenue(inspector, bot.accountId))).to.deep.equal([]);
  };

  it('refuses the first registration and leaves nothing of it: the same e-mail registers later, with its account', async () => {
    const { request, refuseWrites, allowWrites } = running();
    const body = { email: 'ada@example.test', password: 'correct horse battery' };
    await refuseWrites();
    refused(await request('POST', '/auth/register', { body }));
    const login = await request('POST', '/auth/login', { body: { method: 'email', ...body } });
    expect(login.status).to.equal(401);
    await allowWrites();
    bot = await trader(running(), { email: body.email });
    expect(bot.accountId).to.be.a('string').and.not.equal('');
  });

  it('refuses to open a basket: nothing acknowledged, recorded or sent; reads work; the same key opens it later', async () => {
    const { refuseWrites, allowWrites } = running();
    await bot.open(PAIR);
    const before = await read();
    const keyed = { 'idempotency-key': 'while the disk is full' };
    const order = { type: 'MARKET', legs: [usd('SOL', 'BUY', '500'), usd('BNB', 'SELL', '500')] };
    await refuseWrites();
    refused(await bot.call('POST', '/trade/open', order));
    refused(await bot.call('POST', '/trade/open', order, keyed));
    const id = before.positions[0].id;
    if (!medium.isClosing) refused(await bot.call('POST', `/positions/${id}/close`, { type: 'MARKET' }));
    refused(await bot.call('POST', `/positions/${id}/adjust`, { intent: 'INCREASE', fraction: '0.5' }));
    expect(await storageReady(), '/ready').to.equal(false);
    const during = await read();
    expect(during.executions).to.deep.equal(before.executions);
    expect(during.fills).to.deep.equal(before.fills);
    expect(during.events).to.deep.equal(before.events);
    expect((await bot.call('GET', '/prices?connector=paper')).status).to.equal(200);
    expect((await bot.call('POST', '/trade/open', { ...order, dryRun: true })).status).to.equal(200);
    await allowWrites();
    expect(await storageReady(), '/ready').to.equal(true);

    const answer = await bot.call('POST', '/trade/open', order, keyed);
    expect(answer.status, answer.text).to.equal(202);
    expect(answer.headers.get('idempotency-replayed')).to.equal(null);
    expect((await bot.ended(answer.json.execution.id)).status).to.equal('COMPLETED');
    expect((await bot.execute(`/positions/${id}/close`, { type: 'MARKET' })).status).to.equal('COMPLETED');
    await agrees();
  });

  it('closes a position while it is full, and nothing else; the close is recorded', async function () {
    if (!medium.isClosing) this.skip();
    const { refuseWrites, allowWrites } = running();
    const { positionId } = await bot.open(PAIR);
    await refuseWrites();
    refused(await bot.call('POST', '/trade/open', { type: 'MARKET', legs: PAIR }));
    expect((await bot.execute(`/positions/${positionId}/close`, { type: 'MARKET' })).status).to.equal(
      'COMPLETED',
    );
    refused(await bot.call('POST', '/trade/open', { type: 'MARKET', legs: PAIR }));
    expect(await storageReady(), '/ready').to.equal(false);
    await agrees();
    await allowWrites();
    expect(await storageReady(), '/ready').to.equal(true);
    const told = async () => {
      const { notifications } = (await bot.call('GET', '/notifications')).json;
      return notifications.filter(
        ({ category, parameters }: Json) =>
          category === 'DISK_SPACE' && parameters.reason.includes('Closing went on'),
      );
    };
    // Its commit follows the answer of /ready.
    await until('the user is told', async () => (await told()).length > 0);
    expect(await told()).to.have.length(1);
  });

  it('keeps what the venue did until it can be written: the execution waits ACTIVE, then completes', async () => {
    const { refuseWrites, allowWrites } = running();
    await inspector.setFaults({ rules: [{ match: { batch: 1 }, action: { kind: 'delay', delayMs: 600 } }] });
    const answer = await bot.call('POST', '/trade/open', { type: 'MARKET', legs: PAIR });
    const { id } = answer.json.execution;
    const execution = async () => (await bot.call('GET', `/executions/${id}`)).json.execution;
    while ((await execution()).status === 'IDLE') await sleep(5);
    const filled = (await venueFills()).length;
    await refuseWrites();
    while ((await venueFills()).length === filled) await sleep(20);
    await sleep(500);
    const waiting = await execution();
    expect(waiting.status).to.equal('ACTIVE');
    expect(waiting.orders.map((order: Json) => order.filledQuantity)).to.deep.equal(['0', '0']);
    refused(await bot.call('POST', '/trade/open', { type: 'MARKET', legs: [usd('XRP', 'BUY', '100')] }));
    await allowWrites();
    expect((await bot.ended(id)).status).to.equal('COMPLETED');
    await agrees();
  });

  it('sends nothing of an accepted basket that cannot be made ACTIVE, until it can', async () => {
    const { refuseWrites, allowWrites } = running();
    // Preparing asks the venue: while it hangs, the execution stays where it is.
    const venuePid = sim?.pid ?? 0;
    process.kill(venuePid, 'SIGSTOP');
    const answer = await bot.expect('POST', '/trade/open', { type: 'MARKET', legs: PAIR }, 202);
    await refuseWrites();
    process.kill(venuePid, 'SIGCONT');
    const { orders } = await readVenue(inspector, bot.accountId);
    await sleep(500);
    const { id } = answer.execution;
    expect((await bot.call('GET', `/executions/${id}`)).json.execution.status).to.equal('IDLE');
    expect((await readVenue(inspector, bot.accountId)).orders).to.deep.equal(orders);
    await allowWrites();
    expect((await bot.ended(id)).status).to.equal('COMPLETED');
    await agrees();
  });

  it('refuses registration, key and leverage, and leaves nothing half done', async () => {
    const { request, refuseWrites, allowWrites } = running();
    const bearer = { authorization: `Bearer ${bot.accessToken}` };
    const set = (leverage: number) =>
      bot.call('PUT', '/leverage', { symbol: 'LINK-PERP', leverage, marginMode: 'cross' });
    const settings = async () => (await bot.call('GET', '/leverage')).json.leverage;
    const keys = async () => (await request('GET', '/api-keys', { headers: bearer })).json.apiKeys;
    expect((await set(3)).status).to.equal(200);
    expect((await bot.open([usd('LINK', 'BUY', '300')])).status).to.equal('COMPLETED');
    const before = { settings: await settings(), keys: (await keys()).length };
    await refuseWrites();
    const body = { email: 'grace@example.test', password: 'correct horse battery' };
    refused(await request('POST', '/auth/register', { body }));
    refused(
      await request('POST', '/api-keys', { headers: bearer, body: { label: 'late', scope: 'read_write' } }),
    );
    refused(await set(7));
    refused(
      await request('POST', '/trade-accounts', {
        headers: bearer,
        body: { alias: 'Late', connector: 'paper' },
      }),
    );
    expect(await settings()).to.deep.equal(before.settings);
    expect((await keys()).length).to.equal(before.keys);
    await allowWrites();

    const account = { tradeAccountId: bot.accountId, exchangeIdentifier: bot.accountId };
    const held = (await inspector.positions(account)).find(({ symbol }) => symbol === 'LINK-PERP');
    expect(held?.leverage, 'the venue keeps what the gateway keeps').to.equal(3);
    expect((await request('POST', '/auth/register', { body })).status).to.equal(201);
    expect((await set(7)).status).to.equal(200);
    expect((await settings())[0].leverage).to.equal(7);
  });

  it('starts again while it is full after it was killed, and closes', async function () {
    const { refuseWrites, allowWrites, killAndStart } = running();
    if (killAndStart === undefined) this.skip();
    const { positionId } = await bot.open(PAIR);
    await refuseWrites();
    await killAndStart();
    expect((await bot.execute(`/positions/${positionId}/close`, { type: 'MARKET' })).status).to.equal(
      'COMPLETED',
    );
    await agrees();
    await allowWrites();
    expect(await storageReady(), '/ready').to.equal(true);
  });

  const venueFills = () =>
    inspector.fills({ tradeAccountId: bot.accountId, exchangeIdentifier: bot.accountId });
}
