/**
 * Closing orders are sized from our own records and sent reduce-only. The venue refuses any beyond its own position.
 *
 * | the venue holds | its history tells why | expected |
 * |---|---|---|
 * | the leg (it refuses once) | – | tried again, reduce-only: closed |
 * | the leg (it goes on refusing) | – | four attempts, NEEDS_REVIEW; the basket stays |
 * | less | yes | what it holds is closed, the rest was closed outside |
 * | less | no | what it holds is closed, the rest stays UNDER_REVIEW |
 * | nothing | yes | nothing is sent any more: closed outside |
 * | nothing | no | nothing is sent any more: UNDER_REVIEW |
 * | the other side | yes, no | the same; what it holds is left alone |
 *
 * Close, reduce, reverse, unwind, stop-loss and panic go the same way, which one case of each shows. Opening orders
 * are never reduce-only.
 */
import { expect } from 'chai';
import type { Json } from '../support/json.ts';
import { faultSuite, LONG } from '../support/venues/hyperliquid/fault-suite.ts';
import type { LiveAccount, LiveGateway, LiveLeg } from '../support/venues/hyperliquid/live-gateway.ts';

const REFUSED = { text: 'Reduce only order would increase position. asset=0', status: 'reduceOnlyRejected' };

let live: LiveGateway;
let bot: LiveAccount;

function withGateway(): void {
  const suite = faultSuite();
  beforeEach(() => {
    ({ live, bot } = suite);
  });
}

/** @param times null: from now on all of the account's orders */
const refuse = (times: number | null = 1) =>
  bot.script.fault({ on: 'order', do: 'refuse_leg', leg: 0, user: bot.address, times, ...REFUSED });

/** Orders as they were sent for this account, oldest first. */
const sent = (): readonly {
  readonly reduceOnly: boolean;
  readonly isBuy: boolean;
  readonly size: string;
}[] =>
  bot.orderIds().flatMap((cloid) =>
    bot.script.sentContaining(`"c":"${cloid}"`).flatMap((text) =>
      JSON.parse(text.slice(text.indexOf('{')))
        .action.orders.filter(({ c }: Json) => c === cloid)
        .map(({ r, b, s }: Json) => ({ reduceOnly: r, isBuy: b, size: s })),
    ),
  );
const closings = () => sent().slice(1);

const refusals = () =>
  bot.script.state(bot.address).orders.filter(({ status }) => status === 'reduceOnlyRejected').length;

async function asked(method: string, path: string, body: object): Promise<Json> {
  const answer = await bot.ask(method, path, body);
  expect(answer.status, answer.text).to.be.oneOf([200, 201, 202]);
  return answer.json;
}

/** Everything that closes, by how it is asked for. Each starts from a long of 0.002 BTC. */
const WAYS: Readonly<Record<string, { readonly left: object; close(positionId: string): Promise<Json> }>> = {
  close: { left: {}, close: (positionId) => bot.close(positionId) },
  reduce: {
    left: { BTC: '0.001' },
    async close(positionId) {
      const body = { intent: 'REDUCE', fraction: '0.5' };
      return bot.ended((await asked('POST', `/positions/${positionId}/adjust`, body)).execution.id);
    },
  },
  reverse: {
    left: { BTC: '-0.002' },
    async close(positionId) {
      const { execution } = await asked('POST', `/positions/${positionId}/reverse`, {});
      const closed = await bot.ended(execution.id);
      await live.until('the other side is open', () => bot.held()['BTC'] === '-0.002');
      await live.until('nothing runs', async () => (await bot.unexplained()) !== null);
      return closed;
    },
  },
  'stop-loss': {
    left: {},
    async close(positionId) {
      const stopLoss = { type: 'PERCENTAGE', value: '5' };
      await asked('PUT', `/positions/${positionId}/brackets`, { stopLoss });
      bot.script.setMark('BTC', '90000');
      return closedBy(positionId);
    },
  },
  panic: {
    left: {},
    async close(positionId) {
      await asked('POST', '/safety/panic', { confirm: 'CLOSE ALL' });
      const closed = await closedBy(positionId);
      await live.until(
        'panic is over',
        async () => (await bot.ask('POST', '/safety/resume', {})).status === 200,
      );
      return closed;
    },
  },
};

