/** Core of the gateway, on which all other parts build: vault, store, venues and their markets. */
import { databaseFile, type Settings } from '../config.ts';
import { ClockWatch } from '../engine/notices/clock-watch.ts';
import type { Venues } from '../engine/ports/venue.ts';
import { openFolder, unreadablePaper } from '../folder/data-folder.ts';
import type { FrontDoor } from '../front-door.ts';
import { createCandleHistory } from '../market/candle-history.ts';
import { startCandleRecorder } from '../market/candle-recorder.ts';
import { startFundingRecorder } from '../market/funding-recorder.ts';
import { createMarket } from '../market/market.ts';
import { openStore } from '../store/open-store.ts';
import { createIds } from '../system/ids.ts';
import { closeToOthers, prepareLocalSocket } from '../system/local-socket.ts';
import { openVault } from '../vault/open-vault.ts';
import { PaperFilesError } from '../venues/paper/disk/paper-files-error.ts';
import { embeddedConnectors } from '../venues/paper/paper-settings.ts';
import { createVenues, VENUE_PLUGS } from '../venues/registry.ts';
import { createDiskWatch } from './disk-watch.ts';
import type { GatewayOverrides } from './gateway.ts';
import { type OnStop, STORE_LIMIT_MS } from './stop-limits.ts';

export type Core = Awaited<ReturnType<typeof startCore>>;

/** `socketPath` is null where the gateway has no Unix socket. */
export async function startCore(
  settings: Settings,
  door: FrontDoor,
  onStop: OnStop,
  overrides: Pick<GatewayOverrides, 'openStore' | 'venues' | 'disk'>,
) {
  const { clock, logger } = door;
  const { dataDir } = settings;
  const [vault, folder] = await Promise.all([
    openVault({ ...settings, kind: settings.vault, logger }),
    openFolder(dataDir, embeddedConnectors(settings), settings.takeOver, () =>
      (overrides.openStore ?? openStore)({ file: databaseFile(dataDir), clock, logger }),
    ).then((opened) => {
      onStop('store', () => opened.close(), STORE_LIMIT_MS);
      return opened;
    }),
  ]);
  const disk = createDiskWatch({ dataDir, clock, logger, ...overrides.disk });
  const store = disk.guard(folder.store);
  const socketPath = await listenLocally(dataDir, door);
  let serving = () => {};
  const whenServing = new Promise<void>((resolve) => {
    serving = resolve;
  });
  const host = { dataDir, store, clock, logger, whenServing };
  const made = await Promise.all(
    (overrides.venues ?? VENUE_PLUGS).map((plug) => plug.create(settings, host)),
  );
  const venues = createVenues(made.flat());
  await startVenues(venues, onStop);
  folder.started();
  const clockWatch = new ClockWatch(clock, logger);
  const market = createMarket({ venues, clock, logger, lookAtClock: () => clockWatch.look() });
  clockWatch.onJump(() => market.distrust());
  market.start();
  onStop('market', () => market.close());
  // Side by side: each waits for its own reads from the disk.
  const [recorder, funding] = await Promise.all([
    startCandleRecorder({ market, venues, store, clock, logger }).then((started) => {
      onStop('candles', () => started.close());
      return started;
    }),
    startFundingRecorder({ market, store, clock, logger }).then((started) => {
      onStop('funding rates', () => started.close());
      return started;
    }),
  ]);
  const candles = createCandleHistory({ store, recorder, venues, clock });
  return {
    clock,
    ids: createIds(clock, await store.lastId()),
    logger,
    vault,
    store,
    disk,
    socketPath,
    venues,
    clockWatch,
    market,
    candles,
    funding,
    /** To be called once routes answer. */
    serving,
  };
}

async function startVenues(venues: Venues, onStop: OnStop): Promise<void> {
  await Promise.all(
    venues.all().map(async (venue) => {
      await venue.start().catch((error: unknown) => {
        throw error instanceof PaperFilesError ? unreadablePaper(error.message) : error;
      });
      onStop(`venue ${venue.info.id}`, () => venue.stop());
    }),
  );
}

/** Listens on a Unix socket beside the port; null without one: some file systems have no sockets. */
async function listenLocally(
  dataDir: string,
  { server, logger }: Pick<FrontDoor, 'server' | 'logger'>,
): Promise<string | null> {
  const path = prepareLocalSocket(dataDir, process.env);
  if (path === null) return null;
  try {
    await server.listenLocal(path);
    closeToOthers(path);
    return path;
  } catch (error) {
    logger.info({ err: error }, 'No Unix socket in the data folder');
    return null;
  }
}
