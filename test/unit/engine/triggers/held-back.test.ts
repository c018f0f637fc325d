/** Triggers met while nothing may open: the venue takes only closing orders, or the user has paused trading. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { ConnectorStatus } from '../../../../gateway/engine/ports/venue-status.ts';
import { notificationsOf } from '../../../support/desks-for-tests.ts';
import { closeDesks } from '../../../support/engine-desk.ts';
import { forAllAsync, propertyRuns } from '../../../support/property-runs.ts';
import { AAA, type TriggerDesk, triggerDesk } from '../../../support/trigger-desk.ts';

const CLOSE_ONLY: ConnectorStatus = {
  status: 'DEGRADED',
  since: 0,
  reason: 'the clock is off',
  trading: 'CLOSE_ONLY',
};
/** Time within which a released trigger is checked again, ms. */
const RELEASE_MS = 2_000;

describe('a trigger met while nothing may open', () => {
  let at: TriggerDesk;
  let status: ConnectorStatus | null;
  beforeEach(setUp);
  afterEach(tearDown);

  async function setUp(): Promise<void> {
    status = null;
    at = await triggerDesk();
    const { venue } = at.desk;
    const own = venue.status.bind(venue);
    at.desk.kill();
    Object.assign(venue, { status: () => status ?? own() });
    await at.desk.start();
  }

  async function tearDown(): Promise<void> {
    at.desk.kill();
    await closeDesks();
  }

  const ways = {
    'the venue takes only closing orders': {
      shut: async () => {
        status = CLOSE_ONLY;
      },
      free: async () => {
        status = null;
      },
      why: 'the clock is off',
    },
    'trading is paused': {
      shut: async () => void (await at.desk.tradingPause.move('user', 'pause')),
      free: async () => void (await at.desk.tradingPause.move('user', 'resume')),
      why: 'Trading is paused',
    },
  };

  for (const [name, { shut, free, why }] of Object.entries(ways)) {
    describe(name, () => {
      it('waits again when its condition no longer holds, and its record says so', async () => {
        const id = await at.open();
        await shut();
        await at.moveMark(AAA, '111', RELEASE_MS);
        const held = await at.trigger(id);
        expect(held).to.include({ status: 'ACTIVE', lastValue: '111', executionId: null });
        expect(held.error).to.include('Met at 111').and.to.include(why);
        await at.moveMark(AAA, '90', 10_000);
        await free();
        await at.desk.pass(10_000);
        expect(at.desk.venue.sent).to.deep.equal([]);
        const waiting = await at.trigger(id);
        expect(waiting.status).to.equal('ACTIVE');
        expect(waiting.error).to.include('Met at 111').and.to.include('waits for its condition again');
        at.desk.venue.setMark(AAA, '112');
        expect(await at.ended(id)).to.include({ status: 'COMPLETED', lastValue: '112', error: null });
        expect(at.desk.venue.batches).to.have.length(1);
      });

      it('is placed late when its condition still holds', async () => {
        const id = await at.open();
        await shut();
        await at.moveMark(AAA, '111', RELEASE_MS);
        await at.moveMark(AAA, '115', 10_000);
        await free();
        expect(await at.ended(id)).to.include({ status: 'COMPLETED', lastValue: '115', error: null });
        expect(JSON.stringify(await notificationsOf(at.desk))).to.include('could not be placed then');
      });

      it('SKIP waits for the next crossing', async () => {
        const id = await at.open({ onMissed: 'SKIP' });
        await shut();
        await at.moveMark(AAA, '111', RELEASE_MS);
        await free();
        await at.desk.pass(RELEASE_MS);
        expect((await at.trigger(id)).status).to.equal('ACTIVE');
        await at.moveMark(AAA, '109');
        await at.firesAt(id, '111');
      });

      it('of a ladder: rungs whose levels are passed no longer stay, the others are placed', async () => {
        const id = await at.ladder();
        await shut();
        await at.moveMark(AAA, '78', RELEASE_MS);
        await at.moveMark(AAA, '88', RELEASE_MS);
        await free();
        await at.desk.pass(10_000);
        const rungs = await at.rungs(id);
        expect(rungs.map((one) => one.status)).to.deep.equal([
          'COMPLETED',
          'ACTIVE',
          'ACTIVE',
          'ACTIVE',
          'ACTIVE',
        ]);
        expect(rungs[1]?.error).to.include('waits for its condition again');
        expect(rungs[4]?.error).to.equal(null);
      });

      it('of a position closes whatever is shut', async () => {
        const id = await at.closes(await at.position());
        await shut();
        await at.firesAt(id, '111');
        expect(at.desk.venue.held(AAA)).to.equal('0');
      });

      it('changed meanwhile: the new level decides, and the old note is gone', async () => {
        const id = await at.open();
        await shut();
        await at.moveMark(AAA, '111', RELEASE_MS);
        expect((await at.change(id, { level: '120' })).ok).to.equal(true);
        await free();
        await at.desk.pass(10_000);
        expect(await at.trigger(id)).to.include({ status: 'ACTIVE', error: null });
        await at.firesAt(id, '121');
      });
    });
  }

  it('checks its condition after a restart too', async () => {
    const id = await at.open();
    status = CLOSE_ONLY;
    await at.moveMark(AAA, '111', RELEASE_MS);
    at.desk.kill();
    at.desk.venue.setMark(AAA, '90');
    await at.desk.start();
    status = null;
    await at.desk.pass(10_000);
    expect(await at.trigger(id)).to.include({ status: 'ACTIVE' });
    expect(at.desk.venue.sent).to.deep.equal([]);
    await at.firesAt(id, '111');
  });

  it('never opens at a price that its condition excludes', async function () {
    this.timeout(120_000);
    const step = fc.record({
      mark: fc.constantFrom('90', '109', '111', '130'),
      isShut: fc.boolean(),
      isPaused: fc.boolean(),
      onward: fc.constantFrom(0, 500, RELEASE_MS),
    });
    const walk = fc.array(step, { minLength: 2, maxLength: 8 });
    await forAllAsync([walk], propertyRuns(300, 12), async (steps) => {
      await tearDown();
      await setUp();
      const id = await at.open();
      const arrivals: string[] = [];
      let mark = '100';
      at.desk.venue.onArrival(async () => void arrivals.push(mark));
      let paused = false;
      let isDue = false;
      for (const { mark: next, isShut, isPaused, onward } of steps) {
        status = isShut ? CLOSE_ONLY : null;
        if (isPaused !== paused) await at.desk.tradingPause.move('user', isPaused ? 'pause' : 'resume');
        paused = isPaused;
        mark = next;
        await at.moveMark(AAA, mark, onward);
        isDue ||= !isShut && !isPaused && Number(mark) > 110 && onward === RELEASE_MS;
      }
      await at.desk.pass(RELEASE_MS);
      expect(arrivals.every((price) => Number(price) > 110)).to.equal(true);
      expect(new Set(arrivals).size).to.be.at.most(1);
      if (isDue) expect((await at.trigger(id)).status).to.not.equal('ACTIVE');
      if (arrivals.length === 0) expect((await at.trigger(id)).status).to.equal('ACTIVE');
    });
  });
});