/** The completed execution that closed the position. */
function closedBy(positionId: string): Promise<Json> {
  return live.until('the position is closed', async () => {
    const { executions } = (await bot.ask('GET', '/executions')).json;
    return executions.find(
      (one: Json) => one.positionId === positionId && one.intent === 'CLOSE' && one.status === 'COMPLETED',
    );
  });
}

describe('API: Hyperliquid, emulated: a reduce-only order that is refused although the venue holds the leg', () => {
  withGateway();

  for (const [name, { left, close }] of Object.entries(WAYS)) {
    it(`${name}: it is sent again, reduce-only${name === 'close' ? '' : ' @long'}`, async () => {
      const { positionId } = await bot.open(LONG);
      refuse();
      const execution = await close(positionId);
      expect(execution).to.include({ status: 'COMPLETED', errorCode: null });
      expect(execution.orders[0]).to.include({ status: 'FILLED', attempt: 2, reduceOnly: true });
      expect(refusals()).to.equal(1);
      const [first, second] = closings();
      expect(second).to.deep.equal(first).and.include({ reduceOnly: true, isBuy: false });
      expect(bot.held()).to.deep.equal(left);
      expect(await bot.unexplained()).to.deep.equal([]);
    });
  }

  it('unwind: what filled of a failed basket is closed, reduce-only, at the second attempt', async () => {
    const user = bot.address;
    bot.script.fault({ on: 'order', do: 'refuse_leg', leg: 1, text: 'Order has zero size.', user });
    // The refusal of the next request is armed while this one is still being answered.
    bot.script.fault({ on: 'order', do: 'delay', afterMs: 1_000, user });
    bot.script.streamFaults({ silent: ['userFills', 'orderUpdates'] });
    bot.script.fault({ on: 'orderStatus', do: 'status', code: 502, user, times: null });
    const id = await bot.beginOpen([...LONG, ['ETH', 'SELL', '200']], { onLegFailure: 'UNWIND' });
    await live.until('the basket was sent', () => bot.orderIds().length === 2);
    bot.script.clearFaults();
    refuse();
    await bot.ended(id);
    const unwind = await live.until('it is unwound', async () => {
      const { executions } = (await bot.ask('GET', '/executions')).json;
      return executions.find((one: Json) => one.parentId === id && one.status === 'COMPLETED');
    });
    expect(unwind.orders[0]).to.include({ status: 'FILLED', attempt: 2, reduceOnly: true });
    expect(bot.held()).to.deep.equal({});
    expect(refusals()).to.equal(1);
  });

  it('what was read before an order’s answer is not what is held: a close right behind it is sent at once', async () => {
    bot.script.streamFaults({ silent: ['userFills', 'orderUpdates'] });
    for (let round = 1; round <= 3; round += 1) {
      const { positionId } = await bot.open(LONG);
      const closed = await bot.close(positionId);
      expect(closed).to.include({ status: 'COMPLETED', errorCode: null });
    }
    expect(bot.held()).to.deep.equal({});
  });

  it('a venue that goes on refusing gets four attempts; then a person has to look, and the basket stays', async () => {
    const { positionId } = await bot.open(LONG);
    refuse(null);
    const execution = await bot.close(positionId);
    expect(execution).to.include({ status: 'FAILED', errorCode: 'NEEDS_REVIEW' });
    expect(execution.orders[0]).to.include({ status: 'REJECTED', errorCode: 'NEEDS_REVIEW', attempt: 4 });
    expect(execution.orders[0].error)
      .to.match(/Reduce only order would increase position|reduceOnlyRejected/)
      .and.match(/Compare the account with the venue/);
    expect(closings()).to.have.length(4);
    for (const order of closings()) expect(order).to.include({ reduceOnly: true, isBuy: false });
    expect(bot.held()).to.deep.equal({ BTC: '0.002' });
    expect((await bot.position(positionId)).status).to.equal('OPEN');
    bot.script.clearFaults();
    expect(await bot.close(positionId)).to.include({ status: 'COMPLETED' });
    expect(bot.held()).to.deep.equal({});
  });

  it('two baskets on one instrument close at the same time: both end, and nothing is left @long', async () => {
    const { positionId: first } = await bot.open(LONG);
    const both: readonly LiveLeg[] = [
      ['BTC', 'BUY', '300'],
      ['ETH', 'SELL', '100'],
    ];
    const { positionId: second } = await bot.open(both);
    refuse(2);
    const ids = await Promise.all([first, second].map((id) => bot.beginClose(id)));
    for (const id of ids) expect(await bot.ended(id)).to.include({ status: 'COMPLETED' });
    expect(bot.held()).to.deep.equal({});
    expect(await bot.unexplained()).to.deep.equal([]);
  });
});

