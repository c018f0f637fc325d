/**
 * At most once, never lost: triggers, schedules and ladders wait while the gateway is killed at random moments and prices
 * rise: 60 of them, and 240 above ten deaths. RESTING_ROUNDS is the number of deaths (default 2), CRASH_SEED repeats the choices of a run that failed.
 */
import { expect } from 'chai';
import { buildGateway } from '../support/gateway-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { RestingCrashRig } from './support/resting-crash-rig.ts';

const ROUNDS = Number(process.env['RESTING_ROUNDS'] ?? 2);
const SEED = Number(process.env['CRASH_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const IS_LONG = ROUNDS > 10;
const WANTED = IS_LONG
  ? { triggers: 200, schedules: 20, ladders: 20 }
  : { triggers: 50, schedules: 5, ladders: 5 };
const PER_ROUND_MS = 10_000;
const SETTING_UP_MS = 300_000;
const SHOWN_COMPLAINTS = 20;

describe(`killed while orders wait (CRASH_SEED=${SEED})`, () => {
  before(function () {
    this.timeout(SETTING_UP_MS);
    buildGateway();
  });

  it(`fires and sends everything once in ${ROUNDS} deaths, and sums are exact`, async function () {
    this.timeout(SETTING_UP_MS + ROUNDS * PER_ROUND_MS);
    const rig = new RestingCrashRig({
      dataDir: await temporaryFolder(),
      venueDir: await temporaryFolder(),
      wanted: WANTED,
      seed: SEED,
    });
    try {
      await rig.begin();
      for (let round = 0; round < ROUNDS && rig.complaints.length === 0; round += 1) await rig.round();
      await rig.rest();
    } finally {
      await rig.end();
    }
    console.log(`      ${rig.figures}`);
    expect(rig.complaints.slice(0, SHOWN_COMPLAINTS)).to.deep.equal([]);
  });
});
