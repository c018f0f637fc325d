/** The disk refuses for a while, at each commit of an execution: nothing is sent before its row is durable, and nothing that the venue did is lost. */

import { expect } from 'chai';
import type { UnitOfWork } from '../../../gateway/engine/ports/unit-of-work.ts';
import { engineDeskForEachTest } from '../../support/desks-for-tests.ts';
import { basketOf, leg, PRINCIPAL } from '../../support/engine-desk.ts';

const LEGS = [leg('AAA', 'BUY', '1000'), leg('BBB', 'SELL', '1000')];
const OUTAGE_MS = 4_000;

const statusIn = (unit: UnitOfWork) => unit.executions?.[0]?.status;

const retries = (unit: UnitOfWork) =>
  unit.executions?.some(({ orders }) => orders.some(({ attempt }) => attempt === 2)) === true;

describe('commits that fail between the steps of an execution', () => {
  const desk = engineDeskForEachTest();

  /** The store is unavailable to the units that match, for a while from the first of them on. */
  const outage = (matches: (unit: UnitOfWork) => boolean, forMs = OUTAGE_MS) => {
    let until: number | null = null;
    desk.storeRefuses = (unit) => {
      if (!matches(unit)) return false;
      until ??= desk.clock.now() + forMs;
      return desk.clock.now() < until;
    };
  };
  const expectWhole = async (positionId: string | null) => {
    const position = await desk.position(positionId);
    expect(position.legs.map((one) => one.quantity)).to.deep.equal(['10', '10']);
    expect(await desk.fills()).to.have.length(2);
    expect(desk.venue.batches).to.have.length(1);
    expect(desk.events.map((event) => event.seq)).to.deep.equal(desk.events.map((_, index) => index + 1));
  };

  it('accepting: DATABASE_ERROR, nothing recorded, nothing sent, and the basket is free again', async () => {
    desk.storeRefuses = () => true;
    const refused = await desk.engine.openBasket(PRINCIPAL, desk.command(), basketOf(LEGS));
    expect(refused).to.deep.include({ ok: false });
    expect(refused.ok || refused.error.code).to.equal('DATABASE_ERROR');
    desk.storeRefuses = () => false;
    await desk.pass(1_000);
    expect(desk.venue.batches).to.deep.equal([]);
    expect(await desk.unfinished()).to.deep.equal([]);
    expect((await desk.opened(LEGS)).status).to.equal('COMPLETED');
  });

  it('ACTIVE: nothing is sent before the row is durable; then it is sent, once', async () => {
    outage((unit) => statusIn(unit) === 'ACTIVE', 2_000);
    const id = await desk.open(LEGS);
    await desk.pass(1_900);
    expect(desk.refused).to.be.greaterThan(3);
    expect(desk.venue.batches).to.deep.equal([]);
    expect((await desk.execution(id)).status).to.equal('IDLE');
    const execution = await desk.ended(id);
    expect(execution.status).to.equal('COMPLETED');
    await expectWhole(execution.positionId);
    const active = desk.commits.findIndex(({ unit }) => statusIn(unit) === 'ACTIVE');
    expect(active).to.be.at.least(0);
  });

  it('ACTIVE after the orders would have expired: they are not sent at all, and the execution ends', async () => {
    outage((unit) => statusIn(unit) === 'ACTIVE', 8_000);
    const execution = await desk.opened(LEGS);
    expect(desk.venue.batches).to.deep.equal([]);
    expect(execution).to.include({ status: 'FAILED', errorCode: 'UNKNOWN_OUTCOME' });
    expect(await desk.positions()).to.deep.equal([]);
  });

  it('results: committed when space returns, told only then, and sent once', async () => {
    outage((unit) => (unit.fills?.length ?? 0) > 0, 60_000);
    const id = await desk.open(LEGS);
    await desk.pass(50_000);
    expect(desk.venue.batches).to.have.length(1);
    expect((await desk.execution(id)).status).to.equal('ACTIVE');
    expect(desk.events).to.deep.equal([]);
    expect(desk.state.positions.of(desk.account.id), 'never ahead of the disk').to.deep.equal([]);
    const execution = await desk.ended(id);
    expect(execution.status).to.equal('COMPLETED');
    await expectWhole(execution.positionId);
  });

  it('the note that nothing is known yet: asked on when space returns', async () => {
    desk.venue.behave((order) => (order.symbol === 'AAA-PERP' ? { answer: 'silent' } : {}));
    outage(
      (unit) =>
        unit.executions?.some(
          ({ status, orders }) =>
            status === 'ACTIVE' && orders.some(({ errorCode }) => errorCode === 'UNKNOWN_OUTCOME'),
        ) === true,
    );
    const execution = await desk.opened(LEGS);
    expect(execution.status).to.equal('COMPLETED');
    await expectWhole(execution.positionId);
  });

  it('the next attempt of RETRY: not sent before it and what filled so far are durable', async () => {
    desk.venue.behave((order) =>
      order.symbol === 'AAA-PERP' && order.quantity === '10' ? { fraction: '0.5' } : {},
    );
    outage((unit) => retries(unit), 2_000);
    const id = await desk.open(LEGS, { onLegFailure: 'RETRY' });
    await desk.pass(2_000);
    expect(desk.venue.batches).to.have.length(1);
    const execution = await desk.ended(id);
    expect(execution.status).to.equal('COMPLETED');
    expect(desk.venue.batches).to.have.length(2);
    expect((await desk.position(execution.positionId)).legs.map((one) => one.quantity)).to.deep.equal([
      '10',
      '10',
    ]);
  });

  it('the next attempt of RETRY, durable only after it would have expired, is not sent; what filled stays', async () => {
    desk.venue.behave((order) => (order.symbol === 'AAA-PERP' ? { fraction: '0.5' } : {}));
    outage((unit) => retries(unit), 20_000);
    const execution = await desk.opened(LEGS, { onLegFailure: 'RETRY' });
    expect(desk.venue.batches).to.have.length(1);
    expect(execution.orders[0]).to.include({
      status: 'CANCELLED',
      filledQuantity: '5',
      errorCode: 'UNKNOWN_OUTCOME',
    });
    expect(await desk.heldInBaskets('AAA-PERP')).to.equal('5');
  });

  it('a preparation that fails is recorded when space returns', async () => {
    outage((unit) => statusIn(unit) === 'FAILED');
    const execution = await desk.opened([leg('AAA', 'BUY', '1')]);
    expect(execution).to.include({ status: 'FAILED', errorCode: 'MIN_NOTIONAL', activeAt: null });
    expect(desk.refused).to.be.greaterThan(3);
  });

  it('a liquidation is recorded when space returns', async () => {
    const { positionId } = await desk.opened(LEGS);
    outage((unit) => unit.fills?.some((fill) => fill.isLiquidation) === true);
    desk.venue.trade({ symbol: 'AAA-PERP', side: 'SELL', quantity: '10', isLiquidation: true });
    await desk.pass(OUTAGE_MS + 5_000);
    expect((await desk.position(positionId)).legs[0]?.quantity).to.equal('0');
    expect(desk.state.positions.get(positionId ?? '')?.legs[0]?.quantity).to.equal('0');
  });

  it('the gateway stops while its disk refuses: the next start takes the step', async () => {
    outage((unit) => (unit.fills?.length ?? 0) > 0, 600_000);
    const id = await desk.open(LEGS);
    await desk.pass(1_000);
    await desk.advanceUntil(desk.engine.stop(10_000));
    expect((await desk.execution(id)).status).to.equal('ACTIVE');
    desk.storeRefuses = () => false;
    const { report } = await desk.start();
    expect(report).to.deep.equal({ failed: 0, resumed: 1, started: 0 });
    const execution = await desk.ended(id);
    expect(execution.status).to.equal('COMPLETED');
    await expectWhole(execution.positionId);
  });

  it('while it stops, a new order is refused as busy', async () => {
    await desk.advanceUntil(desk.engine.stop(1_000));
    const refused = await desk.engine.openBasket(PRINCIPAL, desk.command(), basketOf(LEGS));
    expect(refused.ok || refused.error).to.deep.include({
      code: 'RESOURCE_BUSY',
      details: { reason: 'STOPPING' },
    });
  });
});
