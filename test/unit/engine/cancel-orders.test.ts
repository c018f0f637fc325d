/** Cancelling orders: what has not left is not sent, what is at the venue ends there, and an answer holds across a restart. */
import { expect } from 'chai';
import type { Execution, Order } from '../../../gateway/domain/model.ts';
import type { OrderService } from '../../../gateway/engine/execution/order-service.ts';
import { createOrderService } from '../../../gateway/engine/execution/order-service.ts';
import { engineDeskForEachTest } from '../../support/desks-for-tests.ts';
import { type EngineDesk, leg } from '../../support/engine-desk.ts';
import type { Behaviour } from '../../support/scripted-venue.ts';
import { codeOf } from '../../support/unwrap.ts';

const PAIR = [leg('AAA', 'BUY', '1000'), leg('BBB', 'SELL', '1000')];
/** At the venue, nothing filled, and no end of it in sight. */
const WORKING: Behaviour = {
  fraction: '0',
  answer: 'resting',
  lookups: Array(500).fill('resting'),
  streamed: 0,
};

describe('cancelling orders', () => {
  let orders: OrderService;
  const desk = engineDeskForEachTest((made) => {
    made.around = (engine) => {
      orders = createOrderService(engine.accept);
      return { load: () => Promise.resolve(), start: () => {} };
    };
  });

  const orderOf = (execution: Execution, index: number): Order => {
    const found = execution.orders[index];
    if (found === undefined) throw new Error(`no order ${index}`);
    return found;
  };
  /** Opens; by the time of the answer its orders are at the venue. */
  async function working(over: Parameters<EngineDesk['open']>[1] = {}): Promise<Execution> {
    const batches = desk.venue.batches.length;
    const id = await desk.open(PAIR, over);
    await desk.advanceTo(() => desk.venue.batches.length > batches);
    return desk.execution(id);
  }
  /** Runs `cancel` while the next execution is being prepared, which goes on when so many cancels have reached the engine. */
  function whilePreparing<T>(count: number, cancel: (execution: Execution) => Promise<T>): Promise<T> {
    const { balances } = desk.venue;
    return new Promise<T>((resolve, reject) => {
      desk.venue.balances = async (account) => {
        desk.venue.balances = balances;
        const [execution] = await desk.store.unfinishedExecutions();
        if (execution === undefined) throw new Error('nothing is being prepared');
        const { cancels } = desk.engine.accept;
        cancel(execution).then(resolve, reject);
        while (execution.orders.filter(({ id }) => cancels.isWanted(id)).length < count)
          await new Promise((go) => setImmediate(go));
        return balances(account);
      };
    });
  }

  it('one at the venue is cancelled there; what it filled before stays in the basket', async () => {
    desk.venue.behave(({ symbol }) => (symbol === 'BBB-PERP' ? { ...WORKING, fraction: '0.4' } : {}));
    const execution = await working();
    const before = desk.events.length;
    const result = await desk.advanceUntil(orders.cancel(desk.account, orderOf(execution, 1).id));
    expect(result.ok && result.value.order).to.include({
      status: 'CANCELLED',
      filledQuantity: '4',
      error: 'cancelled by the trader',
      errorCode: null,
    });
    const ended = await desk.ended(execution.id);
    expect(ended).to.include({ status: 'CANCELLED', errorCode: 'CANCELLED' });
    expect(ended.error).to.include('Leg 2 (BBB-PERP SELL): cancelled by the trader');
    expect(await desk.heldInBaskets('BBB-PERP')).to.equal('-4');
    expect(desk.venue.held('BBB-PERP')).to.equal('-4');
    const told = desk.events.slice(before).map(({ event, entityId }) => `${event} ${entityId}`);
    expect(told).to.include(`order.updated ${orderOf(execution, 1).id}`);
    expect(told).to.include(`execution.failed ${execution.id}`);
  });

  it('one that has not left is not sent, the others are', async () => {
    const cancelling = whilePreparing(1, (execution) =>
      orders.cancel(desk.account, orderOf(execution, 0).id),
    );
    const execution = await desk.opened(PAIR);
    expect(await cancelling).to.deep.include({ ok: true });
    expect(desk.venue.sent.map(({ symbol }) => symbol)).to.deep.equal(['BBB-PERP']);
    expect(execution).to.include({ status: 'CANCELLED' });
    expect(orderOf(execution, 0)).to.include({ status: 'CANCELLED', attempt: 0, filledQuantity: '0' });
    expect(orderOf(execution, 1)).to.include({ status: 'FILLED' });
  });

  it('all of an execution before anything has left: CANCELLED, nothing sent, the basket free', async () => {
    const cancelling = whilePreparing(2, () => orders.cancelAll(desk.account));
    const execution = await desk.opened(PAIR);
    expect(await cancelling).to.deep.equal({
      ok: true,
      value: { cancelled: execution.orders.map(({ id }) => id), failed: [] },
    });
    expect(execution).to.include({ status: 'CANCELLED', activeAt: null });
    expect(desk.venue.batches).to.deep.equal([]);
    expect((await desk.opened(PAIR)).status).to.equal('COMPLETED');
  });

  it('one that would be tried again is not', async () => {
    desk.venue.behave(() => ({ fraction: '0.5' }));
    const id = await desk.open(PAIR, { onLegFailure: 'RETRY' });
    await desk.advanceTo(() => desk.venue.batches.length === 1);
    const [first, second] = (await desk.execution(id)).orders;
    const cancelled = orders.cancel(desk.account, first?.id ?? '');
    await desk.advanceUntil(cancelled);
    const execution = await desk.ended(id);
    expect(desk.venue.sent.filter(({ symbol }) => symbol === 'AAA-PERP')).to.have.length(1);
    expect(desk.venue.sent.filter(({ symbol }) => symbol === 'BBB-PERP')).to.have.length(4);
    expect(orderOf(execution, 0)).to.include({ status: 'CANCELLED', filledQuantity: '5', errorCode: null });
    expect(execution.status, `the other leg failed by itself: ${second?.id}`).to.equal('FAILED');
  });

  it('with UNWIND what filled beside it is closed again', async () => {
    desk.venue.behave(({ symbol, reduceOnly }) => (symbol === 'BBB-PERP' && !reduceOnly ? WORKING : {}));
    const execution = await working({ onLegFailure: 'UNWIND' });
    desk.venue.behave(({ symbol }) => (symbol === 'BBB-PERP' ? { fraction: '0' } : {}));
    await desk.advanceUntil(orders.cancel(desk.account, orderOf(execution, 1).id));
    await desk.allEnded();
    for (const symbol of ['AAA-PERP', 'BBB-PERP']) {
      expect(await desk.heldInBaskets(symbol), symbol).to.equal(desk.venue.held(symbol));
      expect(await desk.heldInBaskets('AAA-PERP')).to.equal('0');
    }
  });

  it('refusals: unknown, another account’s, finished, cancelled twice, none open', async () => {
    const done = await desk.opened(PAIR);
    const { account } = desk;
    const other = { ...account, id: 'another' };
    expect(codeOf(await orders.cancel(account, 'nowhere'))).to.equal('RESOURCE_NOT_FOUND');
    expect(codeOf(await orders.cancel(other, orderOf(done, 0).id))).to.equal('RESOURCE_NOT_FOUND');
    expect(codeOf(await orders.cancel(account, orderOf(done, 0).id))).to.equal('NOOP_ERROR');
    expect(codeOf(await orders.cancelAll(account))).to.equal('NOOP_ERROR');
    desk.venue.behave(() => WORKING);
    const { id, orders: open } = await working();
    const asked = [0, 0, 1].map((index) => orders.cancel(account, open[index]?.id ?? ''));
    expect((await desk.advanceUntil(Promise.all(asked))).map(codeOf)).to.deep.equal(
      Array(3).fill('accepted'),
    );
    await desk.ended(id);
    expect(codeOf(await orders.cancel(account, open[0]?.id ?? ''))).to.equal('NOOP_ERROR');
  });

  it('a venue that does not answer the cancel is told of; a refusal leaves the order to its end', async () => {
    desk.venue.behave(() => ({ ...WORKING, fraction: '1', streamed: 0, lookups: Array(4).fill('resting') }));
    desk.venue.refuseCancels({ kind: 'unknown', message: 'no answer' });
    const first = await working();
    const silent = await desk.advanceUntil(orders.cancel(desk.account, orderOf(first, 0).id));
    expect(codeOf(silent)).to.equal('CONFIGURATION_ERROR');
    desk.venue.refuseCancels({ kind: 'rejected', message: 'already filled' });
    const filled = await desk.advanceUntil(orders.cancel(desk.account, orderOf(first, 0).id));
    expect(codeOf(filled)).to.equal('NOOP_ERROR');
    expect((await desk.ended(first.id)).status).to.equal('COMPLETED');
  });

  it('one whose venue says nothing for long is busy, not cancelled; nothing is sent again', async () => {
    desk.venue.behave(() => ({ ...WORKING, fraction: '1', lookups: Array(12).fill('no_answer') }));
    desk.venue.refuseCancels({ kind: 'rejected', message: 'not known' });
    const execution = await working({ onLegFailure: 'RETRY' });
    const result = await desk.advanceUntil(orders.cancel(desk.account, orderOf(execution, 0).id));
    expect(codeOf(result)).to.equal('RESOURCE_BUSY');
    const ended = await desk.ended(execution.id);
    expect(ended.status).to.equal('COMPLETED');
    expect(desk.venue.batches).to.have.length(1);
  });

  it('after a restart an order of before is cancelled at the venue by its client order id', async () => {
    desk.venue.behave(() => ({ ...WORKING, fraction: '0' }));
    const execution = await working();
    await desk.start();
    await desk.quiet();
    const report = await desk.advanceUntil(orders.cancelAll(desk.account));
    expect(report).to.deep.equal({
      ok: true,
      value: { cancelled: execution.orders.map(({ id }) => id), failed: [] },
    });
    expect([...desk.venue.cancels].sort()).to.deep.equal(
      desk.venue.sent.map(({ clientOrderId }) => clientOrderId).sort(),
    );
    expect((await desk.ended(execution.id)).status).to.equal('CANCELLED');
    await desk.start();
    expect((await desk.execution(execution.id)).status).to.equal('CANCELLED');
    expect(desk.venue.batches).to.have.length(1);
  });
});
