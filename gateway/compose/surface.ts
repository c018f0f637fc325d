/**
 * The gateway's interfaces for programs and pages: HTTP, WebSocket and the authorization server, on the port that
 * front-door.ts opened.
 */

import { AnonymousTurns } from '../call/anonymous-turns.ts';
import type { Settings } from '../config.ts';
import { putBrackets } from '../contract/brackets.ts';
import type { MandateHolder } from '../domain/mandate.ts';
import type { Principal } from '../domain/model.ts';
import { agentName } from '../domain/oauth.ts';
import { keptAnswer, keyOwner } from '../engine/core/idempotency.ts';
import { agentLimit } from '../engine/core/mandate-answers.ts';
import { holderKey } from '../engine/core/mandate-usage.ts';
import { protectionIf } from '../engine/execution/protection-after.ts';
import type { FrontDoor } from '../front-door.ts';
import { createHttpApp } from '../http/app.ts';
import { authenticateProof } from '../http/key-proof.ts';
import { createRefusedAttempts } from '../http/refused-attempts.ts';
import { bracketChangeOf } from '../http/resting-input.ts';
import { oauthProtocolRoutes } from '../http/routes/oauth-protocol.ts';
import { createMcpEndpoint } from '../mcp/endpoint.ts';
import type { OwnPart } from '../mcp/parts.ts';
import { createOAuth } from '../oauth/oauth.ts';
import { createRealtime } from '../realtime/realtime.ts';
import { createMetrics } from '../system/metrics.ts';
import { VERSION } from '../version.ts';
import { askedOfPreview } from './asked-of-preview.ts';
import type { Core } from './core.ts';
import type { GatewayHost } from './gateway.ts';
import { pauseProblemOf } from './pause-of-change.ts';
import { registerGauges } from './readiness.ts';
import type { RestingParts } from './resting.ts';
import { createRoutes } from './routes.ts';
import type { OnStop } from './stop-limits.ts';
import { DAY_SECONDS, grantLifeSeconds, type Trading } from './trading.ts';

