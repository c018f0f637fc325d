/** An emulated venue on loopback. Its HTTP and WebSocket servers have one port. */
import type { Clock } from '../../../../gateway/engine/ports/system.ts';
import { freePort } from '../../local-port.ts';
import { type Answering, type Listening, listen } from './listen.ts';
import type { HubOptions } from './stream-hub.ts';
import type { AnyScript } from './venue-script.ts';
import type { Network } from './world/world.ts';

export interface CommonOptions<Account> extends Partial<HubOptions> {
  /** Default mainnet. */
  readonly network?: Network;
  readonly accounts?: readonly Account[];
  /** Default: any free port. */
  readonly port?: number;
  /** Default: the machine's. */
  readonly clock?: Clock;
}

export interface RunningEmulator<Script> {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** Address of its streams. */
  readonly wsUrl: string;
  readonly script: Script;
  close(): Promise<void>;
}

export type AnyEmulator = RunningEmulator<AnyScript>;

interface Hub {
  attach(server: Listening['server']): void;
  close(): void;
}

interface AccountScript<Account> {
  addAccount(template: Account): void;
}

/** @param parts of the venue: what answers requests, its streams and their path, and what makes its script */
export async function startVenue<Account, H extends Hub, Script extends AccountScript<Account>>(
  options: CommonOptions<Account>,
  parts: {
    readonly desk: Answering;
    readonly hub: H;
    readonly streamPath: string;
    readonly script: (hub: H, http: Listening) => Script;
  },
): Promise<RunningEmulator<Script>> {
  const { desk, hub, streamPath } = parts;
  const http = await listen(desk, options.port ?? (await freePort()));
  hub.attach(http.server);
  const script = parts.script(hub, http);
  for (const account of options.accounts ?? []) script.addAccount(account);
  return {
    url: `http://127.0.0.1:${http.port}`,
    wsUrl: `ws://127.0.0.1:${http.port}${streamPath}`,
    script,
    close: async () => {
      hub.close();
      await http.close();
    },
  };
}
