/** A live account at an emulated Lighter that goes wrong: how executions, holdings and notifications end. */
import { expect } from 'chai';
import type { Json } from '../support/json.ts';
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { type LiveAccount, LiveGateway } from '../support/venues/lighter/live-gateway.ts';
import type { LiveLeg } from '../support/venues/shared/live-account.ts';

const PAIR: readonly LiveLeg[] = [
  ['BTC', 'BUY', '200'],
  ['ETH', 'SELL', '200'],
];
const LONG: readonly LiveLeg[] = [['BTC', 'BUY', '200']];

let live: LiveGateway;
let bot: LiveAccount;

const expectSentOnce = () => {
  const ids = bot.orderIds();
  expect(new Set(ids).size).to.equal(ids.length);
};
const expectExplained = async () => expect(await bot.unexplained()).to.deep.equal([]);

function withGateway(): void {
  before(async () => {
    live = await LiveGateway.start(await temporaryFolder());
  });
  beforeEach(async () => {
    bot = await live.account();
  });
  afterEach(() => {
    const { script } = live.emulator;
    script.clearFaults();
    script.setJudge('api');
    script.setReduceOnly('vanishes');
    script.setExecutionDelay(0);
    script.setClockOffset(0);
    script.setMark('BTC', '100000');
    script.setMark('ETH', '4000');
  });
  after(async () => {
    await live.close();
    await removeTemporaryFolders();
  });
}

describe('API: Lighter, emulated: orders when things go wrong', () => {
  withGateway();

  it('the answer is lost: the stream or a lookup tells the end, and nothing is sent twice', async () => {
    bot.script.fault({ on: 'sendTxBatch', do: 'lose_answer', account: bot.index });
    const execution = await bot.open(PAIR);
    expect(execution).to.include({ status: 'COMPLETED', errorCode: null });
    expect(bot.held()).to.deep.equal({ BTC: '0.002', ETH: '-0.05' });
    expectSentOnce();
    expect(bot.orderIds()).to.have.length(2);
    await expectExplained();
  });

  it('a stream that keeps silent about orders: one lookup for all legs ends the basket', async () => {
    bot.script.streamFaults({ silent: ['account_all_orders', 'account_all_trades', 'account_tx'] });
    bot.script.clearTraffic();
    const execution = await bot.open(PAIR);
    expect(execution).to.include({ status: 'COMPLETED' });
    expect(bot.script.traffic().counts['accountOrders']).to.be.within(1, 2);
    expect(bot.held()).to.deep.equal({ BTC: '0.002', ETH: '-0.05' });
    await expectExplained();
  });

  it('trades that are heard before the answer, twice, and again after a reconnect are booked once, to their orders', async () => {
    bot.script.streamFaults({ twice: true });
    bot.script.fault({ on: 'sendTxBatch', do: 'delay', afterMs: 400, account: bot.index });
    const execution = await bot.open(PAIR);
    expect(execution).to.include({ status: 'COMPLETED' });
    bot.script.repeatTrades(bot.index, 2);
    bot.script.cutStreams();
    await live.untilStatus('DOWN');
    await live.untilStatus('UP');
    await expectExplained();
    const fills = await bot.fills();
    expect(fills).to.have.length(2);
    const booked = fills.map(({ orderId, positionId }) => [orderId, positionId]);
    expect(booked).to.have.deep.members(execution.orders.map(({ id }: Json) => [id, execution.positionId]));
  });

  it('one leg that the sequencer refuses fails alone: the other is held and named', async () => {
    bot.script.refuseInSequencer({ kind: 'createOrder', account: bot.index, code: 21_739 });
    const execution = await bot.open(PAIR, { onLegFailure: 'KEEP' });
    expect(execution.status).to.not.equal('COMPLETED');
    expect(execution.orders.map(({ status }: Json) => status)).to.deep.equal(['REJECTED', 'FILLED']);
    expect(bot.held()).to.deep.equal({ ETH: '-0.05' });
    await expectExplained();
  });

  it('a nonce that is refused is not the order’s end: it is sent again with the same number, once', async () => {
    await bot.open([['SOL', 'BUY', '100']]);
    const { nextNonce = 0 } = bot.script.state(bot.index).keys[0] ?? {};
    bot.script.setNonce(bot.index, 5, nextNonce + 7);
    const execution = await bot.open(LONG);
    expect(execution).to.include({ status: 'COMPLETED' });
    expect(execution.orders[0]).to.include({ attempt: 1 });
    expect(bot.held()['BTC']).to.equal('0.002');
    expectSentOnce();
  });

  it('an account whose transactions are refused for their number sends nothing, and its order says so', async () => {
    const json = { code: 21_506, message: 'too many pending txs. Please try again later' };
    bot.script.fault({ on: 'sendTx', do: 'answer', json, code: 400, times: null, account: bot.index });
    const execution = await bot.open(LONG);
    expect(execution).to.include({ status: 'FAILED', errorCode: 'NOT_SENT' });
    expect([bot.held(), bot.orderIds()]).to.deep.equal([{}, []]);
  });

  it('an IOC that finds a part is cancelled with what filled, and that is what the basket holds', async () => {
    bot.script.setBook('BTC', [['99990', '1']], [['100010', '0.0008']]);
    const execution = await bot.open(LONG);
    expect(execution.orders[0]).to.include({
      ...{ status: 'CANCELLED', filledQuantity: '0.0008', errorCode: 'SLIPPAGE_EXCEEDED' },
    });
    expect((await bot.position(execution.positionId)).legs[0]).to.include({ quantity: '0.0008' });
    await expectExplained();
  });

  it('a closing order that vanishes because the position is gone is found out: nothing opens the other way', async function () {
    this.timeout(90_000);
    const { positionId } = await bot.open(LONG);
    bot.script.streamFaults({ silent: ['account_all_trades', 'account_all_orders'] });
    bot.script.tradeElsewhere(bot.index, 'BTC', 'sell', '0.002', '100000');
    const id = await bot.beginClose(positionId);
    bot.script.streamFaults({});
    await bot.ended(id);
    expect(bot.held()).to.deep.equal({});
    await until(
      live.gateway.clock,
      'the books agree',
      async () => ((await bot.unexplained())?.length ?? 1) === 0,
    );
  });
});