/** Builds these interfaces; no request is answered before `serve`. */
export function createSurface(
  settings: Settings,
  parts: {
    readonly door: FrontDoor;
    readonly core: Core;
    readonly trading: Trading;
    readonly resting: RestingParts;
    readonly host: Pick<GatewayHost, 'nonce' | 'consentAsked'>;
  },
  onStop: OnStop,
): { readonly pageOrigin: string; serve(): void } {
  const { door, core, trading, resting } = parts;
  const { server, port, authorities, guard } = door;
  const { store, market, clock, ids, logger } = core;
  const { engine, auth, grants, mandates, warden } = trading;
  const { uiHost } = settings;
  const pageOrigin = `http://${uiHost}:${port}`;
  const metrics = createMetrics();
  const oauth = createOAuth({
    store: store.oauth,
    clock,
    ids,
    grants,
    tokens: auth.tokens,
    audit: auth.audit,
    mandates,
    logger,
    settings: {
      issuer: `http://127.0.0.1:${port}`,
      consentOrigin: pageOrigin,
      ownHosts: authorities,
      accessTokenSeconds: settings.oauthAccessSeconds,
      refreshWindowSeconds: settings.oauthRefreshDays * DAY_SECONDS,
      grantLifeSeconds: grantLifeSeconds(settings),
    },
  });
  const refused = createRefusedAttempts({ store, clock, logger });
  onStop('refused attempts', () => refused.close());
  const routes = createRoutes(
    {
      ...{ ...parts.host, core, trading, resting, oauth, metrics, port, uiHost, refused },
      pageOrigin: () => pageOrigin,
    },
    onStop,
  );
  const anonymous = new AnonymousTurns();
  const realtime = createRealtime({
    authenticate: (credential) => auth.live.authenticate(credential),
    isAlive: (principal) => auth.live.isAlive(principal),
    authenticator: auth.authenticator,
    accounts: auth.accounts,
    moneyOf(id) {
      const account = auth.accounts.get(id);
      return account === undefined ? { mode: 'PAPER', network: null } : auth.accounts.moneyOf(account);
    },
    market,
    store,
    guard,
    anonymous,
    clock,
    logger,
  });
  onStop('realtime', () => realtime.close());
  onStop(
    'events',
    store.onCommitted((events) => realtime.publish(events)),
  );
  registerGauges(metrics, engine, realtime);
  const accountOf = (principal: Principal, id: string) => auth.accounts.find(principal, id);
  const listener = createHttpApp({
    routes,
    isStopping: () => !engine.isAccepting,
    agents(dispatch) {
      const endpoint = createMcpEndpoint({
        dispatch,
        challenge: (host, isRefused) => oauth.mcpResource(host)?.challenge(isRefused) ?? oauth.challenge,
        describe: callerNames(trading),
        isAlive: (principal) => auth.live.isAlive(principal),
        reaches: (principal, id) => accountOf(principal, id) !== undefined,
        onCommitted: (hear) => store.onCommitted(hear),
        judgeAsk: (principal, ask, request) => {
          const bound = warden.ofPrincipal(principal);
          const account = accountOf(principal, ask.accountId);
          if (bound === null || account === undefined) return null;
          const deps = { ...trading, ...core, market };
          return warden.judge(bound, askedOfPreview(deps, bound, account, ask, request));
        },
        protectionIf(accountId, positionId, body) {
          const held = trading.state.positions.get(positionId);
          const asked = putBrackets.body.safeParse(body);
          // Placing it reports the other problems.
          if (held?.tradeAccountId !== accountId || !asked.success) return { protection: [], problem: null };
          return protectionIf({ market, ...trading }, held.connector, held, bracketChangeOf(asked.data));
        },
        pauseProblem: pauseProblemOf({ ...trading, ...core, market }, accountOf),
        previewRefused(principal, { accountId, route, body, broken }) {
          const bound = warden.ofPrincipal(principal);
          // One that only came too soon is no refusal.
          if (bound === null || broken.every(({ limit }) => limit === 'rate')) return;
          warden.wasRefused(bound);
          const { message } = agentLimit(broken).error;
          const named = { route, tradeAccountId: accountId, message, limits: broken };
          void refused.note(bound, { ...named, body, says: null, preview: true });
        },
        ownParts: (principal) => ownParts(warden, principal),
        waitingApprovals: (principal) => {
          const own = holderOf(principal);
          return own === null ? [] : trading.approvals.waiting(own).map(({ id }) => id);
        },
        suspend(principal, reason) {
          const holder = holderOf(principal);
          if (holder === null) return false;
          mandates.suspend(holder, `It paused itself: “${reason}”`);
          return true;
        },
        kept: (principal, route, key) => keptAnswer(store, keyOwner(principal), route, key),
        clock,
        ids,
        logger,
        version: VERSION,
      });
      onStop('mcp', async () => endpoint.close());
      return endpoint;
    },
    protocolRoutes: oauthProtocolRoutes(oauth),
    bearerChallenge: () => oauth.challenge,
    authenticateProof: (headers, request) => authenticateProof(auth, headers, request),
    authenticator: auth.authenticator,
    accounts: auth.accounts,
    guard,
    clock,
    ids,
    logger,
    metrics,
    anonymous,
  });
  return { pageOrigin, serve: () => server.serve(listener, realtime.handleUpgrade) };
}

/** Names of a caller and its user, for the caller itself. */
function callerNames({ auth, grants }: Pick<Trading, 'auth' | 'grants'>) {
  return (principal: Principal) => {
    const user = auth.users.byId(principal.userId);
    const grant = principal.kind === 'oauth_grant' ? grants.get(principal.grantId) : undefined;
    const label = principal.kind === 'api_key' ? auth.apiKeys.labelOf(principal.keyId) : undefined;
    return {
      agent: grant === undefined ? (label ?? 'a program') : agentName(grant),
      user: user?.displayName ?? user?.email ?? user?.walletAddress ?? 'the user',
    };
  };
}

function holderOf(principal: Principal): MandateHolder | null {
  if (principal.kind === 'session') return null;
  return principal.kind === 'oauth_grant'
    ? { kind: principal.kind, id: principal.grantId }
    : { kind: principal.kind, id: principal.keyId };
}

/** Parts of positions that the caller owns; null: none are kept for it (a key without a mandate trades as its user). */
function ownParts(warden: Trading['warden'], principal: Principal): readonly OwnPart[] | null {
  const bound = warden.ofPrincipal(principal);
  if (bound !== null) return warden.holdings.held(warden.keysOf(bound));
  const holder = holderOf(principal);
  return holder?.kind === 'oauth_grant' ? warden.holdings.held([holderKey(holder)]) : null;
}
