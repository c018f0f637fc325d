/** Plans of position changes compared with their results, and an account's distance from liquidation. */
import { expect } from 'chai';
import type { z } from 'zod';
import type { accountAfter } from '../../gateway/contract/account-after.ts';
import { getAccountRisk } from '../../gateway/contract/account-risk.ts';
import { planAdjust, planClose, planCloseAll, planReverse } from '../../gateway/contract/position-plans.ts';
import { openTrade } from '../../gateway/contract/positions.ts';
import { planPanic } from '../../gateway/contract/safety.ts';
import { dec, sum, text } from '../../gateway/domain/decimal.ts';
import { gatewayForSuite, startTestGateway, type TestAnswer } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { openForEachTest } from '../support/open-for-tests.ts';
import { recordingLogger } from '../support/recording-logger.ts';
import { PAIR, trader, usd } from '../support/trader.ts';
import { until } from '../support/until.ts';

const dryRun = openTrade.success[200];
const NOBODY = '018f0000-0000-7000-8000-000000000000';
const STOP = { stopLoss: { type: 'PERCENTAGE', value: '5' }, takeProfit: { type: 'DOLLAR', value: '400' } };

/** The position as a whole, at the marks of the plan's legs, of which it has all. */
function expectWorth(
  worth: { readonly grossNotional: string; readonly unrealizedPnl: string },
  legs: readonly { readonly symbol: string; readonly markPrice: string | null }[],
  { legs: held }: Json,
): void {
  const marks = new Map(legs.map(({ symbol, markPrice }) => [symbol, dec(markPrice ?? 0)]));
  const notional = (leg: Json) => (marks.get(leg['symbol']) ?? dec(0)).mul(leg['quantity']);
  expect(worth.grossNotional).to.equal(text(sum(held.map(notional))));
  const gain = (leg: Json) => {
    const cost = dec(leg['entryPrice']).mul(leg['quantity']);
    return leg['side'] === 'BUY' ? notional(leg).minus(cost) : cost.minus(notional(leg));
  };
  expect(Number(worth.unrealizedPnl)).to.be.closeTo(sum(held.map(gain)).toNumber(), 1e-6);
}

