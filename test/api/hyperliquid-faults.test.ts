/** A live account at an emulated Hyperliquid that goes wrong: how executions, holdings and notifications end. */
import { expect } from 'chai';
import type { Json } from '../support/json.ts';
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { type LiveAccount, LiveGateway, type LiveLeg } from '../support/venues/hyperliquid/live-gateway.ts';

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

/** A gateway for a few tests, each with an account of its own: the venue follows ten for one address. */
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
    script.setFillsNameClientIds(true);
    script.setClockOffset(0);
    script.setMark('BTC', '100000');
    script.setMark('ETH', '4000');
  });
  after(async () => {
    await live.close();
    await removeTemporaryFolders();
  });
}

describe('API: Hyperliquid, emulated: orders when things go wrong', () => {
  withGateway();

  it('the answer is lost: the stream or a lookup tells the end, and nothing is sent twice', async () => {
    bot.script.fault({ on: 'order', do: 'lose_answer', user: bot.address });
    const execution = await bot.open(PAIR);
    expect(execution).to.include({ status: 'COMPLETED', errorCode: null });
    expect(bot.held()).to.deep.equal({ BTC: '0.002', ETH: '-0.05' });
    expectSentOnce();
    expect(bot.orderIds()).to.have.length(2);
    await expectExplained();
  });

  it('fills that are heard before the answer, twice, and again after a reconnect are booked once, to their orders', async () => {
    bot.script.setFillsNameClientIds(false);
    bot.script.streamFaults({ twice: true });
    bot.script.fault({ on: 'order', do: 'delay', afterMs: 400, user: bot.address });
    const execution = await bot.open(PAIR);
    expect(execution).to.include({ status: 'COMPLETED' });
    bot.script.repeatFills(bot.address, 2);
    bot.script.cutStreams();
    await live.untilStatus('DOWN');
    await live.untilStatus('UP');
    await expectExplained();
    const fills = await bot.fills();
    expect(fills).to.have.length(2);
    const booked = fills.map(({ orderId, positionId }) => [orderId, positionId]);
    expect(booked).to.have.deep.members(execution.orders.map(({ id }: Json) => [id, execution.positionId]));
  });

  it('one refused leg fails alone: the other is held and named', async () => {
    const text = 'Insufficient margin to place order. asset=1';
    bot.script.fault({ on: 'order', do: 'refuse_leg', leg: 1, text, user: bot.address });
    const execution = await bot.open(PAIR, { onLegFailure: 'KEEP' });
    expect(execution.status).to.not.equal('COMPLETED');
    expect(execution.orders.map(({ status }: Json) => status)).to.deep.equal(['FILLED', 'REJECTED']);
    expect(execution.orders[1].error).to.include('Insufficient margin');
    expect(bot.held()).to.deep.equal({ BTC: '0.002' });
    await expectExplained();
  });

  it('a refused nonce is not the order’s end: it is sent again with the same id, once', async () => {
    const response = 'Invalid nonce: duplicate nonce 5';
    bot.script.fault({ on: 'order', do: 'answer', json: { status: 'err', response }, user: bot.address });
    bot.script.clearTraffic();
    const execution = await bot.open(LONG);
    expect(execution).to.include({ status: 'COMPLETED' });
    expect(execution.orders[0]).to.include({ attempt: 1 });
    const [id] = bot.orderIds();
    expect(bot.script.sentContaining(`"c":"${id}"`)).to.have.length(2);
    expect(bot.held()).to.deep.equal({ BTC: '0.002' });
  });

  it('too many requests, twice: what closes is sent again, and goes', async () => {
    const { positionId } = await bot.open(LONG);
    bot.script.fault({ on: 'order', do: 'status', code: 429, times: 2 });
    expect(await bot.close(positionId)).to.include({ status: 'COMPLETED' });
    expect(bot.held()).to.deep.equal({});
  });

  it('an account that has used up its requests at the venue sends nothing more, and its order says so', async () => {
    const response = 'Too many cumulative requests sent (10001 > 10000) for cumulative volume traded $0.00.';
    const json = { status: 'err', response };
    bot.script.fault({ on: 'order', do: 'answer', json, times: null, user: bot.address });
    const execution = await bot.open(LONG);
    expect(execution).to.include({ status: 'FAILED', errorCode: 'NOT_SENT' });
    expect(execution.orders[0].error).to.include('Too many cumulative requests');
    expect([bot.held(), bot.orderIds()]).to.deep.equal([{}, []]);
    bot.script.clearFaults();
    expect(await bot.open(LONG)).to.include({ status: 'COMPLETED' });
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
    await expectExplained();
  });
});

