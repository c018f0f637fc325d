/** Every route of the gateway, bound to the service that answers it. */
import { createHmac } from 'node:crypto';
import type { BoundRoute } from '../call/call.ts';
import type { Settings } from '../config.ts';
import { OAUTH_PROTOCOL } from '../contract/oauth-protocol.ts';
import { provenText } from '../contract/shell-identity.ts';
import { placedBy } from '../domain/authority.ts';
import type { MandateHolder } from '../domain/mandate.ts';
import type { Principal } from '../domain/model.ts';
import { moneyAmong } from '../domain/money.ts';
import { agentName } from '../domain/oauth.ts';
import { knownLeverage } from '../engine/execution/ask-venue.ts';
import { keyedAnswer } from '../engine/execution/keyed-answer.ts';
import { protectionWhenFilled } from '../engine/execution/protection-when-filled.ts';
import { rememberDailyCloses } from '../engine/portfolio/daily-closes.ts';
import { createAccountExposure } from '../engine/positions/account-exposure.ts';
import { SavedBaskets } from '../engine/positions/saved-baskets.ts';
import { approvedRun } from '../http/approved-run.ts';
import { consentDesk } from '../http/consent-desk.ts';
import { withKeptReason } from '../http/keep-reasons.ts';
import { withKeyedAnswers } from '../http/keyed-answers.ts';
import { withMandate } from '../http/mandate-gate.ts';
import { createOpenApi } from '../http/openapi.ts';
import type { UsageOf } from '../http/present/agent.ts';
import { authorityNames } from '../http/present/authority.ts';
import type { RefusedAttempts } from '../http/refused-attempts.ts';
import { accountLimitRoutes } from '../http/routes/account-limits.ts';
import { agentRoutes } from '../http/routes/agents.ts';
import { apiKeyRoutes } from '../http/routes/api-keys.ts';
import { approvalRoutes } from '../http/routes/approvals.ts';
import { auditLogRoutes } from '../http/routes/audit-log.ts';
import { authRoutes } from '../http/routes/auth.ts';
import { basketAnalyticsRoutes } from '../http/routes/basket-analytics.ts';
import { basketFundingRoutes } from '../http/routes/basket-funding.ts';
import { basketRoutes } from '../http/routes/baskets.ts';
import { candleRoutes } from '../http/routes/candles.ts';
import { consentPageRoutes } from '../http/routes/consent-page.ts';
import { dashboardRoutes } from '../http/routes/dashboard.ts';
import { exchangeSetupRoutes } from '../http/routes/exchange-setup.ts';
import { feeRoutes } from '../http/routes/fee.ts';
import { grantRoutes } from '../http/routes/grants.ts';
import { historyRoutes } from '../http/routes/history.ts';
import { integrationRoutes } from '../http/routes/integrations.ts';
import { interactionRoutes } from '../http/routes/interaction.ts';
import { interactionTermRoutes } from '../http/routes/interaction-terms.ts';
import { marketRoutes } from '../http/routes/market.ts';
import { notificationChannelRoutes } from '../http/routes/notification-channels.ts';
import { orderBookRoutes } from '../http/routes/order-books.ts';
import { paperFaultRoutes } from '../http/routes/paper-faults.ts';
import { portfolioRoutes } from '../http/routes/portfolio.ts';
import { positionPlanRoutes } from '../http/routes/position-plans.ts';
import { positionPresenter, positionRoutes } from '../http/routes/positions.ts';
import { restingRoutes } from '../http/routes/resting.ts';
import { savedBasketRoutes } from '../http/routes/saved-baskets.ts';
import { screenerRoutes } from '../http/routes/screener.ts';
import { syncRoutes } from '../http/routes/sync.ts';
import { systemRoutes } from '../http/routes/system.ts';
import { tradeAccountRoutes } from '../http/routes/trade-accounts.ts';
import { tradingRoutes } from '../http/routes/trading.ts';
import { venueCheckRoutes } from '../http/routes/venue-checks.ts';
import { walletApprovalRoutes } from '../http/routes/wallet-approvals.ts';
import { webhookRoutes } from '../http/routes/webhooks.ts';
import { createBasketListing } from '../market/basket-listing.ts';
import { createOrderBooks } from '../market/order-books.ts';
import { createRatioHistory } from '../market/ratio-history.ts';
import { createScreener } from '../market/screener/screener.ts';
import type { OAuth } from '../oauth/oauth.ts';
import type { Metrics } from '../system/metrics.ts';
import { VERSION } from '../version.ts';
import { principalOf } from './approvals.ts';
import type { Core } from './core.ts';
import type { GatewayHost } from './gateway.ts';
import { protectionIfApproved } from './protection-if-approved.ts';
import { readinessChecks } from './readiness.ts';
import type { RestingParts } from './resting.ts';
import type { OnStop } from './stop-limits.ts';
import type { Trading } from './trading.ts';

