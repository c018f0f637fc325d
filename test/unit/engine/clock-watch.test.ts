/** A clock that is set is seen whenever somebody looks; one that is only kept right is not told of. */
import { expect } from 'chai';
import { type ClockJump, ClockWatch, jumpText } from '../../../gateway/engine/notices/clock-watch.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import { silentLogger } from '../../support/silent-logger.ts';

describe('watching the clock', () => {
  let clock: FakeClock;
  let watch: ClockWatch;
  let seen: ClockJump[];
  beforeEach(() => {
    clock = createFakeClock();
    watch = new ClockWatch(clock, silentLogger);
    seen = [];
    watch.onJump((jump) => seen.push(jump));
  });
  afterEach(() => watch.stop());

  it('tells once of a jump of more than five seconds, either way, whoever looked first', async () => {
    watch.start();
    clock.jump(-5_001);
    expect(watch.look()).to.deep.equal({ at: clock.now(), byMs: -5_001 });
    expect(watch.look()).to.equal(null);
    await clock.advance(3_000);
    clock.jump(3_723_000);
    await clock.advance(1_000);
    expect(seen.map(({ byMs }) => byMs)).to.deep.equal([-5_001, 3_723_000]);
    expect(jumpText({ at: 0, byMs: 3_723_000 })).to.contain('1 h 2 min 3 s ahead');
    expect(watch.last?.byMs).to.equal(3_723_000);
  });

  it('follows a clock that is being kept right, and time that passes', async () => {
    watch.start();
    for (let second = 0; second < 20; second += 1) {
      clock.jump(second % 2 === 0 ? 900 : -400);
      await clock.advance(1_000);
    }
    await clock.advance(60_000);
    expect(seen).to.deep.equal([]);
    expect(watch.last).to.equal(null);
  });

  it('a listener that fails keeps the others from nothing', () => {
    const told: number[] = [];
    watch.onJump(() => {
      throw new Error('a bug');
    });
    watch.onJump(({ byMs }) => told.push(byMs));
    clock.jump(60_000);
    watch.look();
    expect(told).to.deep.equal([60_000]);
  });
});
