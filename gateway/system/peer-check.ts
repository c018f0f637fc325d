/** Users of this machine who may connect: the user who runs the gateway, those named in the settings, and root. */
import type { Logger } from '../engine/ports/system.ts';
import type { LoopbackConnection, PeerTable } from './peer-table.ts';

/** The `PeerCheck` of http/peer-gate.ts. */
export interface LocalPeerCheck {
  admit(connection: LoopbackConnection): Promise<'own' | 'admitted' | 'unknown' | null>;
  /** From this call on, looking up a peer no longer blocks the event loop. */
  readAside(): void;
  close(): void;
}

const TELL_EVERY_MS = 60_000;

export function createPeerCheck(deps: {
  readonly table: PeerTable;
  readonly ownUid: number;
  readonly allowedUids: ReadonlySet<number>;
  readonly logger: Logger;
  /** Monotonic, milliseconds. */
  readonly now: () => number;
}): LocalPeerCheck {
  const { table, ownUid, allowedUids, logger, now } = deps;
  let toldAt = Number.NEGATIVE_INFINITY;
  let refused = 0;
  let saidUntold = false;

  /** Logs a refusal, at most once a minute, so that a flood of connections does not flood the log. */
  function tell(uid: number | null): void {
    refused += 1;
    if (now() - toldAt < TELL_EVERY_MS) return;
    toldAt = now();
    logger.warn({ uid, refused }, 'Connections of other users of this machine were refused');
    refused = 0;
  }

  return {
    async admit(connection) {
      const owner = await table.ownerOf(connection);
      if (owner.kind === 'untold') {
        if (!saidUntold) {
          saidUntold = true;
          logger.warn({}, 'The system does not tell whose a connection is; other users are not kept out');
        }
        return 'unknown';
      }
      if (owner.kind === 'user') {
        if (owner.uid === ownUid) return 'own';
        if (owner.uid === 0 || allowedUids.has(owner.uid)) return 'admitted';
      }
      tell(owner.kind === 'user' ? owner.uid : null);
      return null;
    },
    readAside: () => table.readAside(),
    close: () => table.close(),
  };
}
