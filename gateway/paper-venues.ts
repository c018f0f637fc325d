/** The embedded venues of a gateway: in this process, or for crash tests behind a socket in a process of their own. */
import { randomInt } from 'node:crypto';
import type { Settings } from './config.ts';
import type { Clock, Logger, Store } from './engine/ports.ts';
import type { PaperVenue } from './venues/paper/paper-venue.ts';
import { PAPER_PROFILES } from './venues/paper/profile.ts';
import { createPaperVenue } from './venues/paper/venue.ts';

const SEED_SETTING = 'paper-seed';

/** Both venues share one seed, so that an underlying has one index price on both. */
export async function paperSeed(
  settings: Pick<Settings, 'paperSeed'>,
  store: Pick<Store, 'setting' | 'commit'>,
): Promise<number> {
  const stored = await store.setting(SEED_SETTING);
  if (stored !== null) return Number(stored);
  const seed = settings.paperSeed ?? randomInt(1, 2 ** 31);
  const kept = await store.commit({ settings: [{ key: SEED_SETTING, value: String(seed) }] });
  if (!kept.ok) throw new Error(`the seed of the paper venues cannot be stored: ${kept.error.message}`);
  return seed;
}

export function embeddedPaperVenues(
  settings: Pick<Settings, 'dataDir' | 'paperProfile' | 'paperSpeed'>,
  seed: number,
  clock: Clock,
  logger: Logger,
): readonly PaperVenue[] {
  return (['paper', 'paper-cross'] as const).map((connector) =>
    createPaperVenue({
      connector,
      dataDir: settings.dataDir,
      seed,
      profile: PAPER_PROFILES[settings.paperProfile],
      speed: settings.paperSpeed,
      clock,
      logger,
    }),
  );
}