describe('plans of changes, and the risk of an account', () => {
  const gateway = gatewayForSuite();
  let nth = 0;
  const bot = openForEachTest(() => trader(gateway, { email: `ada${++nth}@example.test` }));

  const planned = async (id: string, body: unknown) => {
    const answer = await bot.expect('POST', `/positions/${id}/close/plan`, body);
    return planClose.success[200].parse(answer);
  };
  const executions = async () => (await bot.call('GET', '/executions')).json.executions;

  it('a share: half of each leg to the step, brackets stay, and nothing is recorded', async () => {
    const { positionId } = await bot.open(PAIR, STOP);
    const before: Json = (await bot.call('GET', `/positions/${positionId}`)).json;
    const plan = await planned(positionId, { fraction: '0.5' });
    for (const [index, leg] of plan.legs.entries()) {
      const held = before.legs[index];
      expect(leg.symbol).to.equal(held.symbol);
      expect(leg.side).to.not.equal(held.side);
      expect(Number(leg.quantity) + Number(leg.remaining)).to.be.closeTo(Number(held.quantity), 1e-9);
      expect(Number(leg.quantity)).to.be.closeTo(Number(held.quantity) / 2, 0.01);
      expect(Number(leg.notional)).to.be.closeTo(Number(leg.quantity) * Number(leg.expectedPrice), 1e-6);
    }
    expect(plan.brackets.ended).to.deep.equal([]);
    expectWorth(plan.position, plan.legs, before);
    expect(plan.brackets.kept.map(({ bracketType }) => bracketType)).to.have.members([
      'TAKE_PROFIT',
      'STOP_LOSS',
    ]);
    expect(Number(plan.netPnl)).to.be.closeTo(Number(plan.realizedPnl) - Number(plan.totalFee), 1e-9);
    expect(await executions()).to.have.length(1);
  });

  it('the whole: what it shows is what the close then brings, within the move of the market', async () => {
    const { positionId } = await bot.open(PAIR, STOP);
    const plan = await planned(positionId, {});
    expect(plan.brackets.kept).to.deep.equal([]);
    expect(plan.brackets.ended).to.have.length(2);
    const ended = await bot.execute(`/positions/${positionId}/close`, { type: 'MARKET' });
    expect(ended.status, ended.error).to.equal('COMPLETED');
    for (const order of ended.orders) {
      const leg = plan.legs.find(({ symbol }) => symbol === order.symbol);
      expect(order.filledQuantity).to.equal(leg?.quantity);
      expect(Number(order.averagePrice) / Number(leg?.expectedPrice)).to.be.closeTo(1, 0.005);
    }
    const after: Json = (await bot.call('GET', `/positions/${positionId}`)).json;
    const opened = PAIR.reduce((sum, { amount }) => sum + Number(amount), 0);
    expect(Number(after.realizedPnl)).to.be.closeTo(Number(plan.realizedPnl), opened * 0.01);
    const closed = await bot.call('POST', `/positions/${positionId}/close/plan`, {});
    expect([closed.status, closed.json.errorCode]).to.deep.equal([409, 'NOOP_ERROR']);
  });

  it('a reversal: the opposite basket with its margin and fee, and what becomes of the brackets', async () => {
    const { positionId } = await bot.open(PAIR, STOP);
    const ask = (body: unknown) => bot.call('POST', `/positions/${positionId}/reverse/plan`, body);
    const carried = planReverse.success[200].parse((await ask({})).json);
    expect(carried.open.legs.map(({ symbol, side }) => `${side} ${symbol}`)).to.deep.equal([
      'SELL BTC-PERP',
      'BUY ETH-PERP',
    ]);
    expect(carried.open.problems).to.deep.equal([]);
    expect(Number(carried.open.marginRequired)).to.be.closeTo(400, 20);
    expect(carried.brackets.carried).to.have.length(2);
    expect(carried.close.brackets.ended).to.have.length(2);
    const dropped = planReverse.success[200].parse((await ask({ brackets: 'DROP' })).json);
    expect(dropped.brackets.dropped.map(({ reason }) => reason)).to.deep.equal(['ASKED', 'ASKED']);
    await bot.call('POST', '/safety/pause');
    const paused = planReverse.success[200].parse((await ask({})).json);
    expect(paused.open.problems.map(({ message }) => message).join()).to.match(/paused/i);
    expect(await executions()).to.have.length(1);
  });

  it('the level of a value take-profit moves with what an increase adds, and does not fire', async () => {
    const takeProfit = { type: 'POSITION_VALUE', value: '2300' };
    const { positionId } = await bot.open(PAIR, {
      takeProfit,
      stopLoss: { type: 'PERCENTAGE', value: '50' },
    });
    await bot.execute(`/positions/${positionId}/adjust`, {
      intent: 'INCREASE',
      usd: '500',
    });
    await gateway.clock.advance(2_000);
    const position = (await bot.call('GET', `/positions/${positionId}`)).json;
    expect(position.status).to.equal('OPEN');
    expect(Number(position.takeProfit.level)).to.be.closeTo(2300 * 1.25, 10);
  });

  it('refuses what is not there, and what is not a share', async () => {
    const { positionId } = await bot.open(PAIR);
    for (const [id, body, status] of [
      [NOBODY, {}, 404],
      [positionId, { fraction: '1.5' }, 400],
      [positionId, { fraction: '0.5', more: true }, 400],
    ] as const)
      expect((await bot.call('POST', `/positions/${id}/close/plan`, body)).status).to.equal(status);
    const other = await trader(gateway, { email: 'other@example.test' });
    expect((await other.call('POST', `/positions/${positionId}/close/plan`, {})).status).to.equal(404);
  });

  it('an increase is planned like an opening, a reduction like a close; what cannot be is refused', async () => {
    const { positionId } = await bot.open(PAIR, STOP);
    const ask = (body: unknown) => bot.call('POST', `/positions/${positionId}/adjust/plan`, body);
    const parse = async (body: unknown) => planAdjust.success[200].parse((await ask(body)).json);
    const increase = await parse({ intent: 'INCREASE', usd: '500' });
    expect(increase.close).to.equal(null);
    expect(Number(increase.open?.grossNotional)).to.be.closeTo(500, 5);
    expect(increase.open?.expectedCost).to.be.a('string');
    const held = (await bot.call('GET', `/positions/${positionId}`)).json;
    expect(Number(increase.position.grossNotional) / Number(held.grossNotional)).to.be.closeTo(1, 0.01);
    const reduce = await parse({ intent: 'REDUCE', fraction: '0.25' });
    expect(reduce.open).to.equal(null);
    expect(reduce.close?.legs.map(({ side }) => side)).to.deep.equal(['SELL', 'BUY']);
    expect(reduce.close?.brackets.kept).to.have.length(2);
    expectWorth(reduce.position, reduce.close?.legs ?? [], held);
    const [leg] = (await bot.call('GET', `/positions/${positionId}`)).json.legs;
    const same = { symbol: leg.symbol, quantity: leg.quantity };
    for (const [body, status] of [
      [{ intent: 'REDUCE', targets: [same] }, 409],
      [{ intent: 'REDUCE', fraction: '1.5' }, 400],
      [{ intent: 'INCREASE' }, 400],
      [{ intent: 'INCREASE', usd: '1', onLegFailure: 'KEEP' }, 400],
      [{ intent: 'REDUCE', usd: '1000000' }, 400],
    ] as const)
      expect((await ask(body)).status, JSON.stringify(body)).to.equal(status);
    await bot.call('POST', '/safety/pause');
    const paused = await parse({ intent: 'INCREASE', usd: '500' });
    expect(paused.open?.problems.map(({ message }) => message).join()).to.match(/paused/i);
    expect(await executions()).to.have.length(1);
  });

  it('says of the account after an order what positions and risk say once it has filled', async () => {
    const near = (said: unknown, told: unknown, what: string) =>
      expect(Number(said) / Number(told), what).to.be.closeTo(1, 0.02);
    const compare = async (after: z.output<typeof accountAfter> | null | undefined) => {
      if (after == null) throw new Error('nothing is said of the account after it');
      const risk = getAccountRisk.success[200].parse((await bot.call('GET', '/positions/risk')).json);
      near(after.equity, risk.equity, 'equity');
      near(after.maintenanceMargin, risk.maintenanceMargin, 'maintenance');
      near(after.marginRatio, risk.marginRatio, 'margin ratio');
      near(after.basket?.ratioMove, risk.baskets[0]?.ratioMove, 'ratio');
      const [position] = await bot.positions();
      near(after.marginUsed, position?.marginUsed, 'margin used');
      for (const leg of position?.legs ?? []) {
        const then = after.legs.find(({ symbol }) => symbol === leg.symbol);
        // Sized anew at the price of its moment: a step more or less.
        expect(Math.abs(Number(then?.quantity)) / Number(leg.quantity)).to.be.closeTo(1, 0.001);
        near(then?.liquidationPrice, leg.liquidationPrice, leg.symbol);
      }
      return position;
    };
    const legs = [usd('BTC', 'BUY', '150000'), usd('ETH', 'SELL', '150000')];
    const plan = async (asked: unknown) => {
      const body = { type: 'MARKET', legs: asked, dryRun: true };
      return dryRun.parse((await bot.call('POST', '/trade/open', body)).json).plan;
    };
    const { legs: small, after: none } = await plan([usd('BTC', 'BUY', '5'), usd('ETH', 'SELL', '1000')]);
    expect([small[0]?.problem?.code, small[0]?.quantity === '0', none]).to.deep.equal([
      'MIN_NOTIONAL',
      false,
      null,
    ]);
    const dry = await plan(legs);
    await bot.open(legs);
    const position = await compare(dry.after);
    const change = { intent: 'INCREASE', usd: '50000' };
    const adjust = async (body: unknown) =>
      planAdjust.success[200].parse(
        (await bot.call('POST', `/positions/${position?.id}/adjust/plan`, body)).json,
      );
    const more = await adjust(change);
    // One leg alone: the basket is measured whole all the same. Without its short leg, the ratio is a single price.
    const [btc, eth] = position?.legs ?? [];
    const targets = [{ symbol: btc.symbol, quantity: String(Number(btc.quantity) + 0.01) }];
    const one = (await adjust({ intent: 'INCREASE', targets })).open;
    expect(one?.legs.map(({ symbol }) => symbol)).to.deep.equal([btc.symbol]);
    expect(eth.side).to.equal('SELL');
    const { legMove, ratioMove } = one?.after?.basket ?? {};
    expect(Number(ratioMove)).to.be.closeTo((1 + Number(legMove)) ** 2 - 1, 1e-9);
    await bot.execute(`/positions/${position?.id}/adjust`, change);
    await compare(more.open?.after);
    // A reversal leaves a position of the same size as before. A close of everything leaves none.
    const reversal = await bot.call('POST', `/positions/${position?.id}/reverse/plan`, {});
    const reverse = planReverse.success[200].parse(reversal.json);
    near(reverse.open.after?.marginRatio, more.open?.after?.marginRatio, 'margin ratio of the reverse');
    expect(reverse.open.after?.legs.map(({ quantity }) => Number(quantity) < 0)).to.deep.equal([true, false]);
    expect(reverse.close.after).to.deep.include({ marginUsed: '0', marginRatio: null, basket: null });
    const half = await adjust({ intent: 'REDUCE', fraction: '0.5' });
    near(Number(half.close?.after?.marginRatio) * 2, more.open?.after?.marginRatio, 'half of it');
  });

  it('closing all of an account that holds nothing: no orders, and nothing to pay', async () => {
    const answer = await bot.call('POST', '/positions/close-all/plan', {});
    const plan = planCloseAll.success[200].parse(answer.json);
    expect(plan).to.include({ positions: 0, tradedNotional: '0', totalFee: '0', expectedCost: null });
    expect(plan.orders).to.deep.equal([]);
    await bot.expect('POST', '/positions/close-all/plan', { connector: 'nowhere' }, 400);
  });

  it('what closing everything would close: by account, its positions and their value', async () => {
    await bot.open(PAIR);
    await bot.open([usd('SOL', 'BUY', '500')]);
    const { accounts } = planPanic.success[200].parse((await bot.call('GET', '/safety/panic/plan')).json);
    const own = accounts.find(({ tradeAccountId }) => tradeAccountId === bot.accountId);
    expect(own?.positions).to.equal(2);
    expect(Number(own?.grossNotional)).to.be.closeTo(2_500, 50);
  });

  describe('GET /positions/risk', () => {
    const risk = async () => {
      const answer = await bot.expect('GET', '/positions/risk');
      return getAccountRisk.success[200].parse(answer);
    };

    it('an account that holds nothing has no ratio and no distance', async () => {
      const nothing = await risk();
      expect(nothing).to.include({ grossNotional: '0', netNotional: '0', marginRatio: null, beta: '0' });
      expect(nothing.baskets).to.deep.equal([]);
    });

    it("one leg: the venue's own liquidation price, which it works out by itself", async () => {
      // Larger than the equity, so that a price above 0 liquidates it.
      await bot.open([usd('BTC', 'BUY', '250000')]);
      const [position] = await bot.positions();
      const { baskets, marginRatio, leverage, beta } = await risk();
      const leg = position?.legs[0];
      expect(Number(leg.markPrice) * (1 + Number(baskets[0]?.legMove))).to.be.closeTo(
        Number(leg.liquidationPrice),
        Number(leg.markPrice) * 0.004,
      );
      expect(baskets[0]?.ratioMove).to.equal(baskets[0]?.legMove);
      expect(baskets[0]?.cause).to.equal('CROSS');
      expect(Number(marginRatio)).to.be.within(0.005, 0.3);
      expect(Number(leverage)).to.be.closeTo(2.5, 0.1);
      // With BTC alone, beta equals the leverage.
      expect(Number(beta)).to.be.closeTo(2.5, 0.1);
    });

    it('what is in no basket counts in exposure, leverage and beta, net by instrument', async () => {
      await bot.open([usd('BTC', 'BUY', '40000')]);
      const outside = async (side: string, quantity: string) => {
        const order = { symbol: 'ETH-PERP', side, quantity };
        await bot.expect('POST', `/trade-accounts/${bot.accountId}/paper/outside-order`, order);
      };
      await outside('SELL', '5');
      await outside('BUY', '1');
      const found = await until(gateway.clock, 'both are in no basket', async () => {
        const { items } = (await bot.call('GET', '/positions/unassigned')).json;
        // Asked after they are seen, so that it counts both.
        return items.length === 2 ? { now: await risk(), mark: Number(items[0].markPrice) } : null;
      });
      const { now, mark } = found;
      expect(Number(now.unassignedGross)).to.be.closeTo(4 * mark, mark * 0.05);
      expect(Number(now.unassignedNet)).to.be.closeTo(-4 * mark, mark * 0.05);
      expect(Number(now.grossNotional)).to.be.closeTo(40_000 + 4 * mark, 800);
      expect(Number(now.netNotional)).to.be.closeTo(40_000 - 4 * mark, 800);
      expect(Number(now.leverage)).to.be.closeTo(Number(now.grossNotional) / Number(now.equity), 1e-9);
      expect(Number(now.freeMargin)).to.be.within(50_000, 100_000);
    });

    it('a pair: both legs move, and the ratio by the square', async () => {
      await bot.open([usd('BTC', 'BUY', '150000'), usd('ETH', 'SELL', '150000')]);
      const { baskets, grossNotional, netNotional } = await risk();
      const { legMove, ratioMove } = baskets[0] ?? {};
      expect(Number(ratioMove)).to.be.closeTo((1 + Number(legMove)) ** 2 - 1, 1e-9);
      expect(Number(legMove)).to.be.within(-0.5, -0.1);
      expect(Number(grossNotional)).to.be.closeTo(300_000, 3_000);
      expect(Math.abs(Number(netNotional))).to.be.below(3_000);
    });

    it('says that the gateway stops while it does, and the log has no error of it', async () => {
      const logger = recordingLogger();
      const other = await startTestGateway({ overrides: { logger } });
      const answers: TestAnswer[] = [];
      const readers: Promise<unknown>[] = [];
      let isRead = () => {};
      const read = new Promise<void>((resolve) => {
        isRead = resolve;
      });
      let isUp = true;
      try {
        const asked = await trader(other, { email: 'ada@example.test' });
        await asked.open(PAIR);
        const readOn = async (path: string) => {
          while (isUp) if (answers.push(await asked.call('GET', path)) > 6) isRead();
        };
        // Each ends with the call that finds nobody.
        for (const path of ['/positions/risk', '/positions/risk', '/portfolio'])
          readers.push(readOn(path).catch(() => undefined));
        await read;
      } finally {
        await other.close();
        isUp = false;
        await Promise.all(readers);
      }
      const failed = answers.filter(({ status }) => status !== 200);
      expect(
        failed.filter(({ json }) => json.details?.reason !== 'STOPPING').map(({ text }) => text),
      ).to.deep.equal([]);
      expect(logger.lines.filter(({ level }) => level === 'error')).to.deep.equal([]);
    });
  });
});