describe('API: Hyperliquid, emulated: accounts when things go wrong', () => {
  withGateway();

  it('an empty state of the account flattens nothing: the basket stays, and closes when the venue is right again', async () => {
    const { positionId } = await bot.open(LONG);
    const [marginSummary, assetPositions] = [{ accountValue: '10000.0', totalMarginUsed: '0.0' }, []];
    const json = {
      marginSummary,
      crossMarginSummary: marginSummary,
      withdrawable: '10000.0',
      assetPositions,
    };
    bot.script.fault({ on: 'clearinghouseState', do: 'answer', json, times: null, user: bot.address });
    const { json: report } = await bot.sync();
    expect(report.differences).to.have.length(1);
    expect((await bot.position(positionId)).legs[0]).to.include({ quantity: '0.002' });
    expect((await bot.position(positionId)).status).to.equal('OPEN');
    bot.script.clearFaults();
    await expectExplained();
    expect(await bot.close(positionId)).to.include({ status: 'COMPLETED' });
    expect(bot.held()).to.deep.equal({});
  });

  it('a venue that hangs keeps nothing from whoever looks: what is held is told without it', async () => {
    await bot.open(PAIR);
    bot.script.fault({ on: 'info', do: 'hang', execute: false, user: bot.address, times: null });
    bot.script.cutStreams();
    await live.untilStatus('DOWN');
    // The dashboard waits for ten seconds.
    const told = await Promise.race([
      bot.ask('GET', '/portfolio?includeHoldings=true'),
      live.gateway.clock.sleep(10_000).then(() => null),
    ]);
    expect(told?.status).to.equal(200);
    expect(told?.json.holdings.positions[0]?.legs).to.have.length(2);
    expect(told?.json.equity).to.equal(null);
  });

  it('a malformed state of the account is no answer: nothing opens, and the basket stays', async () => {
    const { positionId } = await bot.open(LONG);
    bot.script.fault({ on: 'clearinghouseState', do: 'answer', json: {}, times: null, user: bot.address });
    const refused = await bot.open([['SOL', 'BUY', '100']]);
    expect(refused).to.include({ status: 'FAILED' });
    expect(refused.error).to.match(/did not answer/);
    expect((await bot.position(positionId)).legs[0]).to.include({ quantity: '0.002' });
    expect(bot.orderIds()).to.have.length(1);
  });

  it('a refused leverage fails that setting only', async () => {
    const response = 'Cannot switch leverage type with open position.';
    bot.script.fault({
      on: 'updateLeverage',
      do: 'answer',
      json: { status: 'err', response },
      user: bot.address,
    });
    const setting = { symbol: 'BTC-PERP', leverage: 3, marginMode: 'cross' };
    const refused = await bot.ask('PUT', '/leverage', setting);
    expect(refused.status, refused.text).to.equal(400);
    expect((await live.status()).status).to.equal('UP');
    expect(await bot.open(PAIR)).to.include({ status: 'COMPLETED' });
  });

  it('a liquidation and a deleveraging reduce the basket, name their cause, and are told', async () => {
    const { positionId } = await bot.open(PAIR);
    bot.script.liquidate(bot.address, 'BTC', '90000');
    await until(
      live.gateway.clock,
      'the liquidation is recorded',
      async () => (await bot.fills()).length === 3,
    );
    // Fills of one millisecond are one event.
    await live.gateway.clock.advance(1);
    bot.script.deleverage(bot.address, 'ETH', '4100', '0.02');
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

  it('a price band refuses the closing leg: it is planned again, within its slippage, until the venue takes it', async () => {
    const { positionId } = await bot.open([['BTC', 'SELL', '200']]);
    bot.script.setOracle('BTC', '40000');
    const id = await bot.beginClose(positionId);
    await until(
      live.gateway.clock,
      'the venue has refused',
      () => bot.script.state(bot.address).orders.length >= 2,
    );
    bot.script.setOracle('BTC', '100000');
    const execution = await bot.ended(id);
    expect(execution).to.include({ status: 'COMPLETED' });
    const limits = bot.script.sentContaining('"r":true').flatMap((text) => {
      const isOurs = bot.orderIds().some((cloid) => text.includes(String(cloid)));
      return isOurs ? [Number(/"p":"([\d.]+)"/.exec(text)?.[1])] : [];
    });
    expect(limits.length).to.be.at.least(2);
    for (const limit of limits) expect(limit).to.be.at.most(100_000 * (1 + Number(execution.slippage)));
    expect(bot.held()).to.deep.equal({});
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
    bot.script.streamFaults({ silent: ['userFills', 'orderUpdates'] });
    bot.script.liquidate(bot.address, 'BTC', '90000', '0.0005');
    bot.script.streamFaults({});
    live.gateway.gateway.woke();
    const early = await bot.tryOpen(LONG);
    if (early.status === 202) {
      const { errorCode } = await bot.ended(early.json.execution.id);
      expect(errorCode).to.be.oneOf(['PRICE_STALE', 'CLOSE_ONLY']);
    } else expect(early.status, early.text).to.equal(409);
    await live.untilStatus('UP');
    await until(
      live.gateway.clock,
      'it is booked',
      async () => (await bot.position(positionId)).legs[0].quantity === '0.0015',
    );
    await expectExplained();
    expect(await bot.open([['SOL', 'BUY', '100']])).to.include({ status: 'COMPLETED' });
  });

  it('maintenance in the middle: orders are looked for afterwards, and holdings are right', async function () {
    this.timeout(90_000);
    bot.script.fault({ on: 'order', do: 'status', code: 503, execute: true, user: bot.address });
    const id = await bot.beginOpen(PAIR);
    await until(live.gateway.clock, 'they are asked for or known', () => bot.orderIds().length === 2);
    bot.script.cutStreams(1012);
    const execution = await bot.ended(id);
    expect(execution).to.include({ status: 'COMPLETED' });
    await live.untilStatus('UP');
    expectSentOnce();
    await expectExplained();
  });
});

// Each takes until long after the order's expiry, so that they run side by side.
describe('API: Hyperliquid, emulated: orders that lookups deny', () => {
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
    script.streamFaults({ silent: ['userFills', 'orderUpdates'] });
    script.fault({ on: 'orderStatus', do: 'answer', json: { status: 'unknownOid' }, times: null });
    for (const [name, account] of accounts) {
      const user = account.address;
      if (name === 'nowhere') script.fault({ on: 'order', do: 'cut_before', user });
      else script.fault({ on: 'order', do: 'lose_answer', user });
      if (name === 'in the position only')
        script.fault({ on: 'userFillsByTime', do: 'answer', json: [], times: null, user });
      ids.set(name, await account.beginOpen(LONG));
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
