/**
 * The composition root: starts the parts in the order of their dependencies and stops them in the reverse order, so
 * that everything acknowledged is on disk before any part is torn down. `compose/` has the construction of each part.
 */
import { startCore } from './compose/core.ts';
import type { Gateway, GatewayHost, GatewayOverrides } from './compose/gateway.ts';
import { createRestingServices } from './compose/resting.ts';
import { keepPruning } from './compose/standing-work.ts';
import {
  ANSWER_GRACE_MS,
  DRAIN_LIMIT_MS,
  ENGINE_LIMIT_MS,
  type OnStop,
  STEP_LIMIT_MS,
  STOP_LIMIT_MS,
} from './compose/stop-limits.ts';
import { createSurface } from './compose/surface.ts';
import { createTrading } from './compose/trading.ts';
import { workInHand } from './compose/work-in-hand.ts';
import type { Settings } from './config.ts';
import { moneyAmong, moneyMode } from './domain/money.ts';
import { type FrontDoor, openFrontDoor } from './front-door.ts';
import { type StopStep, stopWithin } from './system/bounded-stop.ts';
import { isPaperVenue } from './venues/paper/venue/paper-venue.ts';

export type { Gateway, GatewayHost, GatewayOverrides } from './compose/gateway.ts';

const VENUE_PROGRAMS_AFTER_MS = 200;

export async function createGateway(
  settings: Settings,
  overrides: GatewayOverrides = {},
  host: GatewayHost = {},
): Promise<Gateway> {
  const undo: StopStep[] = [];
  const door =
    host.door ?? (await openFrontDoor(settings, { ...overrides, shell: host.consentAsked !== undefined }));
  const stop = async () => {
    await stopWithin(undo.splice(0).reverse(), STOP_LIMIT_MS, door);
  };
  const onStop: OnStop = (name, run, limitMs = STEP_LIMIT_MS) => undo.push({ name, run, limitMs });
  try {
    return await start(settings, overrides, { ...host, door }, onStop, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(
  settings: Settings,
  overrides: GatewayOverrides,
  host: GatewayHost & { readonly door: FrontDoor },
  onStop: OnStop,
  stop: () => Promise<void>,
): Promise<Gateway> {
  const { door } = host;
  const { server, port, authorities } = door;
  onStop('server', () => server.close(ANSWER_GRACE_MS));
  const core = await startCore(settings, door, onStop, overrides);
  const { store, market, clockWatch, clock, logger } = core;
  const trading = await createTrading(settings, core, authorities, onStop, overrides);
  const { engine, auth, sampler } = trading;
  const resting = createRestingServices(core, trading);
  if (host.approvalAsked !== undefined) trading.approvals.onAsked = host.approvalAsked;

  await engine.load();
  await resting.load();
  const recovered = await engine.start(auth.accounts.all());
  if (Object.values(recovered).some((count) => count > 0))
    logger.info(recovered, 'Executions of the last run are accounted for');
  resting.start();
  const lookAround = () => {
    for (const venue of core.venues.all()) venue.woke?.();
    engine.catchUp();
    resting.woke();
    trading.approvals.woke();
    trading.outgoing.woke();
  };
  clockWatch.onJump(lookAround);
  clockWatch.start();
  onStop('clock watch', () => clockWatch.stop());
  const stopNews = trading.outgoing.start();
  sampler.start();
  onStop('equity samples', () => sampler.stop());
  onStop('outgoing news', async () => stopNews());
  onStop('pruning', keepPruning(store, clock, logger));

  const surface = createSurface(settings, { door, core, trading, resting, host }, onStop);
  // The engine stops first, while HTTP and WebSocket still run, so that bots hear how their running executions end.
  onStop(
    'engine',
    () => {
      resting.stop();
      return engine.stop(DRAIN_LIMIT_MS);
    },
    ENGINE_LIMIT_MS,
  );
  surface.serve();
  // A moment later, so that it does not delay the first answers.
  onStop('venue programs', clock.after(VENUE_PROGRAMS_AFTER_MS, core.serving));
  const money = () => moneyAmong(auth.accounts.all().map(auth.accounts.moneyOf));
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    socketPath: core.socketPath,
    get money() {
      return money();
    },
    get mode() {
      return moneyMode(money());
    },
    firstRun: auth.users.count() === 0,
    get setupCode() {
      return auth.setup.code;
    },
    signInLink() {
      const ticket = auth.links.issue();
      if (ticket !== null) return `${surface.pageOrigin}/app/link#${ticket}`;
      // The setup code goes after the `#`, a part of the address that browsers do not send.
      const { code } = auth.setup;
      return code === null ? `${surface.pageOrigin}/` : `${surface.pageOrigin}/#setup=${code}`;
    },
    work: () => workInHand(store, engine, auth.accounts.all()),
    woke() {
      // If the monotonic clock also counts during sleep, the clock watch does not notice it; then only the system's
      // wake-up event reports it.
      if (clockWatch.look() !== null) return;
      market.distrust();
      lookAround();
    },
    close: stop,
    paperVenue(connector) {
      const venue = core.venues.get(connector);
      if (venue === undefined || !isPaperVenue(venue)) throw new Error(`no paper venue ${connector}`);
      return venue;
    },
  };
}
