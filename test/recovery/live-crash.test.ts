/**
 * Nothing is lost with real money either: baskets are opened and closed on emulated live venues that live on, while the
 * gateway is killed at random moments. CRASH_KILLS is the number of kills (default 1), CRASH_SEED repeats a run.
 */
import { expect } from 'chai';
import { Random } from '../../gateway/venues/paper/market/random.ts';
import { crashHyperliquid, crashLighter } from '../real-time/support/live-crash-venues.ts';
import { buildGateway } from '../support/gateway-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { LiveCrashRig } from './support/live-crash-rig.ts';

const KILLS = Number(process.env['CRASH_KILLS'] ?? 1);
const SEED = Number(process.env['CRASH_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const PER_KILL_MS = 15_000;
const SETTING_UP_MS = 180_000;

describe(`killed while it trades on a live venue (CRASH_SEED=${SEED})`, () => {
  before(function () {
    this.timeout(SETTING_UP_MS);
    buildGateway();
  });

  for (const [name, venue] of [
    ['Hyperliquid', crashHyperliquid],
    ['Lighter', crashLighter],
  ] as const)
    it(`at ${name} loses, doubles and invents nothing in ${KILLS} kills${name === 'Hyperliquid' ? '' : ' @long'}`, async function () {
      this.timeout(SETTING_UP_MS + KILLS * PER_KILL_MS);
      const random = new Random(SEED, 7);
      const rig = new LiveCrashRig({ dataDir: await temporaryFolder(), seed: SEED }, venue());
      try {
        await rig.begin();
        await rig.kill(KILLS, random, { starting: 0.2, short: 0.5, shortMs: 1_500, longMs: 4_000 });
      } finally {
        await rig.end();
      }
      console.log(`      ${rig.figures}`);
      expect(rig.complaints.slice(0, 20)).to.deep.equal([]);
    });
});
