/** The paper venues of a gateway: in this process, or for crash tests behind a socket in a process of their own. */
import { randomInt } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { Venue } from '../../../engine/ports/venue.ts';
import type { VenueHost } from '../../venue-plug.ts';
import { PAPER_PROFILES } from '../market/profile.ts';
import { createReplaySource, parseCandlesCsv, type ReplaySource } from '../market/replay.ts';
import { embeddedConnectors, type PaperSettings } from '../paper-settings.ts';
import type { FaultScript } from '../venue/faults.ts';
import { createPaperVenue } from '../venue/venue.ts';
import { createRemotePaperVenue } from './remote.ts';

const SEED_SETTING = 'paper-seed';

/** Both venues share one seed, so that an underlying has one index price on both. */
async function paperSeed(
  settings: Pick<PaperSettings, 'paperSeed'>,
  { store, logger }: Pick<VenueHost, 'store' | 'logger'>,
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

export async function createPaperVenues(settings: PaperSettings, host: VenueHost): Promise<readonly Venue[]> {
  const { dataDir, clock, logger } = host;
  const seed = await paperSeed(settings, host);
  const profile = PAPER_PROFILES[settings.paperProfile];
  const replay = settings.paperReplay === null ? null : await replayOf(settings.paperReplay);
  const faults: FaultScript | null =
    settings.faultScript === null ? null : JSON.parse(await readFile(settings.faultScript, 'utf8'));
  const embedded = embeddedConnectors(settings).map((connector) =>
    createPaperVenue({
      connector,
      dataDir,
      seed,
      profile,
      speed: settings.paperSpeed,
      clock,
      logger,
      ...(replay === null ? {} : { replay }),
      ...(faults === null ? {} : { faults }),
    }),
  );
  if (settings.paperSim === null) return embedded;
  return [
    createRemotePaperVenue({ ...settings.paperSim, connector: 'paper', profile, clock, logger }),
    ...embedded,
  ];
}

/** A year of minutes of six instruments or so; all of it is read into memory. */
const MOST_REPLAY_BYTES = 256 * 1024 * 1024;

async function replayOf(file: string): Promise<ReplaySource> {
  let text: string;
  try {
    const stats = await stat(file);
    // A device or a pipe has no end.
    if (!stats.isFile()) throw new Error(`${file} is no file`);
    if (stats.size > MOST_REPLAY_BYTES)
      throw new Error(`${file} has ${stats.size} bytes, more than the ${MOST_REPLAY_BYTES} that are read`);
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
