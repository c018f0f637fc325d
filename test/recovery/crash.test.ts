/**
 * Nothing is lost: baskets are opened, adjusted and closed at full speed while the gateway, its venue or both are killed at
 * random moments, starting included. CRASH_KILLS is the number of kills (default 5), CRASH_SEED repeats the choices of a
 * run that failed.
 */
import { expect } from 'chai';
import { Random } from '../../gateway/venues/paper/market/random.ts';
import { buildGateway } from '../support/gateway-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { CrashRig } from './support/crash-rig.ts';

const KILLS = Number(process.env['CRASH_KILLS'] ?? 5);
const SEED = Number(process.env['CRASH_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const EMBEDDED_KILLS = Math.max(2, Math.round(KILLS / 5));
/** Generous: a kill takes about a second, with the checks between them. */
const PER_KILL_MS = 10_000;
const SETTING_UP_MS = 90_000;
/** Kills between two times that everything is let come to rest and audited. */
const REST_EVERY = 25;
const SHOWN_COMPLAINTS = 20;

describe(`killed at any moment (CRASH_SEED=${SEED})`, () => {
  before(function () {
    this.timeout(SETTING_UP_MS);
    buildGateway();
  });

  it(`loses, repeats and invents nothing in ${KILLS - EMBEDDED_KILLS} kills while the venue lives on`, async function () {
    const kills = KILLS - EMBEDDED_KILLS;
    this.timeout(SETTING_UP_MS + kills * PER_KILL_MS);
    const dataDir = await temporaryFolder();
    const rig = new CrashRig({ dataDir, venueDir: await temporaryFolder(), seed: SEED });
    await run(rig, kills, [
      { share: 0.2, kill: () => rig.killWhileStarting() },
      { share: 0.25, kill: () => rig.killWhileRunning(60) },
      { share: 0.45, kill: () => rig.killWhileRunning(2_000) },
      { share: 0.06, kill: () => rig.killVenue() },
      { share: 0.04, kill: () => rig.killVenueBeforeStart() },
    ]);
  });

  it(`the same in ${EMBEDDED_KILLS} kills of gateway and venue at once`, async function () {
    this.timeout(SETTING_UP_MS + EMBEDDED_KILLS * PER_KILL_MS);
    const rig = new CrashRig({ dataDir: await temporaryFolder(), venueDir: null, seed: SEED });
    await run(rig, EMBEDDED_KILLS, [
      { share: 0.3, kill: () => rig.killWhileStarting() },
      { share: 0.7, kill: () => rig.killWhileRunning(1_000) },
    ]);
  });
});

interface Way {
  /** Share of all kills. The shares of a list add up to 1. */
  readonly share: number;
  readonly kill: () => Promise<void>;
}

async function run(rig: CrashRig, kills: number, ways: readonly Way[]): Promise<void> {
  const random = new Random(SEED, 7);
  try {
    await rig.begin();
    for (let killed = 1; killed <= kills; killed += 1) {
      // Each way once, so that a short run has them all, then by chance.
      const way = ways[killed - 1] ?? byShare(ways, random.uniform());
      await way.kill();
      if (killed % REST_EVERY === 0 || killed === kills) await rig.rest();
      if (rig.complaints.length > 0) break;
    }
  } finally {
    await rig.end();
  }
  console.log(`      ${rig.figures}`);
  expect(rig.complaints.slice(0, SHOWN_COMPLAINTS)).to.deep.equal([]);
}

function byShare(ways: readonly Way[], chance: number): Way {
  let passed = 0;
  const found = ways.find(({ share }) => {
    passed += share;
    return chance < passed;
  });
  if (found === undefined) throw new Error('the shares do not add up to 1');
  return found;
}