describe('API: Lighter, emulated: accounts when things go wrong', () => {
  withGateway();

  it('a malformed or empty state of the account flattens nothing: the basket stays, and closes when the venue is right', async () => {
    const { positionId } = await bot.open(LONG);
    for (const json of [{}, { code: 200, accounts: [] }]) {
      bot.script.fault({ on: 'account', do: 'answer', json, times: null, account: bot.index });
      await bot.sync();
      expect((await bot.position(positionId)).legs[0]).to.include({ quantity: '0.002' });
      expect((await bot.position(positionId)).status).to.equal('OPEN');
      bot.script.clearFaults();
    }
    await expectExplained();
    expect(await bot.close(positionId)).to.include({ status: 'COMPLETED' });
    expect(bot.held()).to.deep.equal({});
  });

  it('leverage is what the venue executes: a refusal by the sequencer fails that setting only', async () => {
    bot.script.refuseInSequencer({ kind: 'updateLeverage', account: bot.index, code: 21_613 });
    const setting = { symbol: 'BTC-PERP', leverage: 3, marginMode: 'cross' };
    const refused = await bot.ask('PUT', '/leverage', setting);
    expect(refused.status, refused.text).to.equal(400);
    expect((await live.status()).status).to.equal('UP');
    expect((await bot.ask('PUT', '/leverage', setting)).status).to.equal(200);
    expect(await bot.open(PAIR)).to.include({ status: 'COMPLETED' });
    expect(bot.script.state(bot.index).positions.find(({ symbol }) => symbol === 'BTC')?.fraction).to.equal(
      3_334,
    );
  });

  it('a liquidation and a deleveraging reduce the basket, name their cause, and are told', async () => {
    const { positionId } = await bot.open(PAIR);
    bot.script.liquidate(bot.index, 'BTC', '90000');
    await until(
      live.gateway.clock,
      'the liquidation is recorded',
      async () => (await bot.fills()).length === 3,
    );
    // Fills of one millisecond are one event.
    await live.gateway.clock.advance(1);
    bot.script.deleverage(bot.index, 'ETH', '4100', '0.02');
    await until(live.gateway.clock, 'both are recorded', async () => (await bot.fills()).length === 4);
    const forced = (await bot.fills()).filter(({ executionId }) => executionId === null);
    expect(
      forced.map(({ symbol, cause, isLiquidation }) => [symbol, cause, isLiquidation]),
    ).to.have.deep.members([
      ['BTC-PERP', 'TRADE', true],
      ['ETH-PERP', 'ADL', false],
    ]);
    const { legs } = await bot.position(positionId);
    expect(legs.map(({ symbol, quantity }: Json) => [symbol, quantity])).to.deep.equal([
      ['BTC-PERP', '0'],
      ['ETH-PERP', '0.03'],
    ]);
    expect(await bot.categories()).to.include.members(['POSITION_LIQUIDATED', 'EXTERNAL_CLOSE']);
    await expectExplained();
  });

  it('funding that stream and history both tell is booked once', async () => {
    const { positionId } = await bot.open(LONG);
    bot.script.setFundingRate('BTC', '0.0001');
    bot.script.streamFaults({ twice: true });
    bot.script.settleFunding();
    await until(
      live.gateway.clock,
      'it is booked',
      async () => Number((await bot.position(positionId)).fundingPaid) !== 0,
    );
    await bot.sync();
    await bot.sync();
    expect((await bot.position(positionId)).fundingPaid).to.equal('0.02');
  });

  it('a key that the venue refuses stops what opens, and the user is told', async () => {
    await bot.open(LONG);
    bot.script.revokeApiKey(bot.index, 5);
    await bot.open(LONG);
    await until(live.gateway.clock, 'the account says so', async () => {
      const { json } = await bot.ask('GET', `/trade-accounts/${bot.id}`);
      return JSON.stringify(json).includes('INVALID_CREDENTIALS');
    });
    const late = await bot.tryOpen(LONG);
    if (late.status === 202) expect(await bot.ended(late.json.execution.id)).to.include({ status: 'FAILED' });
    else expect(late.status, late.text).to.be.within(400, 499);
    expect(bot.held()).to.deep.equal({ BTC: '0.002' });
  });

  it('a clock that is far off: what opens is refused with the reason, what closes goes', async () => {
    const { positionId } = await bot.open(LONG);
    bot.script.setClockOffset(45_000);
    // The time is asked for anew with the next connection.
    bot.script.cutStreams();
    await live.untilStatus('DEGRADED');
    const refused = await bot.tryOpen(LONG);
    expect(refused.status, refused.text).to.equal(409);
    expect(refused.text)
      .to.match(/only closing orders/)
      .and.match(/clock is 45 s off/);
    expect(await bot.close(positionId)).to.include({ status: 'COMPLETED' });
    expect(bot.held()).to.deep.equal({});
    bot.script.setClockOffset(0);
    bot.script.cutStreams();
    await live.untilStatus('UP');
    expect(await bot.open(LONG)).to.include({ status: 'COMPLETED' });
  });

  it('the machine slept: what happened meanwhile is booked before anything opens', async () => {
    const { positionId } = await bot.open(LONG);
    bot.script.streamFaults({
      silent: ['account_all_trades', 'account_all_orders', 'account_all_positions'],
    });
    bot.script.liquidate(bot.index, 'BTC', '90000', '0.0005');
    bot.script.streamFaults({});
    live.gateway.gateway.woke();
    await until(
      live.gateway.clock,
      'it is booked',
      async () => (await bot.position(positionId)).legs[0].quantity === '0.0015',
    );
    await live.untilStatus('UP');
    await expectExplained();
    expect(await bot.open([['SOL', 'BUY', '100']])).to.include({ status: 'COMPLETED' });
  });

  it('maintenance in the middle: orders are looked for afterwards, and holdings are right', async function () {
    this.timeout(90_000);
    bot.script.fault({ on: 'sendTxBatch', do: 'status', code: 503, execute: true, account: bot.index });
    const id = await bot.beginOpen(PAIR);
    await until(live.gateway.clock, 'they are there', () => bot.orderIds().length === 2);
    bot.script.cutStreams(1_012);
    expect(await bot.ended(id)).to.include({ status: 'COMPLETED' });
    await live.untilStatus('UP');
    expectSentOnce();
    await expectExplained();
  });
});

