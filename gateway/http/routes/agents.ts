/** `/agents`: connected agents and API keys, their mandates, and their suspension. */
import type { Auth } from '../../auth/auth.ts';
import { mandateOf } from '../../auth/mandate-records.ts';
import type { ChangeError, Mandates, OwnedHolder } from '../../auth/mandates.ts';
import { type BoundRoute, bind } from '../../call/call.ts';
import { BusinessError } from '../../call/errors.ts';
import {
  type AgentBody,
  changeHouseLimits,
  changeMandate,
  listAgents,
  listRefused,
  pauseAllAgents,
  readHouseLimits,
  readOwnMandate,
  resumeAgent,
  suspendAgent,
} from '../../contract/agents.ts';
import type { AuditAction } from '../../domain/audit.ts';
import { placedBy } from '../../domain/authority.ts';
import { isHouseWider, widerFields } from '../../domain/mandate-terms.ts';
import type { ApiKey } from '../../domain/model.ts';
import { agentName, type OAuthGrant } from '../../domain/oauth.ts';
import type { Clock } from '../../engine/ports/system.ts';
import type { Grants } from '../../oauth/grants.ts';
import {
  presentHouse,
  presentHouseLimits,
  presentMandate,
  presentSuspension,
  stateOf,
  type UsageOf,
} from '../present/agent.ts';
import { iso } from '../present/time.ts';
import type { RefusedAttempts } from '../refused-attempts.ts';
import { checkedMandate, requirePerson } from './mandate-input.ts';
import { originOf } from './origin.ts';
import { notFound, notSaved } from './refusals.ts';
import { sessionOf } from './session-principal.ts';

const WRITE = 'mcp:write';
const BY_USER = 'Paused by you';
const ALL_PAUSED = 'All agents were paused by you';

export interface AgentRouteParts {
  readonly auth: Pick<Auth, 'accounts' | 'apiKeys' | 'audit' | 'signIn' | 'users' | 'sessions'>;
  readonly grants: Grants;
  readonly mandates: Mandates;
  readonly clock: Pick<Clock, 'now'>;
  readonly usageOf: UsageOf;
  readonly refused: Pick<RefusedAttempts, 'of'>;
}

type Holder = OwnedHolder & { readonly present: () => AgentBody };
type Asked = Parameters<typeof originOf>[0];

