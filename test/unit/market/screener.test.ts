/** The screener in its own thread, over made prices, against what numpy and statsmodels say of all 4,950 pairs. */
import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import type { Instrument } from '../../../gateway/domain/model.ts';
import type { CandleHistory } from '../../../gateway/engine/ports/market.ts';
import { createScreener, type Screener } from '../../../gateway/market/screener/screener.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { perp } from '../../support/market-venue.ts';
import { screenerWorld, WORLD_HOURS, WORLD_INSTRUMENTS, worldId } from '../../support/screener-world.ts';
import { silentLogger } from '../../support/silent-logger.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 5, 1, 12, 30);
const LAST = Date.UTC(2026, 5, 1, 12);

/** Threads of this process that have not ended. */
const threads = new Set<Worker>();
subscribe('worker_threads', (message) => {
  const { worker } = message as { readonly worker: Worker };
  threads.add(worker);
  worker.once('exit', () => threads.delete(worker));
});

type Row = readonly string[];
const REFERENCE: readonly Row[] = readFileSync(
  new URL('../../data/screener-reference.csv', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split(','));

describe('the screener', function () {
  this.timeout(120_000);
  const world = screenerWorld();
  const open: Screener[] = [];
  afterEach(() => {
    for (const screener of open.splice(0)) screener.close();
  });

  function screening(
    over: { readonly closes?: CandleHistory['closes']; readonly instruments?: number } = {},
  ) {
    const clock = createFakeClock(NOW);
    const asked: number[] = [];
    const instruments: readonly Instrument[] = Array.from(
      { length: over.instruments ?? WORLD_INSTRUMENTS },
      (_, index) => ({ ...perp('paper', 'X'), id: worldId(index) }),
    );
    const closes: CandleHistory['closes'] = async ({ symbols, from, to }) => {
      asked.push(to);
      const column = world[Number(symbols[0]?.slice(1, 4))] ?? new Float64Array();
      return Array.from(column, (log, hour) => ({ at: LAST - (WORLD_HOURS - 1 - hour) * HOUR, log }))
        .filter(({ at, log }) => at > from && at <= to && !Number.isNaN(log))
        .map(({ at, log }) => ({ at, prices: [String(Math.exp(log))] }));
    };
    const screener = createScreener({
      market: { instruments: () => instruments, stats: () => undefined },
      candles: { closes: over.closes ?? closes },
      clock,
      logger: silentLogger,
    });
    open.push(screener);
    /** Rests between the candles of two instruments, and works in its thread, until nothing is due within a second. */
    const worked = async () => {
      for (;;) {
        await clock.advance(0);
        const wait = clock.untilNext() ?? Number.POSITIVE_INFINITY;
        if (wait < 1_000) await clock.advance(wait);
        else if (threads.size > 0) await Promise.all([...threads].map((thread) => once(thread, 'exit')));
        else return;
      }
    };
    const settled = async () => {
      while (screener.of('paper').progress !== null) await worked();
      return screener.of('paper');
    };
    return { screener, clock, asked, settled, worked };
  }

  it('has every figure of every pair as statsmodels has it, each pair once', async () => {
    const { screener, clock, settled } = screening();
    expect(screener.of('paper')).to.deep.include({ screen: null, error: null });
    const { screen } = await settled();
    expect(screen?.asOf).to.equal(LAST);
    expect(screen?.computedAt).to.be.within(NOW, clock.now());
    expect(screen?.pairs).to.have.length(4_950);
    const differences: string[] = [];
    for (const [index, pair] of (screen?.pairs ?? []).entries()) {
      const [first, second, n, correlation, hedge, z, halfLife, statistic, p] = REFERENCE[index] ?? [];
      expect([pair.first, pair.second]).to.deep.equal([worldId(Number(first)), worldId(Number(second))]);
      expect(pair.observations).to.equal(Number(n));
      const isStill = pair.first === worldId(99) || pair.second === worldId(99);
      expect(pair.sparkline).to.have.length(isStill ? 0 : 30);
      if (!isStill) expect(pair.sparkline.at(-1)).to.equal(pair.zScore);
      for (const [name, found, wanted] of [
        ['correlation', pair.correlation, correlation],
        ['hedge ratio', pair.hedgeRatio, hedge],
        ['z-score', pair.zScore, z],
        ['half-life', pair.halfLife, halfLife],
        ['statistic', pair.statistic, statistic],
        ['p-value', pair.pValue, p],
      ] as const) {
        const same =
          wanted === ''
            ? Number.isNaN(found)
            : Math.abs(found - Number(wanted)) <= 1e-7 * Math.max(1, Math.abs(Number(wanted)));
        if (!same) differences.push(`${first}/${second} ${name}: ${found}, not ${wanted}`);
      }
    }
    expect(differences.slice(0, 10)).to.deep.equal([]);
  });

  it('takes over what it knows from hour to hour, and is what a new one would be @long', async () => {
    const late = { hour: LAST - 10 * HOUR, isKnown: false };
    const closes: CandleHistory['closes'] = async ({ symbols, from, to }) => {
      const index = Number(symbols[0]?.slice(1, 4));
      const found: { readonly at: number; readonly prices: readonly string[] }[] = [];
      for (let at = LAST - 2_300 * HOUR; at <= Math.min(to, LAST + 3 * HOUR); at += HOUR) {
        if (at <= from || (at === late.hour && !late.isKnown)) continue;
        const hour = (at - LAST) / HOUR;
        found.push({
          at,
          prices: [String(Math.exp(Math.sin(hour / (7 + index)) + Math.cos(hour * hour * index)))],
        });
      }
      return found;
    };
    const { clock, settled } = screening({ instruments: 3, closes });
    expect((await settled()).screen?.pairs[0]?.observations).to.equal(2_159);
    late.isKnown = true;
    await clock.advance(HOUR);
    await settled();
    await clock.advance(2 * HOUR);
    const { screen } = await settled();
    const fresh = screening({ instruments: 3, closes });
    await fresh.clock.advance(3 * HOUR);
    const anew = (await fresh.settled()).screen;
    expect(screen?.asOf).to.equal(LAST + 3 * HOUR);
    expect({ ...screen, computedAt: anew?.computedAt }).to.deep.equal(anew);
    expect(screen?.pairs[0]?.observations).to.equal(2_160);
  });

  it('is computed once an hour, and answers the last one meanwhile', async () => {
    const { screener, clock, asked, settled } = screening({ instruments: 4 });
    const first = (await settled()).screen;
    expect(asked).to.deep.equal(Array(4).fill(LAST));
    screener.of('paper');
    await clock.advance(60_000);
    expect(asked).to.have.length(4);
    await clock.advance(HOUR);
    expect(asked.slice(4)[0]).to.equal(LAST + HOUR);
    expect(screener.of('paper').screen?.asOf).to.be.oneOf([first?.asOf, LAST + HOUR]);
    expect((await settled()).screen?.asOf).to.equal(LAST + HOUR);
    expect(asked).to.have.length(8);
  });

  it('rests when nobody has asked for hours @long', async () => {
    const { clock, asked, settled, worked } = screening({ instruments: 3 });
    await settled();
    for (let hour = 0; hour < 12; hour += 1) {
      await clock.advance(HOUR);
      await worked();
    }
    expect(asked.length).to.be.lessThan(3 * 10);
    expect(Math.max(...asked)).to.be.lessThan(LAST + 8 * HOUR);
  });

  it('says why it could not be computed, and tries again with the next hour', async () => {
    let isBroken = true;
    const { clock, settled } = screening({
      instruments: 3,
      closes: async () => {
        if (isBroken) throw new Error('disk is away');
        return [];
      },
    });
    expect(await settled()).to.deep.include({ screen: null, error: 'disk is away' });
    isBroken = false;
    await clock.advance(HOUR);
    const { screen, error } = await settled();
    expect(error).to.equal(null);
    expect(screen?.pairs.map(({ observations }) => observations)).to.deep.equal([0, 0, 0]);
  });
});
