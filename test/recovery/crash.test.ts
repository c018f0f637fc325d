/**
 * Nothing is lost: baskets are opened, adjusted and closed at full speed while the gateway, its venue or both are killed at
 * random moments, starting included. CRASH_KILLS is the number of kills (default 15), CRASH_SEED repeats the choices of a
 * run that failed.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { Random } from '../../gateway/venues/paper/random.ts';
import { CrashRig } from '../support/crash-rig.ts';
import { buildGateway } from '../support/gateway-process.ts';
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.ts';

const KILLS = Number(process.env['CRASH_KILLS'] ?? 15);
const SEED = Number(process.env['CRASH_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const EMBEDDED_KILLS = Math.max(3, Math.round(KILLS / 5));
/** Generous: a kill takes about a second, with the checks between them. */
const PER_KILL_MS = 10_000;
const SETTING_UP_MS = 90_000;

describe(`killed at any moment (CRASH_SEED=${SEED})`, () => {
  before(function () {
    this.timeout(SETTING_UP_MS);
    buildGateway();
  });
  after(removeTemporaryFolders);

  it(`loses, repeats and invents nothing in ${KILLS - EMBEDDED_KILLS} kills while the venue lives on`, async function () {
    const kills = KILLS - EMBEDDED_KILLS;
    this.timeout(SETTING_UP_MS + kills * PER_KILL_MS);
    const dataDir = await temporaryFolder();
    const rig = new CrashRig({ dataDir, venueDir: await temporaryFolder(), seed: SEED });
    await run(rig, kills, (random) => {
      const which = random.uniform();
      if (which < 0.2) return rig.killWhileStarting();
      if (which < 0.45) return rig.killWhileRunning(60);
      if (which < 0.9) return rig.killWhileRunning(2_000);
      return rig.killVenue(which >= 0.95);
    });
  });

  it(`the same in ${EMBEDDED_KILLS} kills of gateway and venue at once`, async function () {
    this.timeout(SETTING_UP_MS + EMBEDDED_KILLS * PER_KILL_MS);
    const rig = new CrashRig({ dataDir: await temporaryFolder(), seed: SEED });
    await run(rig, EMBEDDED_KILLS, (random) =>
      random.uniform() < 0.3 ? rig.killWhileStarting() : rig.killWhileRunning(1_000),
    );
  });
});
