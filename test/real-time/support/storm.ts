/**
 * The storm: random trading over HTTP against a gateway that is frozen and killed, with trades outside it right before closes,
 * baskets that share instruments, stops, schedules and panics; and books of our own that must agree. Each finding counts, and
 * all five counts must be 0. TANDEM_LONG=1: ten minutes with twelve kills; else seven seconds with one.
 * STORM_SEED repeats the choices of a run, STORM_SECONDS sets its length.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { buildGateway } from '../../support/gateway-process.ts';
import { IS_LONG } from '../../support/long-run.ts';
import { StormRandom } from '../../support/storm-random.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { HyperliquidInStorm } from './storm-hyperliquid.ts';
import { LighterInStorm } from './storm-lighter.ts';
import { LiveStorm } from './storm-live.ts';
import { PaperStorm } from './storm-paper.ts';
import { StormWorld } from './storm-world.ts';

const SEED = Number(process.env['STORM_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const SECONDS = Number(process.env['STORM_SECONDS'] ?? (IS_LONG ? 600 : 7));
const KILLS = IS_LONG ? 12 : 1;
const FREEZES = IS_LONG ? 24 : 2;
const RESTS = IS_LONG ? 8 : 1;
/** Emulated live venues, with the pauses that leave room in what they let a machine ask. */
const LIVE = {
  hyperliquid: { exchange: (random: StormRandom) => new HyperliquidInStorm(random), pauseMs: 1_000 },
  lighter: { exchange: (random: StormRandom) => new LighterInStorm(random), pauseMs: 5_000 },
};
/** Resting, freezes and starts come on top. */
const AROUND_MS = 900_000;

/** @param profile of the paper venue's market, or an emulated live venue */
export function storm(profile: 'realistic' | 'thin' | 'brutal' | keyof typeof LIVE): void {
  describe(`a storm (STORM_SEED=${SEED})`, () => {
    before(function () {
      this.timeout(90_000);
      buildGateway();
    });

    it(`of ${SECONDS} s on ${profile} markets loses, doubles, opens, leaves nothing`, async function () {
      this.timeout(AROUND_MS + 3 * SECONDS * 1_000);
      const random = new StormRandom(SEED);
      const dataDir = await temporaryFolder();
      const venue = isLive(profile)
        ? new LiveStorm(LIVE[profile].exchange(random.fork(3)), random.fork(2))
        : new PaperStorm({ dataDir, venueDir: await temporaryFolder(), profile });
      const world = new StormWorld({
        dataDir,
        venue,
        random,
        longestFreezeMs: IS_LONG ? 20_000 : 4_000,
        pauseMs: isLive(profile) ? LIVE[profile].pauseMs : IS_LONG ? 250 : 60,
      });
      try {
        await world.begin();
        const events = shuffled(random, [
          ...Array.from({ length: KILLS }, () => () => world.kill()),
          ...Array.from(
            { length: FREEZES },
            (_, one) => () => world.freeze(one % 3 === 2 ? 'venue' : 'gateway'),
          ),
          ...Array.from({ length: RESTS }, () => () => world.rest()),
        ]);
        for (const event of events) {
          await sleep(((SECONDS * 1_000) / (events.length + 1)) * random.between(0.4, 1.6));
          await event();
        }
        await world.end();
      } finally {
        await world.close();
      }
      console.log(`      ${world.figures}`);
      if (Object.values(world.counts).some((count) => count > 0)) console.log(world.report);
      expect(world.counts, world.report).to.deep.equal({
        lost: 0,
        doubled: 0,
        opened: 0,
        unprotected: 0,
        unexplained: 0,
      });
      expect(world.others).to.deep.equal([]);
    });
  });
}

function isLive(profile: string): profile is keyof typeof LIVE {
  return Object.hasOwn(LIVE, profile);
}

function shuffled<T>(random: StormRandom, all: readonly T[]): readonly T[] {
  return all
    .map((one) => ({ one, place: random.uniform() }))
    .sort((a, b) => a.place - b.place)
    .map(({ one }) => one);
}
