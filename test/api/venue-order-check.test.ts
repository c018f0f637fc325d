/** `POST /connectors/{id}/check` with orders, at the emulated Hyperliquid: each thing that can go wrong with the smallest orders. */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import type { PlaceOrder } from '../../gateway/engine/ports/venue.ts';
import { hyperliquid, hyperliquidInfo } from '../../gateway/venues/live/hyperliquid/connector.ts';
import { createHyperliquid } from '../../gateway/venues/live/hyperliquid/hyperliquid-venue.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import type { TestGateway } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { until } from '../support/until.ts';
import { accountAt, secretsOf, type TestAccount } from '../support/venues/hyperliquid/adapter.ts';
import { type Emulator, startEmulator } from '../support/venues/hyperliquid/emulator.ts';
import type { Fault } from '../support/venues/hyperliquid/faults.ts';
import { startGatewayWithVenue, withVenue } from '../support/venues/shared/gateway-with-venue.ts';
import { LiveAccountBase, LiveUser } from '../support/venues/shared/live-account.ts';

const STEPS = [
  ...[
    'order_far',
    'order_expired',
    'order_batch',
    'order_unknown',
    'order_open',
    'order_repeated',
    'order_lookup',
  ],
  ...['leverage', 'order_close', 'order_fills', 'order_fees'],
];

