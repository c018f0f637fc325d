/** Operations of the consent page on an interaction: read, bind to a signed-in user, allow with its limits, refuse. */
import type { AuditTrail, Origin } from '../auth/audit.ts';
import { createKeyedLock } from '../auth/keyed-lock.ts';
import { mandateOf, mandateRecord } from '../auth/mandate-records.ts';
import type { Mandates } from '../auth/mandates.ts';
import { randomSecret, sha256Hex } from '../auth/secret-text.ts';
import type { MandateBody } from '../contract/mandate.ts';
import { proposedMandate } from '../contract/mandate-presets.ts';
import type { AuditAction } from '../domain/audit.ts';
import type { Mandate } from '../domain/mandate.ts';
import { widerFields } from '../domain/mandate-terms.ts';
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
import type { OAuthStore, Revocation } from '../engine/ports/oauth.ts';
import type { Clock, Ids } from '../engine/ports/system.ts';
import type { StoreError } from '../engine/ports/unit-of-work.ts';
import { agentNotice } from './agent-notice.ts';
import type { Grants } from './grants.ts';
import { nameComparison } from './lineage.ts';
import { keptProposal } from './proposal.ts';
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
  /** The grant to replace is not a connected one of the user. */
  | { readonly kind: 'not_replaced' }
  /** The mandate allows more than the client proposed, in these fields. */
  | { readonly kind: 'beyond_proposal'; readonly fields: readonly string[] }
  | { readonly kind: 'store'; readonly error: StoreError };

export interface OpenInteraction {
  readonly interaction: OAuthInteraction;
  readonly client: OAuthClient;
}

/** User's decision to allow. */
export interface Consent {
  readonly scopes: readonly string[];
  /** null: no limits. */
  readonly mandate: MandateBody | null;
  /** The mandate is the client's proposal, or less. */
  readonly asProposed: boolean;
  /** A connected grant that ends with this decision; null: none. */
  readonly replaces: string | null;
  readonly continueBudget: boolean;
}

export interface Interactions {
  /** Reads an interaction for any caller; the route decides by `interaction.userId` who may see it. */
  read(uid: string): Promise<Result<OpenInteraction, InteractionError>>;
  /** Binds the interaction to a user who has just signed in. @returns the address of the consent page */
  bind(uid: string, userId: string): Promise<Result<string, InteractionError>>;
  /** The interaction that this user may decide about. */
  awaiting(uid: string, userId: string): Promise<Result<OpenInteraction, InteractionError>>;
  /** True: the user may have no more agents. */
  isFull(userId: string): boolean;
  /** @returns the client's redirect URI with `code` and `state` */
  confirm(
    uid: string,
    session: { readonly userId: string; readonly sessionId: string },
    consent: Consent,
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
  readonly mandates: Pick<Mandates, 'adopt'>;
  readonly consentOrigin: string;
}): Interactions {
  const { store, clock, ids, grants, audit, mandates, consentOrigin } = options;

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

  /** null: nothing is replaced. */
  function revocationOf(
    replaces: string | null,
    userId: string,
    origin: Origin,
  ): Result<Revocation | null, InteractionError> {
    if (replaces === null) return ok(null);
    const grant = grants.activeOf(userId).find(({ id }) => id === replaces);
    if (grant === undefined) return fail({ kind: 'not_replaced' });
    const at = clock.now();
    return ok({
      grantId: grant.id,
      at,
      leftWaiting: 'CANCEL',
      audit: audit.entry(userId, 'agent.revoked', grant.id, origin),
      notification: agentNotice(ids, 'AGENT_REVOKED', grant, at),
    });
  }

  async function decide(
    uid: string,
    { userId, sessionId }: { readonly userId: string; readonly sessionId: string },
    consent: Consent,
    origin: Origin,
  ): Promise<Result<string, InteractionError>> {
    // Looked up beforehand: nothing waits between the check of the request and its answer.
    const isSameName = await nameComparison();
    const open = await admit(uid, userId, 'confirm');
    if (!open.ok) return open;
    const { interaction, client } = open.value;
    const beyond = beyondProposal(interaction, consent, clock.now());
    if (beyond.length > 0) return fail({ kind: 'beyond_proposal', fields: beyond });
    const replaces = revocationOf(consent.replaces, userId, origin);
    if (!replaces.ok) return replaces;
    const secret = randomSecret();
    const now = clock.now();
    const named = { userId, clientId: client.id, clientName: client.name };
    const grant: OAuthGrant = {
      id: ids.next(),
      ...named,
      scopes: interaction.scopes.filter((scope) => consent.scopes.includes(scope)),
      status: 'PENDING',
      connectedAt: now,
      expiresAt: now + CODE_MS,
      revokedAt: null,
      leftWaiting: null,
      continues: consent.continueBudget ? grants.continuedBy(named, isSameName) : [],
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
    const holder = { kind: 'oauth_grant', id: grant.id } as const;
    const making = { userId, by: sessionId, at: now };
    const mandate =
      consent.mandate === null ? null : mandateRecord(holder, mandateOf(consent.mandate), 1, making);
    const noted = (action: AuditAction) => audit.entry(userId, action, grant.id, origin);
    const approved = await store.approveInteraction({
      uid,
      grant,
      code,
      maxGrants: MAX_GRANTS,
      audit:
        mandate === null ? [noted('agent.approved')] : [noted('agent.approved'), noted('mandate.changed')],
      mandate,
      replaces: replaces.value,
    });
    if (!approved.ok) return fail({ kind: 'store', error: approved.error });
    switch (approved.value) {
      case 'approved':
        // The mandate first, so that the grant never exists without it.
        if (mandate !== null) mandates.adopt(mandate);
        grants.put(grant);
        if (replaces.value !== null) await grants.replaced(replaces.value);
        return ok(callbackUri(interaction.redirectUri, { code: secret, state: interaction.state }));
      case 'ended':
        return fail(NOT_FOUND);
      case 'not_replaced':
      case 'too_many_grants':
        return fail({ kind: approved.value });
    }
  }

  /** One decision of a user at a time: each continues the grants of the decisions before it. */
  const lock = createKeyedLock();

  return {
    read,
    awaiting: (uid, userId) => admit(uid, userId, 'confirm'),
    isFull: (userId) => grants.heldBy(userId) >= MAX_GRANTS,

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

    confirm: (uid, session, consent, origin) =>
      lock.run(session.userId, () => decide(uid, session, consent, origin)),

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

/**
 * Fields in which a mandate marked as the client's proposal allows more than the proposal. Accounts and end are the
 * user's choice: no client knows the former, and the page fills in whatever the client left open.
 */
export function beyondProposal(
  { proposal }: Pick<OAuthInteraction, 'proposal'>,
  { mandate, asProposed }: Pick<Consent, 'mandate' | 'asProposed'>,
  now: number,
): readonly (keyof Mandate)[] {
  if (!asProposed || mandate === null) return [];
  const asked = keptProposal(proposal);
  if (asked === null) return Object.keys(mandate) as (keyof Mandate)[];
  const { validUntil } = asked;
  const most = { ...proposedMandate(asked, [], now), accounts: mandate.accounts };
  return widerFields(
    mandateOf({ ...most, validUntil: validUntil === undefined ? mandate.validUntil : validUntil }),
    mandateOf(mandate),
  );
}
