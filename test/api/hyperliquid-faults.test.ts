/** A live account at an emulated Hyperliquid that goes wrong: how executions, holdings and notifications end. */
import { expect } from 'chai';
import type { Json } from '../support/json.ts';
import {
  expectExplained,
  expectSentOnce,
  faultSuite,
  LONG,
  PAIR,
} from '../support/venues/hyperliquid/fault-suite.ts';
import type { LiveAccount, LiveGateway } from '../support/venues/hyperliquid/live-gateway.ts';

let live: LiveGateway;
let bot: LiveAccount;

function withGateway(): void {
  const suite = faultSuite();
  beforeEach(() => {
    ({ live, bot } = suite);
  });
}

describe('API: Hyperliquid, emulated: orders when things go wrong', () => {
  withGateway();

  it('one refused leg fails alone: the other is held and named', async () => {
    const text = 'Insufficient margin to place order. asset=1';
    bot.script.fault({ on: 'order', do: 'refuse_leg', leg: 1, text, user: bot.address });
    const execution = await bot.open(PAIR, { onLegFailure: 'KEEP' });
    expect(execution.status).to.not.equal('COMPLETED');
    expect(execution.orders.map(({ status }: Json) => status)).to.deep.equal(['FILLED', 'REJECTED']);
    expect(execution.orders[1].error).to.include('Insufficient margin');
    expect(bot.held()).to.deep.equal({ BTC: '0.002' });
    await expectExplained(bot);
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

  it('too many requests, twice: what closes is sent again, and goes @long', async () => {
    const { positionId } = await bot.open(LONG);
    bot.script.fault({ on: 'order', do: 'status', code: 429, times: 2 });
    expect(await bot.close(positionId)).to.include({ status: 'COMPLETED' });
    expect(bot.held()).to.deep.equal({});
  });

  for (const form of ['one error for all', 'an error of the request'] as const) {
    it(`only post-only orders after an upgrade (${form}): what closes is tried on, what opens is refused with the sentence @long`, async () => {
      const { positionId } = await bot.open(PAIR);
      const error = 'Only post-only orders allowed immediately after network upgrade';
      const ok = { status: 'ok', response: { type: 'order', data: { statuses: [{ error }] } } };
      const json = form === 'one error for all' ? ok : { status: 'err', response: error };
      bot.script.fault({ on: 'order', do: 'answer', json, times: null, user: bot.address });
      const id = await bot.beginClose(positionId);
      await live.gateway.clock.advance(20_000);
      expect(await bot.execution(id)).to.include({ status: 'ACTIVE' });
      expect(await live.status()).to.include({ status: 'UP', trading: 'CLOSE_ONLY', reason: error });
      const refused = await bot.tryOpen(LONG);
      expect(refused.status, refused.text).to.equal(409);
      expect(refused.text).to.include(error);
      bot.script.clearFaults();
      expect(await bot.ended(id)).to.include({ status: 'COMPLETED' });
      expect(bot.held()).to.deep.equal({});
      await live.until('it opens again', async () => (await live.status()).trading === 'UP');
      expect(await bot.open(LONG)).to.include({ status: 'COMPLETED' });
    });
  }

  for (const error of [
    'Order price too far from oracle',
    'Order rejected due to price more aggressive than oracle while at open interest cap',
    'Order price cannot be more than 80% away from the reference price',
  ])
    it(`a closing leg refused with "${error}" is priced again and closes @long`, async () => {
      const { positionId } = await bot.open(PAIR);
      bot.script.fault({
        on: 'order',
        do: 'refuse_leg',
        leg: 1,
        text: `${error} asset=1`,
        user: bot.address,
      });
      expect(await bot.close(positionId)).to.include({ status: 'COMPLETED' });
      expect(bot.held()).to.deep.equal({});
      await expectExplained(bot);
    });

  it('an order that opens meets the venue after an upgrade first: refused with the sentence', async () => {
    const error = 'Only post-only orders allowed immediately after network upgrade';
    bot.script.fault({ on: 'order', do: 'refuse_leg', leg: 0, text: error, user: bot.address });
    const execution = await bot.open(LONG);
    expect(execution.orders[0]).to.include({ status: 'REJECTED', errorCode: 'VENUE_REJECTED' });
    expect(execution.orders[0].error).to.include(error);
    expect(await live.status()).to.include({ trading: 'CLOSE_ONLY' });
    await live.gateway.clock.advance(31_000);
    expect(await live.status()).to.include({ trading: 'UP' });
  });

  it('an account that has used up its requests at the venue sends nothing more, and its order says so @long', async () => {
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
});

/** Cases of `npm test`: a fill and a partial fill, each with a wrong size. */
const SHORT = ['filled 0.0005 true', 'filled 0.0012 false'];
const isShort = (...words: readonly unknown[]) => SHORT.includes(words.join(' '));

describe('API: Hyperliquid, emulated: orders whose `sz` is not what is left', () => {
  withGateway();

  for (const [filled, status, sz] of [
    ['0.002', 'filled', '0.002'],
    ['0.002', 'filled', '0.0005'],
    ['0.0008', 'filled', '0.0012'],
    ['0.0008', 'filled', '0.0'],
    ['0.0008', 'canceled', '0.002'],
    ['0.0008', 'canceled', '0.0'],
    ['0', 'canceled', '0.0'],
    ['0.0008', 'perpMarginRejected', '0.002'],
  ] as const)
    for (const isStreamSilent of [true, false])
      it(`filled ${filled} of 0.002, \`${status}\` with sz ${sz}, ${isStreamSilent ? 'streams silent' : 'streams of the same words'}: what filled is held${isShort(status, sz, isStreamSilent) ? '' : ' @long'}`, async () => {
        if (filled !== '0.002') {
          const asks: [string, string][] = filled === '0' ? [] : [['100010', filled]];
          bot.script.setBook('BTC', [['99990', '1']], [...asks, ['150000', '1']]);
        }
        const say = (value: Json): Json => ({ ...value, status, order: { ...value.order, sz } });
        const change = (message: Json): Json =>
          message.channel === 'orderUpdates' ? { ...message, data: message.data.map(say) } : message;
        bot.script.streamFaults(isStreamSilent ? { silent: ['userFills', 'orderUpdates'] } : { change });
        bot.script.fault({ on: 'order', do: 'lose_answer', user: bot.address });
        const json = (value: Json): Json =>
          value.order === undefined ? value : { ...value, order: say(value.order) };
        bot.script.fault({ on: 'orderStatus', do: 'change', json, times: null });
        const begun = live.gateway.clock.now();
        const { orders } = await bot.open(LONG);
        expect(orders[0].filledQuantity).to.equal(filled);
        expect(orders[0].status).to.equal(filled === '0.002' ? 'FILLED' : 'CANCELLED');
        expect(live.gateway.clock.now() - begun).to.be.lessThan(30_000);
        expectSentOnce(bot);
        expect(bot.held()).to.deep.equal(filled === '0' ? {} : { BTC: filled });
        await expectExplained(bot);
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
    await expectExplained(bot);
    expect(await bot.close(positionId)).to.include({ status: 'COMPLETED' });
    expect(bot.held()).to.deep.equal({});
  });

  it('a venue that hangs keeps nothing from whoever looks: what is held is told without it @long', async () => {
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

  it('a malformed state of the account is no answer: nothing opens, and the basket stays @long', async () => {
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
    await bot.expect('PUT', '/leverage', setting, 400);
    expect((await live.status()).status).to.equal('UP');
    expect(await bot.open(PAIR)).to.include({ status: 'COMPLETED' });
  });

  for (const [what, response] of [
    ['a status in an unknown form', { type: 'default', data: { statuses: [{ queued: 7 }] } }],
    ['an unknown word', { type: 'default', data: { statuses: ['queued'] } }],
  ] as const) {
    it(`a setting answered with ${what} is not stored as done @long`, async () => {
      const json = { status: 'ok', response };
      bot.script.fault({ on: 'updateLeverage', do: 'answer', json, user: bot.address });
      const before = (await bot.ask('GET', '/leverage')).json;
      const answer = await bot.ask('PUT', '/leverage', {
        symbol: 'BTC-PERP',
        leverage: 3,
        marginMode: 'cross',
      });
      expect([answer.status, answer.json.errorCode], answer.text).to.deep.equal([500, 'CONFIGURATION_ERROR']);
      expect((await bot.ask('GET', '/leverage')).json).to.deep.equal(before);
    });
  }

  for (const response of [
    'Must deposit before performing actions. User: 0x0000000000000000000000000000000000000001',
    'Vault not registered: 0x0000000000000000000000000000000000000001',
  ]) {
    it(`a key that the venue does not know any more (${response.slice(0, 20)}…): refused credentials within 15 s, and a notice${response.startsWith('Vault') ? '' : ' @long'}`, async () => {
      bot.script.revokeAgent(bot.address, bot.agent);
      bot.script.fault({ on: 'order', do: 'answer', json: { status: 'err', response } });
      const execution = await bot.open(LONG);
      expect(execution.orders[0]).to.include({ status: 'REJECTED' });
      await live.gateway.clock.advance(15_000);
      const { json } = await bot.ask('GET', `/trade-accounts/${bot.id}`);
      expect(json).to.include({ status: 'INVALID_CREDENTIALS' });
      expect((await bot.ask('GET', '/notifications')).text)
        .to.include(bot.id)
        .and.include('CREDENTIALS');
    });
  }

  it('a liquidation and a deleveraging reduce the basket, name their cause, and are told', async () => {
    const { positionId } = await bot.open(PAIR);
    bot.script.liquidate(bot.address, 'BTC', '90000');
    await live.until('the liquidation is recorded', async () => (await bot.fills()).length === 3);
    // Fills of one millisecond are one event.
    await live.gateway.clock.advance(1);
    bot.script.deleverage(bot.address, 'ETH', '4100', '0.02');
    await live.until('both are recorded', async () => (await bot.fills()).length === 4);
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
    await expectExplained(bot);
  });

  it('funding that stream and history both tell is booked once', async () => {
    const { positionId } = await bot.open(LONG);
    bot.script.setFundingRate('BTC', '0.0001');
    bot.script.streamFaults({ twice: true });
    bot.script.settleFunding();
    await live.until('it is booked', async () => Number((await bot.position(positionId)).fundingPaid) !== 0);
    await bot.sync();
    await bot.sync();
    expect((await bot.position(positionId)).fundingPaid).to.equal('0.02');
  });

  it('a price band refuses the closing leg: it is planned again, within its slippage, until the venue takes it @long', async () => {
    const { positionId } = await bot.open([['BTC', 'SELL', '200']]);
    bot.script.setOracle('BTC', '40000');
    const id = await bot.beginClose(positionId);
    await live.until('the venue has refused', () => bot.script.state(bot.address).orders.length >= 2);
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
    await live.until(
      'it is booked',
      async () => (await bot.position(positionId)).legs[0].quantity === '0.0015',
    );
    await expectExplained(bot);
    expect(await bot.open([['SOL', 'BUY', '100']])).to.include({ status: 'COMPLETED' });
  });

  it('maintenance in the middle: orders are looked for afterwards, and holdings are right @long', async function () {
    this.timeout(90_000);
    bot.script.fault({ on: 'order', do: 'status', code: 503, execute: true, user: bot.address });
    const id = await bot.beginOpen(PAIR);
    await live.until('they are asked for or known', () => bot.orderIds().length === 2);
    bot.script.cutStreams(1012);
    expect(await bot.ended(id)).to.include({ status: 'COMPLETED' });
    await live.untilStatus('UP');
    expectSentOnce(bot);
    await expectExplained(bot);
  });
});