describe('API: Hyperliquid, emulated: a reduce-only order where the venue holds something else', () => {
  withGateway();

  interface Case {
    /** Sold by another program. */
    readonly sold: string;
    readonly left: object;
    /** Quantities sent to the venue after its refusal, when its history does not explain the difference. */
    readonly sentThen: readonly string[];
  }
  const CASES: Readonly<Record<string, Case>> = {
    less: { sold: '0.0015', left: {}, sentThen: ['0.0005'] },
    nothing: { sold: '0.002', left: {}, sentThen: [] },
    'the other side': { sold: '0.005', left: { BTC: '-0.003' }, sentThen: [] },
  };

  /**
   * Another program trades, and the gateway hears nothing of it until the venue has refused its close.
   * @param isTold false: the history keeps silent even then
   */
  async function closeUnaware(positionId: string, sold: string, isTold: boolean): Promise<Json> {
    const { address, script } = bot;
    const asked = await fetch(`${live.emulator.url}/info`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'clearinghouseState', user: address }),
    });
    const json = await asked.json();
    script.fault({ on: 'clearinghouseState', do: 'answer', json, times: null, user: address });
    script.streamFaults({ silent: ['userFills', 'orderUpdates'] });
    const silence = { on: 'userFillsByTime', do: 'answer', json: [], times: null, user: address } as const;
    script.fault(silence);
    script.tradeElsewhere(address, 'BTC', 'sell', sold, '100000');
    // The venue would fill a part of an order that is larger than its position, so this refusal is scripted.
    if (bot.held()['BTC'] === '0.0005') refuse();
    const id = await bot.beginClose(positionId);
    await live.until('the venue has refused', () => refusals() > 0);
    script.clearFaults();
    if (!isTold) script.fault(silence);
    return bot.ended(id);
  }

  for (const [name, { sold, left, sentThen }] of Object.entries(CASES)) {
    it(`${name}, and its history says why: the basket ends with what was traded outside, and nothing opens${name === 'the other side' ? '' : ' @long'}`, async () => {
      const { positionId } = await bot.open(LONG);
      const execution = await closeUnaware(positionId, sold, true);
      expect(execution).to.include({ status: 'COMPLETED', errorCode: null });
      expect((await bot.position(positionId)).status).to.equal('CLOSED');
      expect(bot.held()).to.deep.equal(left);
      for (const order of closings()) expect(order).to.include({ reduceOnly: true, isBuy: false });
      expect(await bot.categories()).to.include('EXTERNAL_CLOSE');
      expect(await bot.unexplained()).to.deep.equal([]);
    });

    it(`${name}, and nobody says why: only what it certainly holds is sent, the rest stays under review${name === 'less' ? '' : ' @long'}`, async () => {
      const { positionId } = await bot.open(LONG);
      const execution = await closeUnaware(positionId, sold, false);
      expect(execution.orders[0].errorCode).to.equal('UNDER_REVIEW');
      expect((await bot.position(positionId)).status).to.equal('OPEN');
      expect(bot.held()).to.deep.equal(left);
      const after = closings().slice(1);
      expect(after.map(({ size }) => size)).to.deep.equal(sentThen);
      for (const order of closings()) expect(order).to.include({ reduceOnly: true, isBuy: false });
    });
  }
});
