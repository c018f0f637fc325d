/** Nonces are distinct and rising over restarts, however the clock is set, and none is given out that is not covered. */
import { expect } from 'chai';
import { type NonceFloor, openNonceStream } from '../../../../gateway/venues/live/kit/nonce-stream.ts';
import { createFakeClock, type FakeClock } from '../../../support/fake-clock.ts';

const AHEAD_MS = 600_000;
const DAY_MS = 86_400_000;

interface Disk extends NonceFloor {
  kept: number | null;
  writes: number;
  fails: boolean;
}

function disk(kept: number | null = null): Disk {
  const one: Disk = {
    ...{ kept, writes: 0, fails: false },
    read: async () => one.kept,
    write: async (floor) => {
      if (one.fails) throw new Error('the disk is full');
      one.writes += 1;
      one.kept = floor;
    },
  };
  return one;
}

describe('kit: nonces', () => {
  let clock: FakeClock;
  const open = (floor: NonceFloor) =>
    openNonceStream({ clock, now: () => clock.now(), floor, refusedAheadMs: DAY_MS });

  beforeEach(() => {
    clock = createFakeClock();
  });

  it('are the time where they can be', async () => {
    const stream = await open(disk());
    expect(await stream.next()).to.equal(clock.now());
    await clock.advance(5_000);
    expect(await stream.next()).to.equal(clock.now());
  });

  it('a thousand at once are distinct and rising in the order of the calls, also when the clock steps back', async () => {
    const stream = await open(disk());
    const calls = Array.from({ length: 1_000 }, (_, nth) => {
      if (nth === 500) clock.jump(-10_000);
      return stream.next();
    });
    const nonces = await Promise.all(calls);
    for (const [nth, nonce] of nonces.entries())
      if (nth > 0) expect(nonce).to.be.greaterThan(Number(nonces[nth - 1]));
  });

  it('every one of them is below what is on disk when it is given out', async () => {
    const floor = disk();
    const stream = await open(floor);
    for (let nth = 0; nth < 200; nth += 1) {
      if (nth % 7 === 0) clock.jump(nth % 2 === 0 ? 400_000 : -300_000);
      const nonce = await stream.next();
      expect(nonce).to.be.lessThan(Number(floor.kept));
      await clock.advance(2_000);
    }
  });

  it('cost no write each', async () => {
    const floor = disk();
    const stream = await open(floor);
    for (let nth = 0; nth < 500; nth += 1) await stream.next();
    expect(floor.writes).to.equal(1);
  });

  it('go on above the last one after a restart, also with a clock that was set back', async () => {
    const floor = disk();
    const first = await open(floor);
    const last = await first.next();
    first.stop();
    clock.jump(-3_600_000);
    const second = await open(floor);
    expect(await second.next()).to.be.greaterThan(Number(last));
  });

  it('of a clock that was days ahead are forgotten, in this life and in the next', async () => {
    const floor = disk();
    const stream = await open(floor);
    const before = await stream.next();
    clock.jump(3 * DAY_MS);
    await stream.next();
    clock.jump(-3 * DAY_MS);
    const after = await stream.next();
    expect(after)
      .to.be.greaterThanOrEqual(Number(before))
      .and.lessThan(clock.now() + DAY_MS);
    expect(Number(floor.kept))
      .to.be.greaterThan(Number(after))
      .and.lessThan(clock.now() + DAY_MS);
    stream.stop();
    clock.jump(3 * DAY_MS);
    (await open(floor)).stop();
    clock.jump(-3 * DAY_MS);
    expect(await (await open(floor)).next()).to.be.lessThan(clock.now() + DAY_MS);
  });

  it('stay near the time over many restarts', async () => {
    const floor = disk();
    let nonce: number | null = null;
    for (let nth = 0; nth < 50; nth += 1) {
      const stream = await open(floor);
      nonce = await stream.next();
      stream.stop();
    }
    expect(Number(nonce) - clock.now()).to.be.lessThan(AHEAD_MS + 60_000);
  });

  it('none is given out above a floor that cannot be written; the next one may be', async () => {
    const floor = disk();
    const stream = await open(floor);
    const last = await stream.next();
    floor.fails = true;
    clock.jump(2 * AHEAD_MS);
    expect(await stream.next()).to.equal(null);
    floor.fails = false;
    expect(await stream.next()).to.be.greaterThan(Number(last));
  });

  it('the floor moves on by itself, so that no order waits for it', async () => {
    const floor = disk();
    const stream = await open(floor);
    for (let hours = 0; hours < 24; hours += 1) {
      await clock.advance(3_600_000);
      const before = floor.writes;
      await stream.next();
      expect(floor.writes).to.equal(before);
    }
  });

  it('do not begin without the disk', async () => {
    const floor = disk();
    floor.fails = true;
    const failed = await open(floor).then(
      () => false,
      () => true,
    );
    expect(failed).to.equal(true);
  });

  it('end with the stream', async () => {
    const stream = await open(disk());
    stream.stop();
    expect(await stream.next()).to.equal(null);
    expect(clock.pending()).to.equal(0);
  });
});
