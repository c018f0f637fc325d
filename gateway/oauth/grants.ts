/**
 * OAuth grants in memory: every request with a grant token is checked here, and never on disk. Memory follows the disk:
 * a change shows after the commit that makes it.
 *
 * A grant whose revocation is on its way to the disk, or could not be written, is neither active nor revoked: its tokens
 * are refused as `unavailable`, and the write is tried until it succeeds: a full disk does not give an agent back the
 * access that its user has revoked.
 *
 * Every early end of a grant (by its owner, by `POST /revoke`, by a token that is used twice) goes through `revoke`.
 * The fate of the resting orders that the grant placed is in `engine/resting/left-waiting.ts`.
 */
import type { GrantRegistry } from '../auth/grant-registry.ts';
import type { AuditEntry } from '../domain/audit.ts';
import {
  GRANT_TRANSITIONS,
  grantState,
  isCutOff,
  type LeftWaiting,
  type OAuthGrant,
} from '../domain/oauth.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import { transition } from '../domain/transition.ts';
import type { OAuthStore, Revocation } from '../engine/ports/oauth.ts';
import type { Clock, Ids, Logger } from '../engine/ports/system.ts';
import type { StoreError } from '../engine/ports/unit-of-work.ts';
import { agentNotice } from './agent-notice.ts';
import { type GrantLife, withinLife } from './grant-window.ts';
import { continuedBy, type IsSameName, lineages } from './lineage.ts';

const RETRY_MS = 5_000;

interface Unsettled extends Pick<Revocation, 'leftWaiting'> {
  readonly cancel: () => void;
}

export interface Grants extends GrantRegistry {
  get(id: string): OAuthGrant | undefined;
  /** Active grants of the user, newest first. */
  activeOf(userId: string): readonly OAuthGrant[];
  /** Number of grants that count against the user's maximum: active or with a code still to be redeemed. */
  heldBy(userId: string): number;
  /** Adds or replaces a grant after the commit that made or changed it. */
  put(grant: OAuthGrant): void;
  /** Time of its last request, after a restart of its last refresh; null: not since it was connected. */
  lastSeen(id: string): number | null;
  /** Other grants whose use counts as this one's too. */
  lineageOf(id: string): readonly string[];
  /** Grants that a new one of this client would continue, the newest first. @param isSameName of `nameComparison` */
  continuedBy(
    client: Pick<OAuthGrant, 'userId' | 'clientName' | 'clientId'>,
    isSameName: IsSameName,
  ): readonly string[];
  /** Takes in the end of a grant that was committed with the grant in its place. */
  replaced(revocation: Pick<Revocation, 'grantId' | 'at'>): Promise<void>;
  /**
   * Ends a grant. Resolves after its end is on disk and its resting orders have been dealt with (`onRevoked`). False:
   * the grant was not active, so there was nothing to revoke.
   * @param leftWaiting what happens to the grant's resting orders; default: those that could open a position are
   * cancelled
   */
  revoke(
    id: string,
    audit: AuditEntry,
    leftWaiting?: Exclude<LeftWaiting, 'CANCELLED'>,
  ): Promise<Result<boolean, StoreError>>;
  /** True from the moment of the revocation on: resting orders of the grant must not open positions. */
  isCutOff(id: string): boolean;
  /** `cancel` runs after a revocation with `CANCEL` is on disk; `revoke` waits for it. */
  onRevoked(cancel: (grant: OAuthGrant) => Promise<void>): void;
  /** `listener` runs after every revocation is on disk, whatever becomes of the resting orders; `revoke` waits for it. */
  onEnded(listener: (grant: OAuthGrant) => Promise<void>): void;
  /** Revoked grants whose resting orders are still to be cancelled, because the process died meanwhile. */
  toBeCancelled(): readonly OAuthGrant[];
  /** Records that the grant's resting orders are cancelled. False: the record could not be written. */
  cancelled(id: string): Promise<boolean>;
  /** Stops retrying unwritten revocations. To be called before the store closes. */
  close(): void;
}

