/** Orders at an emulated Hyperliquid whose end the venue tells late, wrongly, twice or not at all. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { Json } from '../support/json.ts';
import { forAllAsync, propertyRuns } from '../support/property-runs.ts';
import {
  expectExplained,
  expectSentOnce,
  faultSuite,
  LONG,
  PAIR,
} from '../support/venues/hyperliquid/fault-suite.ts';
import { type LiveAccount, liveGatewayForSuite } from '../support/venues/hyperliquid/live-gateway.ts';

const WORDS = [
  'melted',
  'internalCancel',
  'rejected',
  'outcomeSettledCanceled',
  'canceled-because',
  'tooManyOpenOrdersRejected',
  '',
];
/** Words of orders that go on. */
const RESTING = ['open', 'triggered', 'filled'];
const ENDED_WITHIN_MS = 30_000;

describe('API: Hyperliquid, emulated: orders of which the venue tells late, twice or in strange words', () => {
  const { live, bot } = faultSuite();

  it('the answer is lost: the stream or a lookup tells the end, and nothing is sent twice', async () => {
    bot.script.fault({ on: 'order', do: 'lose_answer', user: bot.address });
    const execution = await bot.open(PAIR);
    expect(execution).to.include({ status: 'COMPLETED', errorCode: null });
    expect(bot.held()).to.deep.equal({ BTC: '0.002', ETH: '-0.05' });
    expectSentOnce(bot);
    expect(bot.orderIds()).to.have.length(2);
    await expectExplained(bot);
  });

  it('fills that are heard before the answer, twice, and again after a reconnect are booked once, to their orders', async () => {
    bot.script.streamFaults({ twice: true });
    bot.script.setFillsNameClientIds(false);
    bot.script.fault({ on: 'order', do: 'delay', afterMs: 400, user: bot.address });
    const execution = await bot.open(PAIR);
    expect(execution).to.include({ status: 'COMPLETED' });
    bot.script.repeatFills(bot.address, 2);
    bot.script.cutStreams();
    await live.untilStatus('DOWN');
    await live.untilStatus('UP');
    await expectExplained(bot);
    const fills = await bot.fills();
    expect(fills).to.have.length(2);
    const booked = fills.map(({ orderId, positionId }) => [orderId, positionId]);
    expect(booked).to.have.deep.members(execution.orders.map(({ id }: Json) => [id, execution.positionId]));
  });

  it('an IOC that finds a part is cancelled with what filled, and that is what the basket holds', async () => {
    bot.script.setBook('BTC', [['99990', '1']], [['100010', '0.0008']]);
    const execution = await bot.open(LONG);
    expect(execution.orders[0]).to.include({
      status: 'CANCELLED',
      filledQuantity: '0.0008',
      errorCode: 'SLIPPAGE_EXCEEDED',
    });
    expect((await bot.position(execution.positionId)).legs[0]).to.include({ quantity: '0.0008' });
    await expectExplained(bot);
  });

  /** The order executes, and neither its answer nor a stream tells of it. */
  function lose(): void {
    bot.script.streamFaults({ silent: ['userFills', 'orderUpdates'] });
    bot.script.fault({ on: 'order', do: 'lose_answer', user: bot.address });
  }
  /** From now on lookups say this of all orders. */
  const say = (status: string) => bot.script.fault({ on: 'orderStatus', do: 'word', status, times: null });

  const endedInTime = async (id: string) => {
    await live.gateway.clock.advance(ENDED_WITHIN_MS);
    const execution = await bot.execution(id);
    expect(execution.status).to.not.equal('ACTIVE');
    return execution;
  };

  it('no word keeps a basket locked, and what filled is booked @long', async function () {
    this.timeout(120_000);
    const word = fc.oneof(fc.constantFrom(...WORDS, ...RESTING), fc.string({ maxLength: 12 }));
    await forAllAsync(
      [word, fc.boolean()],
      {
        ...propertyRuns(60, 4),
        examples: [...WORDS, ...RESTING].map((status) => [status, false] as [string, boolean]),
      },
      async (status, fills) => {
        // Sixty runs take longer than an access token lives.
        await live.signIn();
        bot.script.setMark('BTC', '100000');
        const { positionId } = await bot.open(LONG);
        const before = bot.held()['BTC'];
        if (!fills) bot.script.setBook('BTC', [['50000', '9']], [['150000', '9']]);
        lose();
        say(status);
        await endedInTime(await bot.beginClose(positionId));
        expect(bot.held()['BTC']).to.equal(fills ? undefined : before);
        bot.script.clearFaults();
        bot.script.setMark('BTC', '100000');
        await expectExplained(bot);
        if (!fills) expect(await bot.close(positionId)).to.include({ status: 'COMPLETED' });
        expect(bot.held()).to.deep.equal({});
      },
    );
  });

  it('an order that nothing tells the end of is told to a person, and the basket closes again', async () => {
    const { positionId } = await bot.open(LONG);
    bot.script.setBook('BTC', [['50000', '9']], [['150000', '9']]);
    lose();
    say('open');
    const execution = await endedInTime(await bot.beginClose(positionId));
    expect(execution.orders[0]).to.include({ errorCode: 'NEEDS_REVIEW', filledQuantity: '0' });
    expect(await bot.categories()).to.include('ORDER_NEEDS_REVIEW');
    bot.script.clearFaults();
    bot.script.setMark('BTC', '100000');
    expect(await bot.close(positionId)).to.include({ status: 'COMPLETED' });
    expect(bot.held()).to.deep.equal({});
  });
});

