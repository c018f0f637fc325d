/** Cancelling orders through the API; listing them is proved in the store's and the routes' own tests. */
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { cancelAllOrders, cancelOrder, listOrders } from '../../gateway/contract/orders.ts';
import type { FaultRule } from '../../gateway/venues/paper/venue/faults.ts';
import { base } from '../support/closing-desk.ts';
import { gatewayForEachTest, type TestAnswer, whileTimePasses } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { PAIR, trader, traderForEachTest } from '../support/trader.ts';
import { until } from '../support/until.ts';

const NOBODY = '018f0000-0000-7000-8000-000000000000';

describe('orders', () => {
  const gateway = gatewayForEachTest();
  const bot = traderForEachTest(gateway);

  const open = async (): Promise<Json[]> => {
    const { json } = await bot.call('GET', '/orders?status=PENDING,PARTIAL');
    return listOrders.success[200].parse(json).orders;
  };
  const expectRefused = (answer: TestAnswer, status: number, code: string) => {
    expect(answer.status, answer.text).to.equal(status);
    expect(answer.json.errorCode).to.equal(code);
  };
  const setFaults = (rules: readonly FaultRule[]) => gateway.gateway.paperVenue('paper').setFaults({ rules });
  const DROP = { kind: 'drop_request' } as const;
  /** Asks the venue about what it has not heard of, again and again, before it answers. */
  const cancel = (path: string) => whileTimePasses(gateway.clock, bot.call('POST', path));
  /** A basket whose orders from the `from`-th on never arrive at the venue. */
  async function lost(from = 1): Promise<Json> {
    setFaults([from, from + 1, from + 2].map((order) => ({ match: { order }, action: DROP })));
    const answer = await bot.expect('POST', '/trade/open', { type: 'MARKET', legs: PAIR }, 202);
    return answer.execution;
  }

  it('one that never arrived is cancelled, not tried again, and its execution with it', async () => {
    const execution = await lost();
    const [first, second] = await open();
    expect(first).to.include({ executionId: execution.id, status: 'PENDING', connector: 'paper' });
    const [one, other] = await whileTimePasses(
      gateway.clock,
      Promise.all([first, second].map((order) => bot.call('POST', `/orders/${order.id}/cancel`))),
    );
    for (const answer of [one, other]) {
      expect(answer?.status, answer?.text).to.equal(200);
      expect(cancelOrder.success[200].parse(answer?.json)).to.include({
        status: 'CANCELLED',
        error: 'cancelled by the trader',
        errorCode: null,
        filledQuantity: '0',
      });
    }
    expect(await bot.ended(execution.id)).to.include({ status: 'CANCELLED', errorCode: 'CANCELLED' });
    const { json } = await bot.call('GET', '/executions?status=CANCELLED');
    expect(json.executions.map(({ id }: Json) => id)).to.deep.equal([execution.id]);
    expect(await open()).to.deep.equal([]);
    expectRefused(await cancel(`/orders/${first.id}/cancel`), 409, 'NOOP_ERROR');
  });

  /** Basket fields of open orders, in the order of its legs. */
  const belongings = (orders: readonly Json[]) =>
    orders.map(({ symbol, side, legs, bracketType }) => ({ symbol, side, legs, bracketType }));
  const HELD = [
    { symbol: 'BTC-PERP', side: 'BUY' },
    { symbol: 'ETH-PERP', side: 'SELL' },
  ];

  /** USD that an order of so many USD may come to: less than one step of the quantity is not ordered. */
  const orderedFor = (usd: string): [number, number] => [Number(usd) * 0.995, Number(usd)];

  const grossOf = (rows: readonly Json[]) =>
    rows.reduce((total, { notional }) => total + Math.abs(Number(notional)), 0);

  it('an order says its basket as it is held, and what it comes to', async () => {
    await lost();
    const sized = async () => (await open()).every(({ quantity }) => quantity !== null);
    await until(gateway.clock, 'the opening orders are sized', sized);
    const opening = await open();
    expect(belongings(opening)).to.deep.equal(HELD.map((leg) => ({ ...leg, legs: HELD, bracketType: null })));
    for (const { amount, notional, filledNotional } of opening) {
      expect(Number(notional)).to.be.within(...orderedFor(amount));
      expect(filledNotional).to.equal('0');
    }
    await cancel('/orders/cancel-all');
    setFaults([]);

    await bot.open(PAIR);
    const [position] = await bot.positions();
    setFaults([{ match: { times: null }, action: DROP }]);
    await bot.call('POST', `/positions/${position.id}/close`, { type: 'MARKET' });
    await until(gateway.clock, 'the closing orders are sized', sized);
    const closing = await open();
    const [ordered = 0, marked = 0] = [closing, (await bot.positions())[0].legs].map(grossOf);
    expect(ordered).to.be.closeTo(marked, marked * 0.003);
    expect(belongings(closing)).to.deep.equal([
      { symbol: 'BTC-PERP', side: 'SELL', legs: HELD, bracketType: null },
      { symbol: 'ETH-PERP', side: 'BUY', legs: HELD, bracketType: null },
    ]);
    // The engine goes on asking what became of it: it is compared with a list that has not changed meanwhile.
    let [before, one, after]: Json[] = [];
    await until(gateway.clock, 'nothing changes while it is read', async () => {
      [before] = await open();
      one = (await bot.call('GET', `/orders/${before.id}`)).json;
      [after] = await open();
      return isDeepStrictEqual(before, after);
    });
    expect(one).to.deep.equal(before);
  });

  it('an order of a stop-loss says so while the stop works', async () => {
    await bot.open(PAIR);
    const [position] = await bot.positions();
    setFaults([{ match: { times: null }, action: DROP }]);
    const stopLoss = { type: 'PERCENTAGE', value: '2' };
    await bot.expect('PUT', `/positions/${position.id}/brackets`, { stopLoss });
    await gateway.gateway.paperVenue('paper').shock('BTC-PERP', 0.9);
    await until(gateway.clock, 'the stop has fired', async () => (await open()).length === 2);
    expect(belongings(await open()).map(({ legs, bracketType }) => ({ legs, bracketType }))).to.deep.equal(
      HELD.map(() => ({ legs: HELD, bracketType: 'STOP_LOSS' })),
    );
  });

  it('the filled part of an order is at its average price, and what was ordered stays what it was', async () => {
    // One leg never arrives, so that its execution runs on and the other one is listed with what it filled.
    setFaults([
      { match: { order: 1 }, action: { kind: 'fill', fraction: '0.25' } },
      { match: { order: 2 }, action: DROP },
    ]);
    const { json } = await bot.call('POST', '/trade/open', { type: 'MARKET', legs: PAIR });
    await bot.ended(json.execution.id);
    const { orders } = listOrders.success[200].parse((await bot.call('GET', '/orders')).json);
    const part = orders.find(({ filledQuantity }) => filledQuantity !== '0');
    expect(part?.status).to.equal('CANCELLED');
    const [quantity, filled] = [Number(part?.quantity), Number(part?.filledQuantity)];
    const done = filled * Number(part?.averagePrice);
    expect(filled / quantity).to.be.closeTo(0.25, 0.01);
    expect(Number(part?.filledNotional)).to.be.closeTo(done, 1e-6);
    expect(Number(part?.notional)).to.be.within(...orderedFor(part?.amount ?? ''));
  });

  it('of legs that close each other, with no order at the venue, it is what was filled', async () => {
    for (const side of ['BUY', 'SELL'] as const) await bot.open([base('BTC', side, '0.01')]);
    const { executions } = (await bot.call('POST', '/positions/close-all', {})).json;
    await Promise.all(executions.map(({ id }: Json) => bot.ended(id)));
    const { orders } = listOrders.success[200].parse((await bot.call('GET', '/orders?limit=2')).json);
    for (const { filledQuantity, notional, filledNotional } of orders) {
      expect(Number(filledQuantity)).to.equal(0.01);
      expect(notional).to.equal(filledNotional);
      expect(Number(notional)).to.be.above(0);
    }
  });

  it('cancel-all cancels what is open and says what was not', async () => {
    const execution = await lost();
    const answer = await cancel('/orders/cancel-all');
    expect(answer.status, answer.text).to.equal(200);
    const report = cancelAllOrders.success[200].parse(answer.json);
    expect([...report.cancelled].sort()).to.deep.equal(execution.orders.map(({ id }: Json) => id).sort());
    expect(report.failed).to.deep.equal([]);
    expectRefused(await cancel('/orders/cancel-all'), 409, 'NOOP_ERROR');
  });

  it('refusals: finished, unknown, another’s; nothing changes', async () => {
    const execution = await bot.open(PAIR);
    const [order] = execution.orders;
    expectRefused(await cancel(`/orders/${order.id}/cancel`), 409, 'NOOP_ERROR');
    expectRefused(await cancel(`/orders/${NOBODY}/cancel`), 404, 'RESOURCE_NOT_FOUND');
    expectRefused(await cancel('/orders/x/cancel'), 404, 'RESOURCE_NOT_FOUND');
    const other = await trader(gateway, { email: 'bob@example.test' });
    expectRefused(await other.call('POST', `/orders/${order.id}/cancel`), 404, 'RESOURCE_NOT_FOUND');
    expectRefused(await other.call('GET', `/orders/${order.id}`), 404, 'RESOURCE_NOT_FOUND');
    expectRefused(await other.call('POST', '/orders/cancel-all'), 409, 'NOOP_ERROR');
    const { json } = await bot.call('GET', `/executions/${execution.id}`);
    expect(json.execution).to.deep.equal(execution);
  });
});
