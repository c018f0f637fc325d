/** Offset of the venue's clock from ours, by a venue whose answers take as long as the test says. */
import { expect } from 'chai';
import { createVenueClock, type VenueClock } from '../../../../gateway/venues/live/kit/venue-clock.ts';
import { createFakeClock, type FakeClock } from '../../../support/fake-clock.ts';

const REFRESH_MS = 600_000;

describe('kit: venue clock', () => {
  let clock: FakeClock;
  let asked: number;
  /** Milliseconds there and back of the next questions; null: no answer. The last one goes on. */
  let ways: (readonly [there: number, back: number] | null)[];
  /** The venue's clock less ours. */
  let offsetMs: number;
  let venue: VenueClock;

  beforeEach(() => {
    clock = createFakeClock();
    asked = 0;
    ways = [[10, 10]];
    offsetMs = 7_000;
    venue = createVenueClock({
      clock,
      ask: async () => {
        const way = ways[Math.min(asked, ways.length - 1)];
        asked += 1;
        if (way == null) throw new Error('no answer');
        await clock.sleep(way[0]);
        const told = clock.now() + offsetMs;
        await clock.sleep(way[1]);
        return told;
      },
    });
  });
  async function refresh(): Promise<void> {
    const done = venue.refresh();
    await clock.advance(10_000);
    await done;
  }

  it('knows nothing before the first answer', () => {
    expect(venue.state).to.equal('unknown');
    expect(venue.offsetMs).to.equal(0);
    expect(venue.now()).to.equal(clock.now());
  });

  it('believes the answer with the shortest way of five', async () => {
    ways = [
      [10, 400],
      [300, 10],
      [12, 10],
      [10, 900],
      [500, 500],
    ];
    await refresh();
    expect(asked).to.equal(5);
    expect(venue.state).to.equal('known');
    // Half of the difference of the two ways.
    expect(venue.offsetMs).to.equal(offsetMs + 1);
    expect(venue.now()).to.equal(clock.now() + offsetMs + 1);
  });

  it('converts moments both ways; a deadline is never later at the venue than here', async () => {
    ways = [[10, 11]];
    await refresh();
    const at = clock.now() + 5_000;
    const there = venue.toVenue(at);
    expect(Number.isInteger(there)).to.equal(true);
    expect(venue.toOurs(there)).to.be.at.most(at);
    expect(at - venue.toOurs(there)).to.be.lessThan(1);
  });

  it('uses what answers say by themselves, where their way was shorter', async () => {
    await refresh();
    offsetMs = 9_000;
    const sample = (roundTripMs: number) => ({
      sentAt: clock.now() - roundTripMs,
      receivedAt: clock.now(),
      serverTime: clock.now() - roundTripMs / 2 + offsetMs,
    });
    venue.observe(sample(100));
    expect(venue.offsetMs).to.equal(7_000);
    venue.observe(sample(4));
    expect(venue.offsetMs).to.equal(9_000);
  });

  it('ignores a sample during which our clock was set', async () => {
    await refresh();
    venue.observe({ sentAt: clock.now() + 50, receivedAt: clock.now(), serverTime: clock.now() });
    expect(venue.offsetMs).to.equal(7_000);
    asked = 0;
    const measuring = venue.refresh();
    await clock.advance(15);
    clock.jump(60_000);
    await clock.advance(10_000);
    await measuring;
    // The first answer counts for nothing. The other four requests used the new clock.
    expect(venue.state).to.equal('known');
    expect(venue.offsetMs).to.equal(7_000);
  });

  it('is stale once our clock was set, and measures again by itself when it runs', async () => {
    const stop = venue.start();
    await clock.advance(1_000);
    expect(venue.state).to.equal('known');
    clock.jump(-120_000);
    offsetMs += 120_000;
    expect(venue.state).to.equal('stale');
    await clock.advance(1_000);
    expect(venue.state).to.equal('known');
    expect(venue.offsetMs).to.equal(127_000);
    stop();
  });

  it('measures again every ten minutes', async () => {
    const stop = venue.start();
    await clock.advance(1_000);
    expect(asked).to.equal(5);
    offsetMs = 8_000;
    await clock.advance(REFRESH_MS);
    expect(asked).to.equal(10);
    expect(venue.offsetMs).to.equal(8_000);
    stop();
    await clock.advance(3 * REFRESH_MS);
    expect(asked).to.equal(10);
  });

  it('asks again soon where there was no answer, and keeps what it knew', async () => {
    await refresh();
    ways = [null];
    asked = 0;
    await refresh();
    expect(venue.offsetMs).to.equal(7_000);
    const stop = venue.start();
    await clock.advance(0);
    const first = asked;
    ways = [[10, 10]];
    await clock.advance(16_000);
    expect(asked).to.be.greaterThan(first);
    stop();
  });

  it('questions that are asked together are one', async () => {
    const both = Promise.all([venue.refresh(), venue.refresh()]);
    await clock.advance(1_000);
    await both;
    expect(asked).to.equal(5);
  });
});
