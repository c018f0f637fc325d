/** Opening, adding, adjusting, closing: what a bot sees of the first whole capability. */
import { expect } from 'chai';
import { deriveBasketKey } from '../../gateway/contract/basket-key.ts';
import { listPositions, openTrade } from '../../gateway/contract/positions.ts';
import { getExecution, listFills } from '../../gateway/contract/trading.ts';
import { dec, sum, text } from '../../gateway/domain/decimal.ts';
import { gatewayForSuite, startTestGateway } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { PAIR, trader, traderForSuite, usd } from '../support/trader.ts';

describe('trading through the API', () => {
  const gateway = gatewayForSuite();
  const bot = traderForSuite(gateway);

  const closeAll = async () => {
    for (const position of await bot.positions()) {
      expect((await bot.execute(`/positions/${position.id}/close`, { type: 'MARKET' })).status).to.equal(
        'COMPLETED',
      );
    }
  };
  afterEach(closeAll);

  const fillsOf = async (positionId: string): Promise<Json[]> => {
    const { json } = await bot.call('GET', '/fills?limit=2000');
    return json.fills.filter((fill: Json) => fill.positionId === positionId);
  };

  it('POST /trade/open acknowledges IDLE with 202, fills, and makes a position whose legs are its fills', async () => {
    const answer = await bot.expect('POST', '/trade/open', { type: 'MARKET', legs: PAIR }, 202);
    expect(openTrade.success[202].parse(answer).intent).to.equal('OPEN');
    expect(answer.execution).to.include({ status: 'IDLE', intent: 'OPEN', origin: 'API' });
    expect(answer.execution.basketKey).to.equal(deriveBasketKey(['BTC-PERP'], ['ETH-PERP']));
    expect(answer).to.not.have.property('position');

    const execution = await bot.ended(answer.execution.id);
    getExecution.success[200].parse({ execution });
    expect(execution).to.include({ status: 'COMPLETED', error: null, errorCode: null });
    expect(execution.orders.map((order: { status: string }) => order.status)).to.deep.equal([
      'FILLED',
      'FILLED',
    ]);

    const positions = await bot.positions();
    listPositions.success[200].parse({ positions });
    expect(positions).to.have.length(1);
    const [position] = positions;
    expect(position).to.include({ id: execution.positionId, status: 'OPEN', basketKey: execution.basketKey });
    const fills = await fillsOf(position.id);
    listFills.success[200].parse({ fills });
    for (const [index, leg] of position.legs.entries()) {
      const own = fills.filter((fill) => fill.symbol === leg.symbol);
      expect(leg.quantity).to.equal(execution.orders[index].filledQuantity);
      expect(leg.quantity).to.equal(text(sum(own.map((fill) => dec(fill.quantity)))));
      expect(Number(leg.notional)).to.be.within(950, 1_050);
      expect(leg).to.include({ leverage: 5, marginMode: 'cross', targetWeight: '0.5' });
    }
    const lite = await bot.call('GET', '/positions/lite');
    expect(lite.json.positions).to.deep.equal([
      {
        id: position.id,
        connector: 'paper',
        basketKey: position.basketKey,
        legs: position.legs.map((leg: { symbol: string; side: string; quantity: string }) => ({
          symbol: leg.symbol,
          side: leg.side,
          quantity: leg.quantity,
        })),
      },
    ]);
    expect((await bot.call('GET', `/positions/${position.id}`)).json.id).to.equal(position.id);
  });

  it('opening a basket that is already open adjusts it: intent ADJUST and the position in the answer', async () => {
    const first = await bot.open(PAIR);
    const again = await bot.expect('POST', '/trade/open', { type: 'MARKET', legs: [...PAIR].reverse() }, 202);
    expect(again).to.include({ intent: 'ADJUST' });
    expect(again.position.id).to.equal(first.positionId);
    expect((await bot.ended(again.execution.id)).status).to.equal('COMPLETED');
    const positions = await bot.positions();
    expect(positions).to.have.length(1);
    expect(Number(positions[0].grossNotional)).to.be.within(3_800, 4_200);
  });

  it('the three leg modes: BASE quantities, USD notionals, WEIGHT shares of totalUsd', async () => {
    const base = await bot.open([
      { symbol: 'SOL-PERP', side: 'BUY', mode: 'BASE', amount: '2.5' },
      usd('ETH', 'SELL', '500'),
    ]);
    expect(base.orders[0].filledQuantity).to.equal('2.5');
    const weighted = await bot.open(
      [
        { symbol: 'BTC-PERP', side: 'BUY', mode: 'WEIGHT', amount: '0.5' },
        { symbol: 'LINK-PERP', side: 'SELL', mode: 'WEIGHT', amount: '0.3' },
        { symbol: 'AVAX-PERP', side: 'SELL', mode: 'WEIGHT', amount: '0.2' },
      ],
      { totalUsd: '2000' },
    );
    const position = (await bot.call('GET', `/positions/${weighted.positionId}`)).json;
    expect(position.legs.map((leg: { targetWeight: string }) => leg.targetWeight)).to.deep.equal([
      '0.5',
      '0.3',
      '0.2',
    ]);
    for (const [index, share] of [1_000, 600, 400].entries()) {
      expect(Number(position.legs[index].notional)).to.be.within(share * 0.95, share * 1.02);
    }
  });

  it('dryRun answers 200 with the plan and records nothing', async () => {
    const before = (await bot.call('GET', '/executions?limit=2000')).json.executions.length;
    const answer = await bot.expect('POST', '/trade/open', { type: 'MARKET', legs: PAIR, dryRun: true });
    const { plan } = openTrade.success[200].parse(answer);
    expect(plan.problems).to.deep.equal([]);
    expect(plan.legs.map((leg) => leg.ticker)).to.deep.equal(['BTC', 'ETH']);
    expect(Number(plan.grossNotional)).to.be.within(1_990, 2_000);
    expect((await bot.call('GET', '/executions?limit=2000')).json.executions.length).to.equal(before);
    expect(await bot.positions()).to.deep.equal([]);
  });

  it('dryRun says what the books hold: what each leg would pay past its mark, and how deep they are', async () => {
    // Without friction, a price holds any quantity.
    const real = await startTestGateway({ settings: { paperProfile: 'realistic' } });
    const taker = await trader(real);
    const dry = async (amount: string) => {
      const legs = [usd('BTC', 'BUY', amount), usd('ETH', 'SELL', amount)];
      const answer = await taker.call('POST', '/trade/open', { type: 'MARKET', legs, dryRun: true });
      return openTrade.success[200].parse(answer.json).plan;
    };
    const [small, large] = [await dry('100'), await dry('2000000')];
    await real.close();
    for (const plan of [small, large]) {
      for (const { side, quantity, limitPrice, expected } of plan.legs) {
        if (expected?.averagePrice == null) throw new Error('No book is known');
        expect(Number(expected.fillable)).to.be.greaterThan(0).and.at.most(Number(quantity));
        const [average, limit] = [Number(expected.averagePrice), Number(limitPrice)];
        expect(side === 'BUY' ? average <= limit : average >= limit, `${side} ${average} ${limit}`).to.equal(
          true,
        );
        expect(Number(expected.depth)).to.be.greaterThan(100);
      }
      const cost = plan.legs.reduce((sum, { expected }) => sum + Number(expected?.cost), 0);
      expect(Number(plan.expectedCost)).to.be.closeTo(cost, 1e-6);
    }
    expect(small.legs.map(({ expected, quantity }) => expected?.fillable === quantity)).to.deep.equal([
      true,
      true,
    ]);
    // The further into the books, the worse.
    expect(Number(large.expectedSlippage)).to.be.greaterThan(Number(small.expectedSlippage));
  });

  it('dryRun names what would stop the basket', async () => {
    const answer = await bot.call('POST', '/trade/open', {
      type: 'MARKET',
      legs: [usd('BTC', 'BUY', '2'), usd('ETH', 'SELL', '9000000')],
      dryRun: true,
    });
    const codes = answer.json.plan.problems.map((problem: { code: string }) => problem.code);
    expect(codes).to.include('MIN_NOTIONAL').and.to.include('INSUFFICIENT_MARGIN');
  });

  it('a leg that cannot be sent fails the whole execution while IDLE, naming leg and code; nothing was placed', async () => {
    const execution = await bot.open([usd('BTC', 'BUY', '5'), usd('ETH', 'SELL', '1000')]);
    expect(execution).to.include({ status: 'FAILED', errorCode: 'MIN_NOTIONAL', activeAt: null });
    expect(execution.error).to.include('Leg 1 (BTC-PERP BUY)').and.to.include('No orders were placed');
    expect(execution.orders[0]).to.include({
      status: 'REJECTED',
      errorCode: 'MIN_NOTIONAL',
      clientOrderId: null,
    });
    expect(execution.orders[1]).to.include({ status: 'CANCELLED', errorCode: null, clientOrderId: null });
    expect(await bot.positions()).to.deep.equal([]);
  });

  it('a basket above the free margin fails while IDLE: INSUFFICIENT_MARGIN', async () => {
    const execution = await bot.open([usd('BTC', 'BUY', '900000'), usd('ETH', 'SELL', '900000')]);
    expect(execution).to.include({ status: 'FAILED', errorCode: 'INSUFFICIENT_MARGIN', activeAt: null });
  });

  it('adjust: INCREASE by usd, REDUCE by fraction, targets; the position follows', async () => {
    const { positionId } = await bot.open(PAIR);
    const adjust = async (body: object) => {
      const answer = await bot.expect('POST', `/positions/${positionId}/adjust`, body, 202);
      const execution = await bot.ended(answer.execution.id);
      expect(execution.status, execution.error).to.equal('COMPLETED');
      return { answer: answer, position: (await bot.call('GET', `/positions/${positionId}`)).json };
    };
    const grown = await adjust({ intent: 'INCREASE', usd: '1000' });
    expect(grown.answer.intent).to.equal('ADJUST');
    expect(Number(grown.position.grossNotional)).to.be.within(2_850, 3_150);
    const halved = await adjust({ intent: 'REDUCE', fraction: '0.5' });
    expect(halved.answer.intent).to.equal('REDUCE');
    for (const [index, leg] of halved.position.legs.entries()) {
      const expected = dec(grown.position.legs[index].quantity).div(2);
      expect(Number(leg.quantity)).to.be.closeTo(Number(expected), 0.001);
    }
    const target = await adjust({ intent: 'REDUCE', targets: [{ symbol: 'BTC-PERP', quantity: '0.002' }] });
    expect(target.position.legs[0].quantity).to.equal('0.002');
    expect(target.position.legs[1].quantity).to.equal(halved.position.legs[1].quantity);
    const noop = await bot.expect(
      'POST',
      `/positions/${positionId}/adjust`,
      {
        intent: 'REDUCE',
        targets: [{ symbol: 'BTC-PERP', quantity: '0.002' }],
      },
      409,
    );
    expect(noop.errorCode).to.equal('NOOP_ERROR');
  });

  it('close takes a fraction, then the rest; the closed position keeps its economics; closing again is NOOP_ERROR', async () => {
    const { positionId } = await bot.open(PAIR);
    const half = await bot.call('POST', `/positions/${positionId}/close`, {
      type: 'MARKET',
      fraction: '0.5',
    });
    expect(half.json.intent).to.equal('REDUCE');
    await bot.ended(half.json.execution.id);
    const rest = await bot.call('POST', `/positions/${positionId}/close`, { type: 'MARKET' });
    expect(rest.json.intent).to.equal('CLOSE');
    const execution = await bot.ended(rest.json.execution.id);
    expect(execution.orders.every((order: { reduceOnly: boolean }) => order.reduceOnly)).to.equal(true);
    const position = (await bot.call('GET', `/positions/${positionId}`)).json;
    expect(position).to.include({ status: 'CLOSED', grossNotional: '0', unrealizedPnl: '0' });
    expect(position.closedAt).to.be.a('string');
    const fills = await fillsOf(positionId);
    expect(position.feesPaid).to.equal(text(sum(fills.map((fill) => dec(fill.fee)))));
    expect(position.realizedPnl).to.equal(text(sum(fills.map((fill) => dec(fill.realizedPnl)))));
    const again = await bot.expect('POST', `/positions/${positionId}/close`, { type: 'MARKET' }, 409);
    expect(again.errorCode).to.equal('NOOP_ERROR');
  });

  it('two baskets may hold one instrument: each keeps its own quantity, the venue the sum, and one closes alone', async () => {
    const one = await bot.open([usd('BTC', 'BUY', '1000'), usd('ETH', 'SELL', '1000')]);
    const two = await bot.open([usd('SOL', 'BUY', '600'), usd('BTC', 'SELL', '600')]);
    const execution = await bot.execute(`/positions/${one.positionId}/close`, { type: 'MARKET' });
    expect(execution.status, execution.error).to.equal('COMPLETED');
    const left = (await bot.call('GET', `/positions/${two.positionId}`)).json;
    expect(left.status).to.equal('OPEN');
    expect(left.legs[1].quantity).to.equal(two.orders[1].filledQuantity);
    // The net BTC position (long 1,000 short 600) is smaller than the close: that leg must not be reduce-only.
    expect(execution.orders[0]).to.include({ symbol: 'BTC-PERP', reduceOnly: false });
    expect(execution.orders[1]).to.include({ symbol: 'ETH-PERP', reduceOnly: true });
  });

  it('a second action on a basket while one runs is 409 RESOURCE_BUSY', async () => {
    const requests = await Promise.all(
      Array.from({ length: 8 }, () => bot.call('POST', '/trade/open', { type: 'MARKET', legs: PAIR })),
    );
    const accepted = requests.filter((answer) => answer.status === 202);
    const refused = requests.filter((answer) => answer.status === 409);
    expect(accepted.length + refused.length).to.equal(8);
    expect(accepted.length).to.be.at.least(1);
    expect(refused.length).to.be.at.least(1);
    for (const answer of refused) expect(answer.json.errorCode).to.equal('RESOURCE_BUSY');
    for (const answer of accepted) await bot.ended(answer.json.execution.id);
  });

  it('leverage is a setting of the account: set, listed, used', async () => {
    const set = await bot.expect('PUT', '/leverage', {
      symbol: 'DOGE-PERP',
      leverage: 3,
      marginMode: 'isolated',
    });
    expect(set).to.deep.equal({});
    const listed = await bot.call('GET', '/leverage');
    expect(listed.json.leverage[0]).to.include({ symbol: 'DOGE-PERP', leverage: 3, marginMode: 'isolated' });
    const { positionId } = await bot.open([usd('DOGE', 'BUY', '300'), usd('ETH', 'SELL', '300')]);
    const position = (await bot.call('GET', `/positions/${positionId}`)).json;
    expect(position.legs[0]).to.include({ leverage: 3, marginMode: 'isolated' });
    expect(Number(position.marginUsed)).to.be.closeTo(300 / 3 + 300 / 5, 5);
  });

  it('brackets in an open are armed with its fills', async () => {
    const { positionId } = await bot.open(PAIR, {
      takeProfit: { type: 'PERCENTAGE', value: '50' },
      stopLoss: { type: 'DOLLAR', value: '400', trailing: { delta: '100' } },
    });
    const position = (await bot.call('GET', `/positions/${positionId}`)).json;
    expect(position.takeProfit).to.include({ type: 'PERCENTAGE', value: '50', status: 'ACTIVE' });
    expect(position.stopLoss).to.include({ type: 'DOLLAR', value: '400', status: 'ACTIVE' });
  });
});