describe('API: orders of a check of a live venue', () => {
  const clock = createFakeClock();
  let emulator: Emulator;
  let gateway: TestGateway;
  let own: TestAccount;
  let live: LiveUser;
  let bot: LiveAccountBase;
  let network: 'mainnet' | 'testnet' = 'testnet';

  const id = () => (network === 'testnet' ? 'hyperliquid-testnet' : 'hyperliquid');
  const path = () => `/connectors/${id()}/check`;
  const check = async (more: object = {}): Promise<Json> => {
    const answer = await bot.ask('POST', path(), { tradeAccountId: bot.id, orders: true, ...more });
    expect(answer.status, answer.text).to.equal(200);
    return answer.json;
  };
  const failing = ({ steps }: Json): string[] =>
    steps.filter(({ ok }: Json) => !ok).map(({ name }: Json) => name);
  const stepOf = ({ steps }: Json, wanted: string): Json => steps.find(({ name }: Json) => name === wanted);
  const held = () => emulator.script.state(own.address).positions;
  const ordersSent = () => emulator.script.traffic().counts['order'] ?? 0;

  /** Alters orders on their way to the venue, as if it did not do as it should. */
  let bent: (order: PlaceOrder) => PlaceOrder = (order) => order;

  async function start(which: 'mainnet' | 'testnet'): Promise<void> {
    bent = (order) => order;
    network = which;
    emulator = await startEmulator({ clock, pulseMs: 100, network });
    emulator.script.setWeightPerMinute(null);
    own = accountAt(emulator, '10000');
    const { url, wsUrl } = emulator;
    const info = { ...hyperliquidInfo(which, url), settleMs: 500 };
    const plug = withVenue(hyperliquid, info, (host) => {
      const venue = createHyperliquid({
        ...{ info, network: which, origin: url, streamUrl: wsUrl, host },
        weightPerMinute: 1_000_000,
      });
      return { ...venue, placeBatch: (account, orders) => venue.placeBatch(account, orders.map(bent)) };
    });
    gateway = await startGatewayWithVenue(clock, plug, {});
    live = new LiveUser(gateway, (await gateway.register()).accessToken, id());
    bot = new LiveAccountBase(live, await live.add('Main', own.access.credentials));
    await live.untilSynced(bot.id);
  }

  afterEach(async () => {
    await gateway.close();
    await emulator.close();
  });

  describe('on the test network', () => {
    beforeEach(async function () {
      this.timeout(60_000);
      await start('testnet');
    });

    it('proves what Tandem relies on, holds nothing afterwards, and keeps when it was proven', async function () {
      this.timeout(60_000);
      const before = await check({ orders: false });
      expect(before).to.include({ ok: true, proven: null });
      expect(ordersSent()).to.equal(0);
      const report = await check({ transcript: true });
      expect(failing(report), JSON.stringify(report.steps)).to.deep.equal([]);
      expect(report.steps.map(({ name }: Json) => name)).to.include.members(STEPS);
      expect(held()).to.deep.equal([]);
      expect(report.proven).to.include({ at: report.at, version: report.version, network: 'testnet' });
      expect((await bot.ask('GET', path())).json.proven).to.deep.equal(report.proven);

      const text = JSON.stringify(report.transcript);
      expect(text).to.include('\\"type\\":\\"order\\"').and.to.include('updateLeverage');
      for (const secret of [...secretsOf(own), 'signature'])
        expect(text.toLowerCase().includes(secret), secret).to.equal(false);

      // Each at most 12 USD, all but the purchase unable to open anything.
      const { fills } = (await bot.ask('GET', '/fills')).json;
      const traded = fills.map(({ side, notional }: Json) => [side, Number(notional) <= 12]);
      expect(traded).to.deep.equal([
        ['SELL', true],
        ['BUY', true],
      ]);
      await until(gateway.clock, 'the books agree', async () => {
        const { json } = await bot.ask('POST', '/sync', {});
        return json.differences?.length === 0;
      });
      const { items } = (await bot.ask('GET', '/positions/unassigned')).json;
      expect(items.map(({ quantity }: Json) => quantity)).to.have.members(['0.00011', '-0.00011']);
      // They hold nothing: the next check takes the same instrument.
      const next = await check();
      expect(stepOf(next, 'order_open')).to.deep.equal(stepOf(report, 'order_open'));
    });

    const order = (fault: object): Fault => ({ on: 'order', ...fault }) as Fault;
    const BROKEN: readonly [string, string, () => void][] = [
      ['the answer of a lookup is a denial', 'order_lookup', () => emulator.script.forgetOrders(1_000)],
      [
        'a setting of leverage is refused',
        'leverage',
        () =>
          emulator.script.fault({
            on: 'updateLeverage',
            do: 'answer',
            json: { status: 'err', response: 'Cannot change leverage now' },
            times: null,
          } as Fault),
      ],
      [
        'the account pays more than the venue says',
        'order_fees',
        () => emulator.script.setFees(own.address, '0.00045', '0.00015'),
      ],
    ];
    for (const [what, step, breakIt] of BROKEN)
      it(`names the step that fails: ${what}${what === BROKEN.at(-1)?.[0] ? '' : ' @long'}`, async function () {
        this.timeout(90_000);
        breakIt();
        if (step === 'order_fees')
          emulator.script.fault({
            on: 'userFees',
            do: 'answer',
            json: { userCrossRate: '0.0001', userAddRate: '0.0001' },
            times: null,
          } as Fault);
        const report = await check();
        expect(failing(report), JSON.stringify(report.steps)).to.include(step);
        expect(report.ok).to.equal(false);
        expect(report.proven).to.equal(null);
        expect(held()).to.deep.equal([]);
        expect(stepOf(report, step).remedy).to.be.a('string');
      });

    it('a venue that executes a client order id twice, or an order past its expiry, is found out @long', async function () {
      this.timeout(90_000);
      const seen = new Set<string>();
      bent = (order) => {
        const isAgain = seen.has(order.clientOrderId);
        seen.add(order.clientOrderId);
        const clientOrderId = isAgain ? `0x${randomBytes(16).toString('hex')}` : order.clientOrderId;
        return { ...order, clientOrderId, expiresAt: order.expiresAt + 10_000 };
      };
      const report = await check();
      expect(failing(report)).to.include.members(['order_expired', 'order_repeated']);
      expect(stepOf(report, 'order_repeated').detail).to.include('twice');
      expect(held()).to.deep.equal([]);
      expect(report.proven).to.equal(null);
    });

    it('an answer that is lost is found out, and what was bought is sold all the same @long', async function () {
      this.timeout(90_000);
      emulator.script.fault(order({ do: 'lose_answer' }));
      emulator.script.fault(order({ do: 'lose_answer' }));
      const report = await check();
      expect(held()).to.deep.equal([]);
      expect(stepOf(report, 'order_close')).to.include({ ok: true });
    });

    it('what cannot be sold again is said, with what to do @long', async function () {
      this.timeout(120_000);
      // Everything that reduces is refused.
      emulator.script.fault({ on: 'updateLeverage', do: 'delay', beforeMs: 1 } as Fault);
      const checking = check();
      await until(gateway.clock, 'it has bought', () => held().length > 0);
      emulator.script.fault(
        order({ do: 'refuse_leg', leg: 0, text: 'Insufficient margin to place order. asset=0', times: null }),
      );
      const report = await checking;
      expect(held()).to.have.length(1);
      expect(failing(report)).to.include('order_close');
      expect(stepOf(report, 'order_close').remedy).to.include('at the venue');
      expect(report.proven).to.equal(null);
    });

    it('orders nothing while trading is paused, beside a basket, or after a step that failed', async function () {
      this.timeout(90_000);
      expect((await bot.ask('POST', '/safety/pause')).status).to.equal(200);
      const paused = await check();
      expect(failing(paused)).to.deep.equal(['orders']);
      expect(stepOf(paused, 'orders').detail).to.include('paused');
      expect((await bot.ask('POST', '/safety/resume')).status).to.equal(200);

      const terms = { alias: 'Main', perOrderUsd: '1000', totalUsd: '5000' };
      expect((await bot.ask('PUT', `/trade-accounts/${bot.id}/arming`, terms)).status).to.equal(200);
      const legs = [{ symbol: 'ETH-PERP', side: 'BUY', mode: 'USD', amount: '200' }];
      const opened = await bot.ask('POST', '/trade/open', { type: 'MARKET', legs });
      expect(opened.status, opened.text).to.equal(202);
      await until(gateway.clock, 'it is open', () => held().length === 1);
      const sent = ordersSent();
      const used = await check();
      expect(failing(used)).to.deep.equal(['orders']);
      expect(stepOf(used, 'orders').detail).to.include('in use');

      emulator.script.revokeAgent(own.address, own.agent);
      const revoked = await check();
      expect(failing(revoked)).to.deep.equal(['rights', 'orders']);
      expect(ordersSent()).to.equal(sent);
    });

    it('is for people alone', async () => {
      const key = await bot.ask('POST', '/api-keys', { label: 'bot', scope: 'read_write' });
      const asKey = { 'x-api-key': key.json.key };
      const body = { tradeAccountId: bot.id, orders: true };
      const refused = await gateway.request('POST', path(), { headers: asKey, body });
      expect(refused.status).to.equal(403);
      expect((await bot.ask('POST', path(), { orders: true })).status).to.equal(400);
      expect(ordersSent()).to.equal(0);
    });
  });

  it('on the main network takes the alias of the account', async function () {
    this.timeout(90_000);
    await start('mainnet');
    for (const confirm of [undefined, 'main', '']) {
      const more = confirm === undefined ? {} : { confirm };
      const refused = await bot.ask('POST', path(), { tradeAccountId: bot.id, orders: true, ...more });
      expect(refused.status, refused.text).to.equal(400);
      expect(refused.json.details[0].path).to.equal('confirm');
    }
    expect(ordersSent()).to.equal(0);
    const report = await check({ confirm: 'Main' });
    expect(failing(report), JSON.stringify(report.steps)).to.deep.equal([]);
    expect(report.proven).to.include({ network: 'mainnet', override: emulator.url });
  });
});