export function agentRoutes(parts: AgentRouteParts): readonly BoundRoute[] {
  const { auth, grants, mandates, clock, usageOf, refused } = parts;

  function common(id: string, kind: OwnedHolder['kind'], mayWrite: boolean) {
    const mandate = mandates.kept(id);
    const suspended = mandates.suspensionOf(id);
    return {
      id,
      kind,
      state: stateOf(mayWrite, mandate, suspended, clock.now()),
      suspended: presentSuspension(suspended),
      mandate: presentMandate(mandate),
      usage: mandate === null ? null : usageOf({ kind, id }),
    };
  }

  const ofGrant = (grant: OAuthGrant): Holder => ({
    kind: 'oauth_grant',
    id: grant.id,
    userId: grant.userId,
    present: () => {
      const seen = grants.lastSeen(grant.id);
      return {
        ...common(grant.id, 'oauth_grant', grant.scopes.includes(WRITE)),
        name: agentName(grant),
        scopes: [...grant.scopes],
        connectedAt: iso(grant.connectedAt),
        lastSeenAt: seen === null ? null : iso(seen),
        continues: [...grant.continues],
      };
    },
  });

  const ofKey = (key: ApiKey): Holder => ({
    kind: 'api_key',
    id: key.id,
    userId: key.userId,
    present: () => ({
      ...common(key.id, 'api_key', key.scope === 'read_write'),
      name: key.label,
      scopes: [key.scope],
      connectedAt: iso(key.createdAt),
      lastSeenAt: key.lastUsedAt === null ? null : iso(key.lastUsedAt),
      continues: [],
    }),
  });

  /** Grants, and keys that a mandate binds or that are suspended; newest first. */
  function holdersOf(userId: string): readonly Holder[] {
    const keys = auth.apiKeys
      .list(userId)
      .filter(({ id }) => auth.apiKeys.alive(id) !== undefined)
      .map(ofKey);
    const all = [...grants.activeOf(userId).map(ofGrant), ...keys];
    return all.sort((a, b) => (a.id < b.id ? 1 : -1));
  }

  function holder(userId: string, sent: string): Holder {
    const id = sent.toLowerCase();
    const found = holdersOf(userId).find((one) => one.id === id);
    if (found === undefined) throw notFound('Agent');
    return found;
  }

  /** Called once a request is parsed, and again after every wait: it may have ended meanwhile. */
  function noting(action: AuditAction, subjectId: string, call: Asked) {
    return auth.audit.entry(call.principal.userId, action, subjectId, originOf(call));
  }

  async function suspend(held: readonly Holder[], reason: string, call: Asked): Promise<void> {
    const done = await mandates.suspendAll(held, reason, ({ id }) => noting('agent.suspended', id, call));
    if (!done.ok) throw notSaved(done.error);
  }

  function refusal(error: ChangeError): Error {
    return error.kind === 'store'
      ? notSaved(error.error)
      : new BusinessError('RESOURCE_BUSY', 'It was changed meanwhile: read it again', {
          reason: 'OTHER_VERSION',
        });
  }

  return [
    bind(listAgents, ({ principal }) => {
      const { userId } = sessionOf(principal);
      return {
        body: {
          agents: holdersOf(userId).map(({ present }) => present()),
          house: presentHouse(mandates.keptHouse(userId)),
        },
      };
    }),

    bind(changeMandate, async (call) => {
      const { userId, sessionId } = sessionOf(call.principal);
      const held = holder(userId, call.params.id);
      const { mandate, ifVersion, password } = call.body;
      const kept = mandates.kept(held.id);
      if ((kept?.version ?? 0) !== ifVersion) throw refusal({ kind: 'other_version' });
      const sent = checkedMandate(auth, call.principal, mandate, clock.now(), kept?.terms.validUntil ?? null);
      const terms = mandateOf(sent);
      if (kept !== null && widerFields(kept.terms, terms).length > 0)
        await requirePerson(auth, call, password, clock.now());
      const changed = await mandates.change(
        held,
        terms,
        ifVersion,
        { userId, by: sessionId, at: clock.now() },
        { audit: [noting('mandate.changed', held.id, call)] },
      );
      if (!changed.ok) throw refusal(changed.error);
      return { body: held.present() };
    }),

    bind(suspendAgent, async (call) => {
      const held = holder(sessionOf(call.principal).userId, call.params.id);
      await suspend([held], call.body?.reason ?? BY_USER, call);
      return { body: held.present() };
    }),

    bind(resumeAgent, async (call) => {
      const held = holder(sessionOf(call.principal).userId, call.params.id);
      const resumed = await mandates.resume(held, noting('agent.resumed', held.id, call));
      if (!resumed.ok) throw notSaved(resumed.error);
      if (!resumed.value) throw new BusinessError('NOOP_ERROR', 'It is not suspended');
      return { body: held.present() };
    }),

    bind(listRefused, async ({ principal, params }) => {
      const { userId } = sessionOf(principal);
      const attempts = await refused.of(userId, holder(userId, params.id).id);
      return {
        body: {
          refused: attempts.map(({ holderId, at, lastAt, ...attempt }) => ({
            ...attempt,
            at: iso(at),
            lastAt: iso(lastAt),
          })),
        },
      };
    }),

    bind(pauseAllAgents, async (call) => {
      const held = holdersOf(sessionOf(call.principal).userId).filter(
        ({ id, kind }) =>
          mandates.suspensionOf(id) === null && (kind === 'oauth_grant' || mandates.kept(id) !== null),
      );
      await suspend(held, ALL_PAUSED, call);
      return { body: { suspended: held.map(({ id }) => id) } };
    }),

    bind(readHouseLimits, ({ principal }) => ({
      body: presentHouse(mandates.keptHouse(sessionOf(principal).userId)),
    })),

    bind(changeHouseLimits, async (call) => {
      const { userId, sessionId } = sessionOf(call.principal);
      const { limits, ifVersion, password } = call.body;
      const kept = mandates.keptHouse(userId);
      if ((kept?.version ?? 0) !== ifVersion) throw refusal({ kind: 'other_version' });
      if (isHouseWider(kept?.terms ?? null, limits)) await requirePerson(auth, call, password, clock.now());
      const making = { userId, by: sessionId, at: clock.now() };
      const noted = { audit: [noting('house_limits.changed', userId, call)] };
      const changed = await mandates.changeHouse(limits, ifVersion, making, noted);
      if (!changed.ok) throw refusal(changed.error);
      return { body: presentHouse(changed.value) };
    }),

    bind(readOwnMandate, ({ principal }) => {
      const { authorityKind, authorityId } = placedBy(principal);
      const house = mandates.house(principal.userId);
      const kept = authorityKind === 'session' || authorityId === null ? null : mandates.kept(authorityId);
      const suspended = authorityId === null ? null : mandates.suspensionOf(authorityId);
      return {
        body: {
          mandate: presentMandate(kept),
          suspended: presentSuspension(suspended),
          usage: kept === null ? null : usageOf({ kind: kept.holderKind, id: kept.holderId }),
          house: house === null ? null : presentHouseLimits(house),
        },
      };
    }),
  ];
}
