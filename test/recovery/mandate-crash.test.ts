/**
 * A budget holds over deaths: programs ask for more than their mandate allows while the gateway is killed at random moments,
 * on paper and on an emulated live venue. MANDATE_KILLS is the number of kills on each (default 2), CRASH_SEED repeats a run.
 */
import { expect } from 'chai';
import { Random } from '../../gateway/venues/paper/market/random.ts';
import { crashHyperliquid } from '../real-time/support/live-crash-venues.ts';
import { buildGateway } from '../support/gateway-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { MandateCrashRig } from './support/mandate-crash-rig.ts';

const KILLS = Number(process.env['MANDATE_KILLS'] ?? 2);
const SEED = Number(process.env['CRASH_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const PER_KILL_MS = 15_000;
const SETTING_UP_MS = 180_000;

describe(`killed while mandates are used up (CRASH_SEED=${SEED})`, () => {
  before(function () {
    this.timeout(SETTING_UP_MS);
    buildGateway();
  });

  for (const [name, venue] of [
    ['paper', () => null],
    ['Hyperliquid', crashHyperliquid],
  ] as const)
    it(`on ${name} opens nothing past the limit and leaves nothing reserved in ${KILLS} kills${name === 'paper' ? '' : ' @long'}`, async function () {
      this.timeout(SETTING_UP_MS + KILLS * PER_KILL_MS);
      const random = new Random(SEED, 7);
      const rig = new MandateCrashRig({ dataDir: await temporaryFolder(), seed: SEED }, venue());
      try {
        await rig.begin();
        await rig.kill(KILLS, random, { starting: 0.15, short: 0.6, shortMs: 700, longMs: 2_500 });
      } finally {
        await rig.end();
      }
      console.log(`      ${rig.figures}`);
      expect(rig.complaints.slice(0, 20)).to.deep.equal([]);
    });
});