// Each takes until long after the order's expiry, so that they run side by side.
describe('API: Lighter, emulated: orders that lookups deny', () => {
  type Case = 'in the history' | 'nowhere' | 'in the position only';
  const accounts = new Map<Case, LiveAccount>();
  const ids = new Map<Case, string>();
  const of = (name: Case) => {
    const [account, id] = [accounts.get(name), ids.get(name)];
    if (account === undefined || id === undefined) throw new Error(`no case ${name}`);
    return { account, id };
  };

  before(async function () {
    this.timeout(90_000);
    live = await LiveGateway.start(await temporaryFolder());
    for (const name of ['in the history', 'nowhere', 'in the position only'] as const)
      accounts.set(name, await live.account());
    const { script } = live.emulator;
    script.streamFaults({ silent: ['account_all_trades', 'account_all_orders', 'account_tx'] });
    script.fault({ on: 'accountOrders', do: 'answer', json: { code: 200, orders: [] }, times: null });
    for (const [name, { index: account }] of accounts) {
      if (name === 'nowhere') script.fault({ on: 'sendTx', do: 'cut_before', account });
      else script.fault({ on: 'sendTx', do: 'lose_answer', account });
      if (name === 'in the position only')
        script.fault({ on: 'trades', do: 'answer', json: { code: 200, trades: [] }, times: null, account });
      const one = accounts.get(name);
      if (one !== undefined) ids.set(name, await one.beginOpen(LONG));
    }
  });
  after(async () => {
    await live.close();
    await removeTemporaryFolders();
  });
  beforeEach(function () {
    this.timeout(90_000);
  });

  it('its fill in the history ends an order that streams and lookups keep silent about', async () => {
    const { account, id } = of('in the history');
    bot = account;
    const execution = await bot.ended(id);
    expect(execution.orders[0]).to.include({ status: 'FILLED', filledQuantity: '0.002' });
    expect((await bot.position(execution.positionId)).legs[0]).to.include({ quantity: '0.002' });
    expectSentOnce();
    await expectExplained();
  });

  it('one that is neither in the history nor in the position never arrived, and is not sent again', async () => {
    const { account, id } = of('nowhere');
    bot = account;
    expect(await bot.ended(id)).to.include({ status: 'FAILED', errorCode: 'UNKNOWN_OUTCOME' });
    expect([bot.held(), bot.orderIds()]).to.deep.equal([{}, []]);
    await expectExplained();
  });

  it('one that only the position tells of is kept open for a person, who is told, until the venue is right again', async () => {
    const { account, id } = of('in the position only');
    bot = account;
    await until(live.gateway.clock, 'it needs review', async () => {
      const { orders } = await bot.execution(id);
      return orders[0].errorCode === 'NEEDS_REVIEW';
    });
    expect(await bot.execution(id)).to.include({ status: 'ACTIVE' });
    expect(await bot.categories()).to.include('ORDER_NEEDS_REVIEW');
    expectSentOnce();
    live.emulator.script.clearFaults();
    const execution = await bot.ended(id);
    expect(execution.orders[0]).to.include({ status: 'FILLED', filledQuantity: '0.002' });
    expect(bot.held()).to.deep.equal({ BTC: '0.002' });
    await expectExplained();
  });
});
