/** Operations of the consent page on an interaction: read, bind to a signed-in user, allow, refuse. */
import type { AuditTrail, Origin } from '../auth/audit.ts';
import { randomSecret, sha256Hex } from '../auth/secret-text.ts';
import {
  INTERACTION_TRANSITIONS,
  type InteractionEvent,
  interactionState,
  type OAuthClient,
  type OAuthCode,
  type OAuthGrant,
  type OAuthInteraction,
} from '../domain/oauth.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import { transition } from '../domain/transition.ts';
import type { OAuthStore } from '../engine/ports/oauth.ts';
import type { Clock, Ids } from '../engine/ports/system.ts';
import type { StoreError } from '../engine/ports/unit-of-work.ts';
import type { Grants } from './grants.ts';
import { callbackUri } from './redirect-uri.ts';

const MAX_GRANTS = 10;
const CODE_MS = 60 * 1_000;

export type InteractionError =
  | { readonly kind: 'not_found' }
  /** No user has signed in to the interaction yet. */
  | { readonly kind: 'not_awaiting_consent' }
  /** Another account is bound to the interaction. */
  | { readonly kind: 'other_account' }
  | { readonly kind: 'too_many_grants' }
  | { readonly kind: 'store'; readonly error: StoreError };

export interface OpenInteraction {
  readonly interaction: OAuthInteraction;
  readonly client: OAuthClient;
}

export interface Interactions {
  /** Reads an interaction for any caller; the route decides by `interaction.userId` who may see it. */
  read(uid: string): Promise<Result<OpenInteraction, InteractionError>>;
  /** Binds the interaction to a user who has just signed in. @returns the address of the consent page */
  bind(uid: string, userId: string): Promise<Result<string, InteractionError>>;
  /** @returns the client's redirect URI with `code` and `state` */
  confirm(
    uid: string,
    userId: string,
    scopes: readonly string[],
    origin: Origin,
  ): Promise<Result<string, InteractionError>>;
  /** @returns the client's redirect URI with `error=access_denied` and `state` */
  abort(uid: string, userId: string, origin: Origin): Promise<Result<string, InteractionError>>;
}

const NOT_FOUND = { kind: 'not_found' } as const;

export function createInteractions(options: {
  readonly store: OAuthStore;
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Ids;
  readonly grants: Grants;
  readonly audit: AuditTrail;
  readonly consentOrigin: string;
}): Interactions {
  const { store, clock, ids, grants, audit, consentOrigin } = options;

  async function read(uid: string): Promise<Result<OpenInteraction, InteractionError>> {
    const interaction = await store.interaction(uid);
    if (interaction === null || interactionState(interaction, clock.now()) === 'ENDED')
      return fail(NOT_FOUND);
    const client = await store.client(interaction.clientId);
    return client === null ? fail(NOT_FOUND) : ok({ interaction, client });
  }

  /** The stored interaction, if its state and its account allow `event`. */
  async function admit(
    uid: string,
    userId: string,
    event: InteractionEvent,
  ): Promise<Result<OpenInteraction, InteractionError>> {
    const open = await read(uid);
    if (!open.ok) return open;
    const { interaction } = open.value;
    if (!transition(INTERACTION_TRANSITIONS, interaction.prompt, event).ok) {
      return fail({ kind: 'not_awaiting_consent' });
    }
    if (interaction.userId !== null && interaction.userId !== userId) return fail({ kind: 'other_account' });
    return open;
  }

  return {
    read,

    async bind(uid, userId) {
      const open = await admit(uid, userId, 'login');
      if (!open.ok) return open;
      const page = `${consentOrigin}/consent/${uid}`;
      if (open.value.interaction.prompt === 'CONSENT') return ok(page);
      const bound = await store.bindInteraction(uid, userId);
      if (!bound.ok) return fail({ kind: 'store', error: bound.error });
      if (bound.value) return ok(page);
      // Another sign-in came first: the interaction is bound to that account, or has ended.
      const again = await admit(uid, userId, 'login');
      return again.ok ? ok(page) : again;
    },

    async confirm(uid, userId, scopes, origin) {
      const open = await admit(uid, userId, 'confirm');
      if (!open.ok) return open;
      const { interaction, client } = open.value;
      const secret = randomSecret();
      const now = clock.now();
      const grant: OAuthGrant = {
        id: ids.next(),
        userId,
        clientId: client.id,
        clientName: client.name,
        scopes: interaction.scopes.filter((scope) => scopes.includes(scope)),
        status: 'PENDING',
        connectedAt: now,
        expiresAt: now + CODE_MS,
        revokedAt: null,
        leftWaiting: null,
      };
      const code: OAuthCode = {
        codeHash: sha256Hex(secret),
        grantId: grant.id,
        clientId: client.id,
        redirectUri: interaction.redirectUri,
        codeChallenge: interaction.codeChallenge,
        expiresAt: grant.expiresAt,
        redeemedAt: null,
      };
      const approved = await store.approveInteraction({
        uid,
        grant,
        code,
        maxGrants: MAX_GRANTS,
        audit: audit.entry(userId, 'agent.approved', grant.id, origin),
      });
      if (!approved.ok) return fail({ kind: 'store', error: approved.error });
      switch (approved.value) {
        case 'approved':
          grants.put(grant);
          return ok(callbackUri(interaction.redirectUri, { code: secret, state: interaction.state }));
        case 'ended':
          return fail(NOT_FOUND);
        case 'too_many_grants':
          return fail({ kind: 'too_many_grants' });
      }
    },

    async abort(uid, userId, origin) {
      const open = await admit(uid, userId, 'abort');
      if (!open.ok) return open;
      const { interaction, client } = open.value;
      const ended = await store.abortInteraction(uid, audit.entry(userId, 'agent.denied', client.id, origin));
      if (!ended.ok) return fail({ kind: 'store', error: ended.error });
      if (!ended.value) return fail(NOT_FOUND);
      const denial = {
        error: 'access_denied',
        error_description: 'The user denied the request',
        state: interaction.state,
      };
      return ok(callbackUri(interaction.redirectUri, denial));
    },
  };
}
