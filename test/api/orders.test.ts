/** Cancelling orders through the API; listing them is proved in the store's and the routes' own tests. */
import { expect } from 'chai';
import { cancelAllOrders, cancelOrder, listOrders } from '../../gateway/contract/orders.ts';
import { startTestGateway, type TestAnswer, type TestGateway } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { type QuickClock, startQuickClock } from '../support/quick-clock.ts';
import { PAIR, type Trader, trader } from '../support/trader.ts';

const NOBODY = '018f0000-0000-7000-8000-000000000000';

describe('orders', () => {
  let clock: QuickClock;
  let gateway: TestGateway;
  let bot: Trader;
  beforeEach(async () => {
    clock = startQuickClock();
    gateway = await startTestGateway({ overrides: { clock } });
    bot = await trader(gateway);
  });
  afterEach(async () => {
    await gateway.close();
    await clock.stop();
  });

  const open = async (): Promise<Json[]> => {
    const { json } = await bot.call('GET', '/orders?status=PENDING,PARTIAL');
    return listOrders.success[200].parse(json).orders;
  };
  const expectRefused = (answer: TestAnswer, status: number, code: string) => {
    expect(answer.status, answer.text).to.equal(status);
    expect(answer.json.errorCode).to.equal(code);
  };
  /** A basket whose orders from the `from`-th on never arrive at the venue. */
  async function lost(from = 1): Promise<Json> {
    const action = { kind: 'drop_request' } as const;
    const rules = [from, from + 1, from + 2].map((order) => ({ match: { order }, action }));
    gateway.gateway.paperVenue('paper').setFaults({ rules });
    const answer = await bot.call('POST', '/trade/open', { type: 'MARKET', legs: PAIR });
    expect(answer.status).to.equal(202);
    return answer.json.execution;
  }

  it('one that never arrived is cancelled, not tried again, and its execution with it', async () => {
    const execution = await lost();
    const [first, second] = await open();
    expect(first).to.include({ executionId: execution.id, status: 'PENDING', connector: 'paper' });
    const [one, other] = await Promise.all(
      [first, second].map((order) => bot.call('POST', `/orders/${order.id}/cancel`)),
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
    expectRefused(await bot.call('POST', `/orders/${first.id}/cancel`), 409, 'NOOP_ERROR');
  });

  it('cancel-all cancels what is open and says what was not', async () => {
    const execution = await lost();
    const answer = await bot.call('POST', '/orders/cancel-all');
    expect(answer.status, answer.text).to.equal(200);
    const report = cancelAllOrders.success[200].parse(answer.json);
    expect([...report.cancelled].sort()).to.deep.equal(execution.orders.map(({ id }: Json) => id).sort());
    expect(report.failed).to.deep.equal([]);
    expectRefused(await bot.call('POST', '/orders/cancel-all'), 409, 'NOOP_ERROR');
  });

  it('refusals: finished, unknown, another’s; nothing changes', async () => {
    const execution = await bot.open(PAIR);
    const [order] = execution.orders;
    expectRefused(await bot.call('POST', `/orders/${order.id}/cancel`), 409, 'NOOP_ERROR');
    expectRefused(await bot.call('POST', `/orders/${NOBODY}/cancel`), 404, 'RESOURCE_NOT_FOUND');
    expectRefused(await bot.call('POST', '/orders/x/cancel'), 400, 'VALIDATION_ERROR');
    const other = await trader(gateway, { email: 'bob@example.test' });
    expectRefused(await other.call('POST', `/orders/${order.id}/cancel`), 404, 'RESOURCE_NOT_FOUND');
    expectRefused(await other.call('GET', `/orders/${order.id}`), 404, 'RESOURCE_NOT_FOUND');
    expectRefused(await other.call('POST', '/orders/cancel-all'), 409, 'NOOP_ERROR');
    const { json } = await bot.call('GET', `/executions/${execution.id}`);
    expect(json.execution).to.deep.equal(execution);
  });
});
