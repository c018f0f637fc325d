/** The process dies between any two steps; the next start finds only the disk and the venue, and takes the right way on. */

import { expect } from 'chai';
import type { UnitOfWork } from '../../../gateway/engine/ports/unit-of-work.ts';
import { engineDeskForEachTest } from '../../support/desks-for-tests.ts';
import { type EngineDesk, leg } from '../../support/engine-desk.ts';

const LEGS = [leg('AAA', 'BUY', '1000'), leg('BBB', 'SELL', '1000')];
const NOTHING = { failed: 0, resumed: 0, started: 0 };

const accepts = (unit: UnitOfWork) => (unit.newExecutions?.length ?? 0) > 0 && unit.executions === undefined;
const activates = (unit: UnitOfWork) => unit.executions?.[0]?.status === 'ACTIVE' && unit.fills === undefined;
const concludes = (unit: UnitOfWork) => unit.executions?.[0]?.finishedAt != null;
const retries = (unit: UnitOfWork) =>
  unit.executions?.[0]?.orders.some((order) => order.attempt === 2) === true;

describe('recovery', () => {
  const desk = engineDeskForEachTest();

  /** Opens and goes on until the process is dead; the id of the execution on disk. */
  async function openAndDie(over: Parameters<EngineDesk['open']>[1] = {}): Promise<string> {
    void desk.open(LEGS, over).catch(() => undefined);
    await desk.advanceTo(() => !desk.isAlive);
    const [execution] = await desk.unfinished();
    return execution?.id ?? '';
  }
  const expectEachSentOnce = () => {
    const ids = desk.venue.sent.map((order) => order.clientOrderId);
    expect(new Set(ids).size).to.equal(ids.length);
  };
  const expectPositionOfVenue = async () => {
    for (const symbol of ['AAA-PERP', 'BBB-PERP'])
      expect(await desk.heldInBaskets(symbol), symbol).to.equal(desk.venue.held(symbol));
    expect(await desk.fills()).to.have.length(desk.venue.fills.length);
    expect(desk.events.map(({ seq }) => seq)).to.deep.equal(desk.events.map((_, index) => index + 1));
  };

  it('nothing unfinished: nothing to do', async () => {
    await desk.opened(LEGS);
    expect((await desk.start()).report).to.deep.equal(NOTHING);
  });

  it('IDLE: no orders were placed, it fails and says so, and the basket is free', async () => {
    desk.dieAfterCommit = accepts;
    const id = await openAndDie();
    const from = desk.events.length;
    expect((await desk.start()).report).to.deep.equal({ ...NOTHING, failed: 1 });
    const execution = await desk.execution(id);
    expect(execution).to.include({ status: 'FAILED', errorCode: 'GATEWAY_RESTARTED', activeAt: null });
    expect(execution.error).to.include('No orders were placed');
    expect(execution.orders.map(({ status }) => status)).to.deep.equal(['CANCELLED', 'CANCELLED']);
    expect(desk.venue.batches).to.deep.equal([]);
    expect(desk.events.slice(from).map(({ event }) => event)).to.deep.equal([
      'order.updated',
      'order.updated',
      'execution.failed',
    ]);
    expect((await desk.opened(LEGS)).status).to.equal('COMPLETED');
  });

  it('ACTIVE, not sent: the venue has never seen the orders; they are not sent late, and it ends', async () => {
    desk.dieAtSend = 'before';
    const id = await openAndDie();
    expect((await desk.execution(id)).status).to.equal('ACTIVE');
    expect((await desk.start()).report).to.deep.equal({ ...NOTHING, resumed: 1 });
    const execution = await desk.ended(id);
    expect(execution).to.include({ status: 'FAILED', errorCode: 'UNKNOWN_OUTCOME' });
    expect(execution.orders.map(({ status }) => status)).to.deep.equal(['REJECTED', 'REJECTED']);
    expect(desk.venue.batches).to.deep.equal([]);
    expect(await desk.positions()).to.deep.equal([]);
    expect((await desk.opened(LEGS)).status).to.equal('COMPLETED');
  });

  it('ACTIVE, committed but dead before the answer of the commit: the same', async () => {
    desk.dieAfterCommit = activates;
    const id = await openAndDie();
    await desk.start();
    expect(await desk.ended(id)).to.include({ status: 'FAILED', errorCode: 'UNKNOWN_OUTCOME' });
    expect(desk.venue.batches).to.deep.equal([]);
  });

  it('ACTIVE, sent, answer lost with the process: the venue is asked, it completes, nothing is sent twice', async () => {
    desk.dieAtSend = 'after';
    const id = await openAndDie();
    await desk.start();
    const execution = await desk.ended(id);
    expect(execution).to.include({ status: 'COMPLETED', error: null, errorCode: null });
    expectEachSentOnce();
    await expectPositionOfVenue();
    expect(desk.events.map(({ event }) => event).slice(-2)).to.deep.equal([
      'execution.completed',
      'position.created',
    ]);
  });

  it('ACTIVE, sent, one leg rejected and one partly filled: each ends as the venue says', async () => {
    desk.venue.behave((order) =>
      order.symbol === 'AAA-PERP'
        ? { rejects: { reason: 'margin', message: 'not enough collateral' } }
        : { fraction: '0.4', parts: 2 },
    );
    desk.dieAtSend = 'after';
    const id = await openAndDie();
    await desk.start();
    const execution = await desk.ended(id);
    expect(execution.orders[0]).to.include({ status: 'REJECTED', errorCode: 'VENUE_REJECTED' });
    expect(execution.orders[1]).to.include({
      status: 'CANCELLED',
      errorCode: 'SLIPPAGE_EXCEEDED',
      filledQuantity: '4',
    });
    await expectPositionOfVenue();
  });

  it('the basket stays busy while its outcome is asked for', async () => {
    desk.venue.behave(() => ({ streamed: 0, fraction: '0.5', lookups: Array(5).fill('no_answer') }));
    desk.dieAtSend = 'after';
    const id = await openAndDie();
    await desk.start();
    const refused = await desk.open(LEGS).catch((error: Error) => error.message);
    expect(refused).to.include('RESOURCE_BUSY').and.to.include(id);
    await desk.ended(id);
    desk.venue.behave(() => ({}));
    expect(await desk.opened(LEGS)).to.include({ status: 'COMPLETED', intent: 'ADJUST' });
  });

  it('dead again while the venue is asked, three times over: still once, still whole', async () => {
    desk.venue.behave(() => ({ lookups: Array(12).fill('no_answer') }));
    desk.dieAtSend = 'after';
    const id = await openAndDie();
    for (let times = 0; times < 3; times += 1) {
      await desk.start();
      await desk.pass(300);
    }
    await desk.start();
    expect((await desk.ended(id)).status).to.equal('COMPLETED');
    expectEachSentOnce();
    await expectPositionOfVenue();
  });

  it('dead right after the end was committed: nothing to do, nothing told twice', async () => {
    desk.dieAfterCommit = concludes;
    await openAndDie();
    expect((await desk.start()).report).to.deep.equal(NOTHING);
    await desk.pass(2_000);
    await expectPositionOfVenue();
    expect(desk.events.filter(({ event }) => event === 'execution.completed')).to.have.length(1);
  });

  for (const moment of ['before', 'after'] as const) {
    it(`RETRY, dead ${moment} the second attempt was sent: its fills of both attempts count once`, async () => {
      desk.venue.behave(() => ({ fraction: desk.venue.batches.length === 1 ? '0.5' : '1' }));
      desk.dieAfterCommit = (unit) => {
        if (retries(unit)) desk.dieAtSend = moment;
        return false;
      };
      const id = await openAndDie({ onLegFailure: 'RETRY' });
      await desk.start();
      const execution = await desk.ended(id);
      expectEachSentOnce();
      await expectPositionOfVenue();
      if (moment === 'after') {
        expect(execution.status).to.equal('COMPLETED');
        expect(execution.orders.map(({ filledQuantity }) => filledQuantity)).to.deep.equal(['10', '10']);
      } else {
        expect(execution).to.include({ status: 'FAILED', errorCode: 'UNKNOWN_OUTCOME' });
        expect(execution.orders.map(({ filledQuantity }) => filledQuantity)).to.deep.equal(['5', '5']);
      }
    });
  }

  it('RETRY goes on with its attempts after the restart, and stops at the same number', async () => {
    desk.venue.behave(() => ({ fraction: '0.5' }));
    desk.dieAfterCommit = (unit) => {
      if (retries(unit)) desk.dieAtSend = 'after';
      return false;
    };
    const id = await openAndDie({ onLegFailure: 'RETRY' });
    await desk.start();
    const execution = await desk.ended(id);
    expect(execution.orders.map(({ attempt }) => attempt)).to.deep.equal([4, 4]);
    expect(desk.venue.batches).to.have.length(4);
    expectEachSentOnce();
    await expectPositionOfVenue();
  });

  describe('UNWIND', () => {
    const reject = () =>
      desk.venue.behave((order) =>
        order.symbol === 'BBB-PERP' ? { rejects: { reason: 'other', message: 'no' } } : {},
      );
    const unwindOf = async (id: string) =>
      (await desk.executions()).find((row) => row.parentId === id)?.id ?? '';

    it('promised but not begun: it runs at the next start', async () => {
      reject();
      desk.dieAfterCommit = concludes;
      const id = await openAndDie({ onLegFailure: 'UNWIND' });
      expect((await desk.execution(id)).parentId).to.be.a('string');
      expect((await desk.start()).report).to.deep.equal({ ...NOTHING, started: 1 });
      expect(await desk.ended(id)).to.include({ status: 'COMPLETED', intent: 'CLOSE' });
      expect(desk.venue.held('AAA-PERP')).to.equal('0');
      await expectPositionOfVenue();
      expect(desk.venue.sent.at(-1)).to.include({ symbol: 'AAA-PERP', side: 'SELL', reduceOnly: true });
    });

    it('sent, answer lost with the process: asked for, not sent again', async () => {
      reject();
      desk.dieAfterCommit = (unit) => {
        if (concludes(unit)) desk.dieAtSend = 'after';
        return false;
      };
      const id = await openAndDie({ onLegFailure: 'UNWIND' });
      await desk.start();
      expect(await desk.ended(id)).to.include({ status: 'COMPLETED', intent: 'CLOSE' });
      expectEachSentOnce();
      expect(desk.venue.held('AAA-PERP')).to.equal('0');
      await expectPositionOfVenue();
    });

    it('of what a lost answer turns out to have filled', async () => {
      reject();
      desk.dieAtSend = 'after';
      const id = await openAndDie({ onLegFailure: 'UNWIND' });
      await desk.start();
      expect(await desk.ended(id)).to.include({ status: 'FAILED', errorCode: 'VENUE_REJECTED' });
      await desk.ended(await unwindOf(id));
      expect(desk.venue.held('AAA-PERP')).to.equal('0');
      await expectPositionOfVenue();
    });
  });

  it('a close that was sent is found closed', async () => {
    const { positionId } = await desk.opened(LEGS);
    desk.dieAtSend = 'after';
    void desk.close(positionId ?? '').catch(() => undefined);
    await desk.advanceTo(() => !desk.isAlive);
    const [execution] = await desk.unfinished();
    await desk.start();
    expect(await desk.ended(execution?.id ?? '')).to.include({ status: 'COMPLETED', intent: 'CLOSE' });
    expect(await desk.position(positionId)).to.include({ status: 'CLOSED' });
    await expectPositionOfVenue();
  });

  it('several baskets at once, each in another state', async () => {
    const baskets = [
      [leg('AAA', 'BUY', '1000')],
      [leg('BBB', 'SELL', '1000')],
      [leg('AAA', 'SELL', '500'), leg('CCC', 'BUY', '1000')],
    ];
    let sent = 0;
    desk.venue.onArrival(() => {
      sent += 1;
      if (sent === baskets.length) desk.dieAtSend = 'after';
    });
    for (const legs of baskets) void desk.open(legs).catch(() => undefined);
    await desk.advanceTo(() => !desk.isAlive);
    const ids = (await desk.unfinished()).map(({ id }) => id);
    await desk.start();
    for (const id of ids) await desk.ended(id);
    expect(await desk.unfinished()).to.deep.equal([]);
    expectEachSentOnce();
    await expectPositionOfVenue();
  });
});
