/**
 * The port of the gateway and the check of its callers. The port is taken before the rest of the program is loaded, so
 * that a port in use is reported at once and a watcher of the process sees that it is alive.
 */

import { createGuard, type Guard } from './call/guard.ts';
import type { Settings } from './config.ts';
import { SHELL_ORIGIN } from './contract/shell-identity.ts';
import type { Clock, Logger } from './engine/ports/system.ts';
import { answerLiveness } from './http/liveness.ts';
import { createServer, type GatewayServer } from './http/server.ts';
import { systemClock } from './system/clock.ts';
import { isInContainer } from './system/container.ts';
import { createLogger } from './system/logger.ts';
import { createPeerCheck, type LocalPeerCheck } from './system/peer-check.ts';
import { openPeerTable } from './system/peer-table.ts';
import { userIdOf } from './system/user-ids.ts';

export interface FrontDoor {
  readonly server: GatewayServer;
  readonly port: number;
  /** `Host` values that are answered. */
  readonly authorities: readonly string[];
  readonly guard: Guard;
  readonly clock: Clock;
  readonly logger: Logger;
}

type DoorSetting =
  | 'port'
  | 'uiHost'
  | 'logLevel'
  | 'peerCheck'
  | 'allowUser'
  | 'container'
  | 'allowHost'
  | 'vault'
  | 'passphrase';

/** `shell`: pages of the desktop app are allowed. @throws ListenError, or Error for an unknown user in `allowUser` */
export async function openFrontDoor(
  settings: Pick<Settings, DoorSetting>,
  options: { readonly shell: boolean; readonly clock?: Clock; readonly logger?: Logger },
): Promise<FrontDoor> {
  const { shell, clock = systemClock, logger = createLogger({ level: settings.logLevel }) } = options;
  const { container } = settings;
  const names = containerNames(settings);
  // A caller from another container has no user in this one's table.
  const server = createServer({ clock, logger, peers: container ? null : peerCheck(settings, logger) });
  const asked = { port: settings.port };
  const { port } = await (container ? server.listenContainer(asked) : server.listenLoopback(asked));
  const authorities = ['127.0.0.1', 'localhost', '[::1]', settings.uiHost, ...names].map(
    (host) => `${host}:${port}`,
  );
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

/** Names of `allowHost`. @throws where `--container` would open more than a container's network */
function containerNames(settings: Pick<Settings, DoorSetting>): readonly string[] {
  const { container, allowHost, vault, passphrase } = settings;
  if (!container) {
    if (allowHost !== null) throw new Error('--allow-host belongs to --container');
    return [];
  }
  if (!isInContainer())
    throw new Error(
      '--container is for a container, and this is none: without it the gateway listens on this machine alone',
    );
  if (vault !== 'memory' && passphrase === null)
    throw new Error(
      'a container has no keychain: hand in a passphrase for its secrets with TANDEM_PASSPHRASE_FILE',
    );
  return allowHost ?? [];
}

/** null: connections of all users are accepted, because the settings say so or the system does not tell their users. */
function peerCheck(
  settings: Pick<Settings, 'peerCheck' | 'allowUser'>,
  logger: Logger,
): LocalPeerCheck | null {
  const allowed = (settings.allowUser ?? []).map((user) => {
    const uid = userIdOf(user);
    if (uid === null) throw new Error(`--allow-user: this system has no user '${user}'`);
    return uid;
  });
  const ownUid = process.getuid?.();
  if (settings.peerCheck === 'off' || ownUid === undefined) return null;
  const table = openPeerTable();
  if (table === null) return null;
  return createPeerCheck({
    table,
    ownUid,
    allowedUids: new Set(allowed),
    logger,
    now: () => performance.now(),
  });
}
