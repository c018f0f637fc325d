/** Real money, a test network and paper on one gateway: each is said to be what it is, and real money is stopped first. */
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { type AccountEvent, createClient } from '../../gateway/client/client.ts';
import { PRIVATE_EVENTS } from '../../gateway/contract/realtime.ts';
import { panic } from '../../gateway/contract/safety.ts';
import type { Json } from '../support/json.ts';
import { ALIAS, LiveDesk } from '../support/live-desk.ts';
import { openForEachTest } from '../support/open-for-tests.ts';
import { smallMandate } from '../support/small-mandate.ts';
import { type TestLeg, type Trader, traderOn, usd } from '../support/trader.ts';
import { until } from '../support/until.ts';

const REAL = { mode: 'LIVE', network: 'mainnet' };
const TESTNET = { mode: 'LIVE', network: 'testnet' };
const PAPER = { mode: 'PAPER', network: null };
const LIVE_PAIR = [usd('AAA', 'BUY', '40'), usd('BBB', 'SELL', '40')];
const PAPER_PAIR = [usd('BTC', 'BUY', '900'), usd('ETH', 'SELL', '900')];

describe('API: whose money an account is', () => {
  const desk = openForEachTest(() => LiveDesk.open({ testnet: true }));
  let rehearsal: Trader;
  let onPaper: Trader;

  beforeEach(async () => {
    desk.move({});
    rehearsal = traderOn(desk.gateway, { ...desk.bot, accountId: desk.testnetAccountId });
    onPaper = traderOn(desk.gateway, { ...desk.bot, accountId: desk.paperAccountId });
    for (const [id, alias] of [
      [desk.bot.accountId, ALIAS],
      [desk.testnetAccountId, 'Rehearsal'],
    ] as const) {
      const body = { alias, perOrderUsd: '100', totalUsd: '500', allow: { apiKeys: true } };
      expect((await desk.user.call('PUT', `/trade-accounts/${id}/arming`, body)).status).to.equal(200);
    }
  });

  const money = ({ mode, network }: Pick<AccountEvent, 'mode' | 'network'>) => ({ mode, network });
  const clientOn = ({ key, accountId }: Trader) =>
    createClient({ url: desk.gateway.url, apiKey: key, tradeAccountId: accountId, WebSocket });

  async function placed(on: Trader, path: string, body: object): Promise<Json> {
    const answer = await on.call('POST', path, body);
    expect(answer.status, answer.text).to.be.within(200, 202);
    return answer.json;
  }

  /** A program whose every order waits for its user asks for one: it becomes an approval, and its limits are news. */
  async function asked(on: Trader, legs: readonly TestLeg[]): Promise<void> {
    const bounded = smallMandate(on.accountId);
    const mandate = {
      ...{ ...bounded, maxOrderUsd: null, maxOpenedUsd24h: null, maxGrossUsd: null, maxLeverage: null },
      approval: { ...bounded.approval, when: 'always', aboveUsd: null },
    };
    const made = await desk.user.expect(
      'POST',
      '/api-keys',
      {
        label: on.accountId,
        scope: 'read_write',
        mandate,
      },
      201,
    );
    const program = traderOn(desk.gateway, { ...on, key: made.key });
    const answer = await program.call('POST', '/trade/open', { type: 'MARKET', legs, slippage: '0.01' });
    expect(answer.json.details?.reason, answer.text).to.equal('APPROVAL');
    await desk.user.expect('POST', `/agents/${made.id}/suspend`);
  }

  /** Makes an account's events of every kind but those of failure, then reads all that it has had. */
  async function eventsOf(on: Trader, legs: readonly TestLeg[]): Promise<readonly AccountEvent[]> {
    const symbol = legs[0]?.symbol;
    const far = { type: 'PRICE', direction: 'MORE_THAN', value: '99000000', symbol };
    const { positionId } = await on.open(legs);
    const { execution } = await placed(on, `/positions/${positionId}/close`, { type: 'MARKET' });
    await on.ended(execution.id);
    await asked(on, legs);
    const { id: triggerId } = await placed(on, '/triggers/open', { legs, condition: far });
    await placed(on, `/triggers/${triggerId}/cancel`, {});
    await placed(on, '/alerts', { condition: far });
    await placed(on, '/schedules', { legs, durationSeconds: 600, intervalSeconds: 300 });
    await placed(on, '/ladders', {
      ...{ legs: [legs[0]], metric: 'PRICE', symbol, direction: 'MORE_THAN' },
      ...{ start: '90000000', end: '99000000', levels: 2, distribution: 'LINEAR', sizing: 'EQUAL' },
    });
    await placed(on, '/safety/panic', { confirm: 'CLOSE ALL' });
    await until(desk.gateway.clock, 'the panic is over', async () => {
      // Prices that nobody tells again are too old to close at, on a machine that takes its time.
      desk.move({});
      return (await on.call('GET', '/safety')).json.panic.status === 'FLAT';
    });
    const client = clientOn(on);
    const { accountChannel } = client;
    let last = 0;
    for await (const message of client.events({ channels: [accountChannel] })) {
      if (message.kind === 'subscribed') last = message.seq[accountChannel] ?? 0;
      break;
    }
    const events: AccountEvent[] = [];
    const resumeFrom = { [accountChannel]: 0 };
    for await (const message of client.events({ channels: [accountChannel], resumeFrom })) {
      if (message.kind !== 'event') continue;
      events.push(message);
      if (message.seq === last) break;
    }
    await placed(on, '/safety/resume', {});
    return events;
  }

  it('every event of an account says it, and so does the word that events are gone', async () => {
    for (const [on, legs, expected] of [
      [desk.bot, LIVE_PAIR, REAL],
      [rehearsal, LIVE_PAIR, TESTNET],
      [onPaper, PAPER_PAIR, PAPER],
    ] as const) {
      const events = await eventsOf(on, legs);
      for (const event of events) expect(money(event), event.event).to.deep.equal(expected);
      const subjects = new Set(events.map(({ event }) => event.split('.')[0]));
      expect([...subjects]).to.include.members([
        ...new Set(PRIVATE_EVENTS.map((event) => event.split('.')[0])),
      ]);
      const client = clientOn(on);
      const channels = [client.accountChannel];
      const resumeFrom = { [client.accountChannel]: 1_000_000 };
      for await (const message of client.events({ channels, resumeFrom })) {
        if (message.kind !== 'resync') continue;
        expect(money(message)).to.deep.equal(expected);
        break;
      }
    }
  });

  it('the gateway says what there is on it', async () => {
    const health = await desk.gateway.request('GET', '/health');
    expect(health.json).to.deep.equal({
      status: 'ok',
      mode: 'MIXED',
      money: ['LIVE', 'TESTNET', 'PAPER'],
    });
    expect(desk.gateway.gateway.mode).to.equal('MIXED');
    const { tradeAccounts } = (await desk.user.call('GET', '/trade-accounts')).json;
    expect(tradeAccounts.map(({ id, mode, network }: Json) => [id, { mode, network }])).to.have.deep.members([
      [desk.bot.accountId, REAL],
      [desk.testnetAccountId, TESTNET],
      [desk.paperAccountId, PAPER],
    ]);
  });

  it('an order that names no account goes to none, also where the caller has one account only', async () => {
    const body = { label: 'one', scope: 'read_write', tradeAccountIds: [desk.bot.accountId] };
    const limited = await desk.user.expect('POST', '/api-keys', body, 201);
    const order = { type: 'MARKET', legs: LIVE_PAIR };
    const credentials: Readonly<Record<string, string>>[] = [
      { authorization: `Bearer ${desk.bot.accessToken}` },
      { 'x-api-key': desk.bot.key },
      { 'x-api-key': limited.key },
    ];
    for (const headers of credentials) {
      const answer = await desk.gateway.request('POST', '/trade/open', { headers, body: order });
      expect([answer.status, answer.json.message]).to.deep.equal([
        400,
        'Missing required header: x-trade-account-id',
      ]);
    }
    const unnamed = createClient({ url: desk.gateway.url, apiKey: limited.key });
    const refused = await unnamed
      .call('POST /trade/open', { body: { ...order, type: 'MARKET' } as never })
      .catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(Error);
    expect(desk.venue.sent).to.deep.equal([]);
    expect(desk.testnetVenue.sent).to.deep.equal([]);
  });

  it('a panic stops real money first, then the test network, then paper, and reports on each', async () => {
    for (const [on, legs] of [
      [onPaper, PAPER_PAIR],
      [rehearsal, LIVE_PAIR],
      [desk.bot, LIVE_PAIR],
    ] as const) {
      await on.open(legs);
      const symbol = legs[0]?.symbol;
      const far = { type: 'PRICE', direction: 'MORE_THAN', value: '99000000', symbol };
      await placed(on, '/triggers/open', { legs, condition: far });
    }
    const arrived: string[] = [];
    desk.venue.onArrival(() => void arrived.push('LIVE'));
    desk.testnetVenue.onArrival(() => void arrived.push('TESTNET'));

    const report = panic.success[202].parse(
      await placed(desk.bot, '/safety/panic', { confirm: 'CLOSE ALL' }),
    );
    const each = [
      { tradeAccountId: desk.bot.accountId, alias: ALIAS, connector: 'scripted', ...REAL },
      {
        tradeAccountId: desk.testnetAccountId,
        alias: 'Rehearsal',
        connector: 'scripted-testnet',
        ...TESTNET,
      },
      { tradeAccountId: desk.paperAccountId, alias: 'Paper', connector: 'paper', ...PAPER },
    ];
    const cancelled = { triggers: 1, schedules: 0, ladders: 0, orders: 0, autoRebalances: 0 };
    expect(report.accounts).to.deep.equal(
      each.map((account) => ({ ...account, cancelled, closing: 1, failed: 0 })),
    );
    expect(report.cancelled).to.deep.equal({ ...cancelled, triggers: 3 });
    expect(report.executions.map(({ tradeAccountId }) => tradeAccountId)).to.deep.equal(
      each.map(({ tradeAccountId }) => tradeAccountId),
    );
    for (const on of [desk.bot, rehearsal, onPaper])
      await until(desk.gateway.clock, 'nothing is held', async () =>
        (await on.positions()).length === 0 ? true : null,
      );
    expect([...new Set(arrived)]).to.deep.equal(['LIVE', 'TESTNET']);
  });

  it('what a panic cannot close is listed with real money first, and the notification names the account @long', async () => {
    for (const on of [rehearsal, desk.bot]) await on.open(LIVE_PAIR);
    for (const venue of [desk.venue, desk.testnetVenue])
      venue.behave(() => ({ rejects: { reason: 'other', message: 'The venue is closed' } }));
    await placed(desk.bot, '/safety/panic', { confirm: 'CLOSE ALL' });
    const told = await until(desk.gateway.clock, 'it is told', async () => {
      const { notifications } = (await desk.bot.call('GET', '/notifications')).json;
      return notifications.find(({ category }: Json) => category === 'PANIC_INCOMPLETE') ?? null;
    });
    expect(told.parameters.reason).to.match(/ on LIVE Real money .* on TESTNET Rehearsal /);
    const { left } = (await desk.bot.call('GET', '/safety')).json.panic;
    const order = [...new Set(left.map(({ tradeAccountId }: Json) => tradeAccountId))];
    expect(order).to.deep.equal([desk.bot.accountId, desk.testnetAccountId]);
  });
});