export interface RouteParts extends Pick<GatewayHost, 'nonce' | 'consentAsked'> {
  readonly core: Core;
  readonly trading: Trading;
  readonly resting: RestingParts;
  readonly oauth: OAuth;
  readonly metrics: Metrics;
  /** Origin of the dashboard's pages. */
  readonly pageOrigin: () => string;
  readonly port: number;
  readonly uiHost: Settings['uiHost'];
  readonly refused: RefusedAttempts;
}

/** All bound routes, in the order in which the documentation lists them. */
export function createRoutes(parts: RouteParts, onStop: OnStop): readonly BoundRoute[] {
  const { core, trading, resting, oauth, pageOrigin, port, uiHost, refused } = parts;
  const { store, venues, market, candles, funding, clock, ids } = core;
  const { engine, auth, grants, approvals, mandates, state, limits, baskets, basketKey, reviews, warden } =
    trading;
  const { services } = resting;
  const names = authorityNames({
    keyLabel: (id) => auth.apiKeys.labelOf(id),
    agentName: (id) => {
      const grant = grants.get(id);
      return grant === undefined ? undefined : agentName(grant);
    },
  });
  const positions = positionPresenter({ market, state, venues, clock, resting: services, names });
  const answering = { engine, store, state, positions, resting: services, names };
  const listing = createBasketListing({
    market,
    materialized: (connector) => baskets.of(connector),
    basketKey,
  });
  onStop('listing', () => listing.close());
  const screener = createScreener({ market, candles, clock, logger: core.logger });
  onStop('screener', () => screener.close());
  const destinations = {
    outgoing: trading.outgoing,
    auth,
    store,
    isBound: (principal: Principal) => warden.ofPrincipal(principal) !== null,
  };
  const routes: readonly BoundRoute[] = [
    ...tradingRoutes(answering),
    ...positionRoutes(answering),
    ...positionPlanRoutes({
      ...{ engine, state, brackets: services.brackets },
      checkConnector: positions.checkConnector,
      accountsOf: (principal) => auth.accounts.list(principal),
      exposure: createAccountExposure({ venues, market, state, clock, candles }),
    }),
    ...restingRoutes({
      ...{ resting: services, store, positions, clock, names, audit: auth.audit },
      protectionWhenFilled: (order) => protectionWhenFilled({ market, state, warden }, order),
      isAgent: (principal) => warden.isAgent(placedBy(principal)),
    }),
    ...historyRoutes(store, market),
    ...portfolioRoutes({
      ...{ store, venues, market, clock, positions },
      dailyCloses: rememberDailyCloses(candles, clock),
    }),
    ...marketRoutes(market, auth.credentialStore),
    ...orderBookRoutes({ market, venues, books: createOrderBooks({ venues, clock }) }),
    ...candleRoutes({ candles, ratioHistory: createRatioHistory(candles), market, clock }),
    ...basketRoutes({ market, listing, store }),
    ...screenerRoutes({ market, screener }),
    ...basketAnalyticsRoutes({ market, candles, clock }),
    ...basketFundingRoutes({ market, funding, clock }),
    ...feeRoutes(market, venues, auth.accounts),
    ...savedBasketRoutes(new SavedBaskets({ store, market, clock, ids, basketKey, registry: baskets })),
    ...integrationRoutes(trading.integrations),
    ...authRoutes(auth, pageOrigin),
    ...apiKeyRoutes(auth, clock, mandates),
    ...tradeAccountRoutes(auth, limits),
    ...paperFaultRoutes({ accounts: auth.accounts, venues, market, ids }),
    ...accountLimitRoutes(auth, limits),
    ...walletApprovalRoutes(auth, venues, limits),
    ...venueCheckRoutes(auth, engine),
    ...syncRoutes({ engine, market, positions, accounts: auth.accounts, reviews }),
    ...exchangeSetupRoutes({ auth, store, limits }),
    ...interactionRoutes(auth, oauth.interactions, oauth.challenge, clock),
    ...interactionTermRoutes(auth, oauth, clock, { venues, limits }),
    ...consentPageRoutes({
      pageOrigin,
      desk: consentDesk(parts, (uid) => oauth.interactions.read(uid)),
    }),
    ...dashboardRoutes(auth, pageOrigin),
    ...grantRoutes(grants, auth.audit, resting.leftWaiting),
    ...approvalRoutes({
      approvals,
      store,
      market,
      leverageOf: (account, instrument) => knownLeverage({ state, venues }, account, instrument),
      auth,
      makeAgain: approvedRun({
        routes: () => routes,
        accounts: auth.accounts,
        principalOf: (holder) => principalOf({ grants, auth }, holder),
      }),
      places: { venues, limits },
      protectionIfApproved: (approval) =>
        protectionIfApproved({ market, state, basketKey, warden }, approval),
    }),
    ...agentRoutes({ auth, grants, mandates, clock, refused, usageOf: (holder) => usageOf(trading, holder) }),
    ...webhookRoutes(destinations),
    ...notificationChannelRoutes(destinations),
    ...auditLogRoutes(store),
    ...systemRoutes({
      version: VERSION,
      uptimeMs: () => Math.round(process.uptime() * 1_000),
      checks: () => readinessChecks({ ...core, engine, reviews }),
      openApi: createOpenApi(() => routes.map(({ contract }) => contract), OAUTH_PROTOCOL, VERSION),
      renderMetrics: () => parts.metrics.render(),
      pageOrigin,
      money: () => moneyAmong(auth.accounts.all().map(auth.accounts.moneyOf)),
      docsOrigin: () => `http://${uiHost === '127.0.0.1' ? 'localhost' : '127.0.0.1'}:${port}`,
      prove: proofOf(parts.nonce, port),
    }),
  ].map((bound) =>
    withKeptReason(
      withMandate(
        withKeyedAnswers(bound, (request, work) => keyedAnswer(engine.accept, request, work)),
        { warden, state, store, rebalances: services.rebalances, refused },
      ),
      { audit: auth.audit, store, logger: core.logger },
    ),
  );
  return routes;
}

/** The proof of the gateway: HMAC-SHA256 of challenge and port (its purpose: contract/shell-identity.ts). */
function proofOf(nonce: string | undefined, port: number): ((challenge: string) => string) | null {
  if (nonce === undefined) return null;
  return (challenge) => createHmac('sha256', nonce).update(provenText(challenge, port)).digest('hex');
}

function usageOf(
  { mandates, warden }: Pick<Trading, 'mandates' | 'warden'>,
  { kind, id }: MandateHolder,
): ReturnType<UsageOf> {
  const bound = mandates.of({ authorityKind: kind, authorityId: id });
  if (bound === null) return null;
  const { own, lastMinute, lastDay } = warden.usageOf(bound);
  const parts = warden.usagePartsOf(bound);
  return { ...own, ...parts, ordersLastMinute: lastMinute, ordersLastDay: lastDay };
}
