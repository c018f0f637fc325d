/** The embedded venues of a gateway: in this process, or for crash tests behind a socket in a process of their own. */
import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Settings } from './config.ts';
import type { Store } from './engine/ports/store.ts';
import type { Clock, Logger } from './engine/ports/system.ts';
import type { Venue } from './engine/ports/venue.ts';
import type { FaultScript } from './venues/paper/faults/faults.ts';
import { PAPER_PROFILES } from './venues/paper/market/profile.ts';
import { createReplaySource, parseCandlesCsv, type ReplaySource } from './venues/paper/market/replay.ts';
import type { PaperVenue } from './venues/paper/paper-venue.ts';
import { createRemotePaperVenue } from './venues/paper/process/remote.ts';
import { createPaperVenue } from './venues/paper/venue.ts';

const CONNECTORS = ['paper', 'paper-cross'] as const;
const SEED_SETTING = 'paper-seed';

/** Paper venues that run in this process and keep their files in its data folder. */
export function embeddedConnectors(settings: Pick<Settings, 'paperSim'>) {
  return CONNECTORS.filter((connector) => settings.paperSim === null || connector !== 'paper');
}

/** Both venues share one seed, so that an underlying has one index price on both. */
async function paperSeed(
  settings: Pick<Settings, 'paperSeed'>,
  store: Pick<Store, 'setting' | 'commit'>,
  logger: Logger,
): Promise<number> {
  const stored = await store.setting(SEED_SETTING);
  if (stored !== null) {
    if (settings.paperSeed !== null && settings.paperSeed !== Number(stored))
      logger.warn(
        { stored: Number(stored) },
        'The markets of this data folder keep the seed of their first start',
      );
    return Number(stored);
  }
  const seed = settings.paperSeed ?? randomInt(1, 2 ** 31);
  const kept = await store.commit({ settings: [{ key: SEED_SETTING, value: String(seed) }] });
  if (!kept.ok) throw new Error(`the seed of the paper venues cannot be stored: ${kept.error.message}`);
  return seed;
}

export interface PaperVenues {
  readonly venues: readonly Venue[];
  /** Those that run in this process. */
  readonly embedded: readonly PaperVenue[];
}

export async function paperVenues(
  settings: Settings,
  store: Pick<Store, 'setting' | 'commit'>,
  clock: Clock,
  logger: Logger,
): Promise<PaperVenues> {
  const seed = await paperSeed(settings, store, logger);
  const profile = PAPER_PROFILES[settings.paperProfile];
  const replay = settings.paperReplay === null ? null : await replayOf(settings.paperReplay);
  const faults: FaultScript | null =
    settings.faultScript === null ? null : JSON.parse(await readFile(settings.faultScript, 'utf8'));
  const embedded = embeddedConnectors(settings).map((connector) =>
    createPaperVenue({
      connector,
      dataDir: settings.dataDir,
      seed,
      profile,
      speed: settings.paperSpeed,
      clock,
      logger,
      ...(replay === null ? {} : { replay }),
      ...(faults === null ? {} : { faults }),
    }),
  );
  if (settings.paperSim === null) return { venues: embedded, embedded };
  const remote = createRemotePaperVenue({ ...settings.paperSim, connector: 'paper', profile, clock, logger });
  return { venues: [remote, ...embedded], embedded };
}

async function replayOf(file: string): Promise<ReplaySource> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new Error(
      `the candles of --paper-replay cannot be read: ${error instanceof Error ? error.message : error}`,
    );
  }
  const candles = parseCandlesCsv(text);
  if (!candles.ok) throw new Error(`the candles of --paper-replay (${file}) are not valid: ${candles.error}`);
  return createReplaySource(candles.value);
}