export async function loadGrants(options: {
  readonly store: OAuthStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  /** Default: grants end only with their window. */
  readonly life?: GrantLife;
}): Promise<Grants> {
  const { store, clock, ids, logger, life = { grantLifeSeconds: null } } = options;
  const [loaded, refreshes] = await Promise.all([store.grants(), store.refreshTokens()]);
  const grants = new Map(loaded.map((grant) => [grant.id, withinLife(grant, life)]));
  const seenAt = new Map(refreshes.map(({ grantId, issuedAt }) => [grantId, issuedAt]));
  let lineage = lineages(grants.values());
  /** Revocations that are not on disk yet; `cancel` stops the next attempt to write one. */
  const unsettled = new Map<string, Unsettled>();
  let cancelOf: (grant: OAuthGrant) => Promise<void> = async () => {};
  let endedOf: (grant: OAuthGrant) => Promise<void> = async () => {};
  let closed = false;

  async function write(revocation: Revocation): Promise<Result<boolean, StoreError>> {
    const { grantId: id, at, leftWaiting } = revocation;
    const revoked = await store.revokeGrant(revocation);
    if (!revoked.ok) {
      logger.warn({ grantId: id, reason: revoked.error.message }, 'A revocation waits for the disk');
      if (!closed)
        unsettled.set(id, { leftWaiting, cancel: clock.after(RETRY_MS, () => tryAgain(revocation)) });
      return revoked;
    }
    const grant = grants.get(id);
    if (revoked.value && grant !== undefined) await end(grant, at, leftWaiting);
    else unsettled.delete(id);
    return revoked;
  }

  async function end(
    grant: OAuthGrant,
    at: number,
    leftWaiting: Exclude<LeftWaiting, 'CANCELLED'>,
  ): Promise<void> {
    const ended: OAuthGrant = { ...grant, status: 'REVOKED', revokedAt: at, leftWaiting };
    grants.set(grant.id, ended);
    unsettled.delete(grant.id);
    await endedOf(ended);
    if (leftWaiting === 'CANCEL') await cancelOf(ended);
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
    heldBy: (userId) =>
      [...grants.values()].filter(
        (grant) => grant.userId === userId && ['ACTIVE', 'PENDING'].includes(grantState(grant, clock.now())),
      ).length,
    put(grant) {
      const isNew = !grants.has(grant.id);
      grants.set(grant.id, grant);
      if (isNew) lineage = lineages(grants.values());
    },
    seen(id) {
      seenAt.set(id, clock.now());
    },
    lastSeen: (id) => seenAt.get(id) ?? null,
    lineageOf: (id) => lineage.get(id) ?? [],
    continuedBy: (client, isSameName) => continuedBy(client, grants.values(), isSameName),
    async replaced({ grantId, at }) {
      const grant = grants.get(grantId);
      if (grant !== undefined) await end(grant, at, 'CANCEL');
    },
    async revoke(id, audit, leftWaiting = 'CANCEL') {
      const grant = grants.get(id);
      const at = clock.now();
      if (grant === undefined || !transition(GRANT_TRANSITIONS, grantState(grant, at), 'revoke').ok) {
        return ok(false);
      }
      if (unsettled.has(id))
        return fail({ kind: 'unavailable', message: 'The revocation waits for the disk' });
      unsettled.set(id, { leftWaiting, cancel: () => {} });
      return write({
        grantId: id,
        at,
        audit,
        leftWaiting,
        notification: agentNotice(ids, 'AGENT_REVOKED', grant, at),
      });
    },
    isCutOff(id) {
      const leaving = unsettled.get(id);
      if (leaving !== undefined) return leaving.leftWaiting === 'CANCEL';
      const grant = grants.get(id);
      return grant !== undefined && isCutOff(grant);
    },
    onRevoked(cancel) {
      cancelOf = cancel;
    },
    onEnded(listener) {
      endedOf = listener;
    },
    toBeCancelled: () => [...grants.values()].filter(({ leftWaiting }) => leftWaiting === 'CANCEL'),
    async cancelled(id) {
      const done = await store.leftNothingWaiting(id);
      if (!done.ok) return false;
      const grant = grants.get(id);
      if (grant?.leftWaiting === 'CANCEL') grants.set(id, { ...grant, leftWaiting: 'CANCELLED' });
      return true;
    },
    close() {
      closed = true;
      for (const { cancel } of unsettled.values()) cancel();
    },
  };
}
