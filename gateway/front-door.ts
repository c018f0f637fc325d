/**
 * The port of the gateway and who may knock there. It is taken first of all, before the rest of the program is even
 * loaded: a second gateway, or another program there, is told at once, and whoever watches the process sees it alive.
 */
import type { Settings } from './config.ts';
import { SHELL_ORIGIN } from './contract/shell-identity.ts';
import type { Clock, Logger } from './engine/ports.ts';
import { createGuard, type Guard } from './http/guard.ts';
import { answerLiveness } from './http/liveness.ts';
import { createServer, type GatewayServer } from './http/server.ts';
import { systemClock } from './system/clock.ts';
import { createLogger } from './system/logger.ts';

export interface FrontDoor {
  readonly server: GatewayServer;
  readonly port: number;
  /** `Host` values that are answered. */
  readonly authorities: readonly string[];
  readonly guard: Guard;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** `shell`: pages of the desktop app may come. @throws ListenError */
export async function openFrontDoor(
  settings: Pick<Settings, 'port' | 'uiHost' | 'logLevel'>,
  options: { readonly shell: boolean; readonly clock?: Clock; readonly logger?: Logger },
): Promise<FrontDoor> {
  const { shell, clock = systemClock, logger = createLogger({ level: settings.logLevel }) } = options;
  const server = createServer({ clock, logger });
  const { port } = await server.listenLoopback({ port: settings.port });
  const authorities = ['127.0.0.1', 'localhost', '[::1]', settings.uiHost].map((host) => `${host}:${port}`);
  const guard = createGuard({
    hosts: new Set(authorities),
    origins: new Set([
      ...authorities.map((authority) => `http://${authority}`),
      ...(shell ? [SHELL_ORIGIN] : []),
    ]),
  });
  server.meanwhile(answerLiveness(guard));
  return { server, port, authorities, guard, clock, logger };
}