type DeniedCase = 'in the history' | 'nowhere' | 'in the position only';

/** Each takes until long after the order's expiry, so that they run side by side. */
describe('API: Hyperliquid, emulated: orders that lookups deny', () => {
  const accounts = new Map<DeniedCase, LiveAccount>();
  const ids = new Map<DeniedCase, string>();
  const live = liveGatewayForSuite();
  const of = (name: DeniedCase) => {
    const [bot, id] = [accounts.get(name), ids.get(name)];
    if (bot === undefined || id === undefined) throw new Error(`no case ${name}`);
    return { bot, id };
  };

  function lose(name: DeniedCase, { address: user, script }: LiveAccount): void {
    if (name === 'nowhere') script.fault({ on: 'order', do: 'cut_before', user });
    else script.fault({ on: 'order', do: 'lose_answer', user });
    if (name === 'in the position only')
      script.fault({ on: 'userFillsByTime', do: 'answer', json: [], times: null, user });
  }

  before(async function () {
    this.timeout(90_000);
    for (const name of ['in the history', 'nowhere', 'in the position only'] as const)
      accounts.set(name, await live.account());
    const { script } = live.emulator;
    script.streamFaults({ silent: ['userFills', 'orderUpdates'] });
    script.fault({ on: 'orderStatus', do: 'answer', json: { status: 'unknownOid' }, times: null });
    for (const [name, account] of accounts) {
      lose(name, account);
      ids.set(name, await account.beginOpen(LONG));
    }
  });
  beforeEach(function () {
    this.timeout(90_000);
  });

  it('its fill in the history ends an order that streams and lookups keep silent about @long', async () => {
    const { bot, id } = of('in the history');
    const execution = await bot.ended(id);
    expect(execution.orders[0]).to.include({ status: 'FILLED', filledQuantity: '0.002' });
    expect((await bot.position(execution.positionId)).legs[0]).to.include({ quantity: '0.002' });
    expectSentOnce(bot);
    await expectExplained(bot);
  });

  it('one that is neither in the history nor in the position never arrived, and is not sent again', async () => {
    const { bot, id } = of('nowhere');
    expect(await bot.ended(id)).to.include({ status: 'FAILED', errorCode: 'UNKNOWN_OUTCOME' });
    expect([bot.held(), bot.orderIds()]).to.deep.equal([{}, []]);
    await expectExplained(bot);
  });

  it('one that only the position tells of is kept open for a person, who is told, until the venue is right again @long', async () => {
    const { bot, id } = of('in the position only');
    await live.until('it needs review', async () => {
      const { orders } = await bot.execution(id);
      return orders[0].errorCode === 'NEEDS_REVIEW';
    });
    expect(await bot.execution(id)).to.include({ status: 'ACTIVE' });
    expect(await bot.categories()).to.include('ORDER_NEEDS_REVIEW');
    expectSentOnce(bot);
    live.emulator.script.clearFaults();
    const execution = await bot.ended(id);
    expect(execution.orders[0]).to.include({ status: 'FILLED', filledQuantity: '0.002' });
    expect(bot.held()).to.deep.equal({ BTC: '0.002' });
    await expectExplained(bot);
  });
});
