/**
 * Lighter on loopback: its HTTP and WebSocket protocol over a state machine of its own, for tests. It shares no code
 * with the gateway's adapter but decimal arithmetic, and needs no package beyond the gateway's.
 */
import { systemClock } from '../../../../gateway/system/clock.ts';
import { launch, type RemoteVenue } from '../shared/remote.ts';
import { type CommonOptions, type RunningEmulator, startVenue } from '../shared/start-emulator.ts';
import { Desk } from './desk.ts';
import { Script } from './script.ts';
import type { AccountTemplate } from './state/accounts.ts';
import { DEFAULT_MARKETS, type MarketTemplate } from './state/markets.ts';
import { World } from './state/world.ts';
import { Venue } from './venue.ts';
import { Hub } from './ws/hub.ts';

export interface EmulatorOptions extends CommonOptions<AccountTemplate> {
  readonly markets?: readonly MarketTemplate[];
}

/** The routes are under `/api/v1` of its address. */
export type Emulator = RunningEmulator<Script>;
export type RemoteEmulator = RemoteVenue<Script>;

/** The same in a process of its own. */
export function launchEmulator(options: Omit<EmulatorOptions, 'clock'> = {}): Promise<RemoteEmulator> {
  return launch(import.meta.url, options);
}

export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { network = 'mainnet', markets = DEFAULT_MARKETS, clock = systemClock } = options;
  const world = new World(network, markets, clock);
  const desk = new Desk(new Venue(world));
  const emulator = await startVenue(options, {
    desk,
    hub: new Hub(desk, { pulseMs: options.pulseMs ?? 500, idleMs: options.idleMs ?? 120_000 }),
    streamPath: '/stream',
    script: (hub, http) => new Script(desk, hub, http),
  });
  for (const { name, status, mark } of world.markets) {
    if (status === 'active') emulator.script.setMark(name, mark.toFixed());
  }
  return emulator;
}
