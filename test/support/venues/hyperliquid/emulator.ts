/**
 * Hyperliquid on loopback: its HTTP and WebSocket protocol over a state machine of its own, for tests. It shares no
 * code with the gateway's adapter but decimal arithmetic, and needs no package beyond the gateway's.
 */
import type { Clock } from '../../../../gateway/engine/ports/system.ts';
import { systemClock } from '../../../../gateway/system/clock.ts';
import { listen } from '../shared/listen.ts';
import type { Network } from '../shared/world/world.ts';
import { Desk } from './desk.ts';
import { Script } from './script.ts';
import type { AccountTemplate } from './state/accounts.ts';
import { type AssetTemplate, DEFAULT_UNIVERSE } from './state/universe.ts';
import { World } from './state/world.ts';
import { Hub } from './ws/hub.ts';

export interface EmulatorOptions {
  /** Default mainnet. */
  readonly network?: Network;
  readonly universe?: readonly AssetTemplate[];
  readonly accounts?: readonly AccountTemplate[];
  /** Default: any free port. */
  readonly port?: number;
  /** Interval at which market streams repeat themselves, ms; 0: only on changes. Default 500. */
  readonly pulseMs?: number;
  /** The venue cuts off clients that say nothing for so long. Default 60,000. */
  readonly idleMs?: number;
  /** Default: the machine's. */
  readonly clock?: Clock;
}

export interface Emulator {
  /** `http://127.0.0.1:<port>`, to which `/info` and `/exchange` are posted. */
  readonly url: string;
  /** `ws://127.0.0.1:<port>/ws` */
  readonly wsUrl: string;
  readonly script: Script;
  close(): Promise<void>;
}

export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { network = 'mainnet', universe = DEFAULT_UNIVERSE, clock = systemClock } = options;
  const world = new World(network, universe, clock);
  const desk = new Desk(world);
  const http = await listen(desk, options.port ?? 0);
  const hub = new Hub(desk, { pulseMs: options.pulseMs ?? 500, idleMs: options.idleMs ?? 60_000 });
  hub.attach(http.server);
  const script = new Script(desk, hub, http);
  for (const account of options.accounts ?? []) script.addAccount(account);
  for (const { name, isDelisted, mark } of world.markets) {
    if (!isDelisted) script.setMark(name, mark.toFixed());
  }
  return {
    url: `http://127.0.0.1:${http.port}`,
    wsUrl: `ws://127.0.0.1:${http.port}/ws`,
    script,
    close: async () => {
      hub.close();
      await http.close();
    },
  };
}
