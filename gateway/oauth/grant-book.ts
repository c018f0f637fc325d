/**
 * The grants in memory: every request of a grant token asks here, and never the disk. Memory follows the disk: a change
 * shows after the commit that makes it.
 *
 * A grant whose revocation is on its way to the disk, or could not be written, is neither active nor revoked: its tokens
 * are refused as `unavailable`, and the write is tried until it succeeds. A user who has said no is not overruled by a
 * full disk.
 */
import type { GrantRegistry } from '../auth/grant-registry.ts';
import type { AuditEntry } from '../domain/audit.ts';
import { GRANT_TRANSITIONS, grantState, type OAuthGrant } from '../domain/oauth.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import { transition } from '../domain/transition.ts';
import type { Clock, Ids, Logger, OAuthStore, StoreError } from '../engine/ports.ts';
import { agentNotice } from './agent-notice.ts';
import { type GrantLife, withinLife } from './grant-window.ts';

const RETRY_MS = 5_000;

type Revocation = Parameters<OAuthStore['revokeGrant']>[0];

export interface GrantBook extends GrantRegistry {
  get(id: string): OAuthGrant | undefined;
  /** Active ones of the user, newest first. */
  activeOf(userId: string): readonly OAuthGrant[];
  /** After the commit that made or changed it. */
  put(grant: OAuthGrant): void;
  /** False: not active, so there was nothing to revoke. */
  revoke(id: string, audit: AuditEntry): Promise<Result<boolean, StoreError>>;
  /** Tries no longer what could not be written. Before the store closes. */
  close(): void;
}

export async function loadGrants(options: {
  readonly store: OAuthStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  /** Default: no end but that of the window. */
  readonly life?: GrantLife;
}): Promise<GrantBook> {
  const { store, clock, ids, logger, life = { grantLifeSeconds: null } } = options;
  const grants = new Map((await store.grants()).map((grant) => [grant.id, withinLife(grant, life)]));
  /** Revocations not yet on disk, each with what cancels its next try. */
  const unsettled = new Map<string, () => void>();
  let closed = false;

  async function write(revocation: Revocation): Promise<Result<boolean, StoreError>> {
    const { grantId: id, at } = revocation;
    const revoked = await store.revokeGrant(revocation);
    if (!revoked.ok) {
      logger.warn({ grantId: id, reason: revoked.error.message }, 'A revocation waits for the disk');
      if (!closed)
        unsettled.set(
          id,
          clock.after(RETRY_MS, () => tryAgain(revocation)),
        );
      return revoked;
    }
    const grant = grants.get(id);
    if (revoked.value && grant !== undefined) {
      grants.set(id, { ...grant, status: 'REVOKED', revokedAt: at });
    }
    unsettled.delete(id);
    return revoked;
  }

  function tryAgain(revocation: Revocation): void {
    write(revocation).catch((error: unknown) => {
      logger.error({ err: error, grantId: revocation.grantId }, 'A revocation could not be written');
    });
  }

  return {
    status(id) {
      if (unsettled.has(id)) return 'unavailable';
      const grant = grants.get(id);
      return grant !== undefined && grantState(grant, clock.now()) === 'ACTIVE' ? 'active' : 'revoked';
    },
    get: (id) => grants.get(id),
    activeOf: (userId) =>
      [...grants.values()]
        .filter((grant) => grant.userId === userId && grantState(grant, clock.now()) === 'ACTIVE')
        .sort((a, b) => b.connectedAt - a.connectedAt || (a.id < b.id ? 1 : -1)),
    put(grant) {
      grants.set(grant.id, grant);
    },
    async revoke(id, audit) {
      const grant = grants.get(id);
      const at = clock.now();
      if (grant === undefined || !transition(GRANT_TRANSITIONS, grantState(grant, at), 'revoke').ok) {
        return ok(false);
      }
      if (unsettled.has(id))
        return fail({ kind: 'unavailable', message: 'The revocation waits for the disk' });
      unsettled.set(id, () => {});
      return write({ grantId: id, at, audit, notification: agentNotice(ids, 'AGENT_REVOKED', grant, at) });
    },
    close() {
      closed = true;
      for (const cancel of unsettled.values()) cancel();
    },
  };
}
