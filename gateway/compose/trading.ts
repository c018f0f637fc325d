/** Composition of trading: the engine, users and their accounts, agents' grants. */
import { hash } from 'node:crypto';
import { type Auth, createAuth } from '../auth/auth.ts';
import { loadMandates } from '../auth/mandates.ts';
import { type Settings, setupCodeFile } from '../config.ts';
import { basketKeyText } from '../contract/basket-key.ts';
import { FillReviews } from '../engine/account/fill-reviews.ts';
import { Integrations } from '../engine/account/integrations.ts';
import { OpeningLimits } from '../engine/core/account-limits.ts';
import { BasketRegistry } from '../engine/core/basket-registry.ts';
import { FollowUps } from '../engine/core/follow-ups.ts';
import { LiveState } from '../engine/core/live-state.ts';
import { OrderCancels } from '../engine/core/order-cancels.ts';
import { TradingPause } from '../engine/core/trading-pause.ts';
import { Warden } from '../engine/core/warden.ts';
import { Engine } from '../engine/engine.ts';
import { notice } from '../engine/notices/notify.ts';
import { EquitySampler } from '../engine/portfolio/equity-sampler.ts';
import { loadGrants } from '../oauth/grants.ts';
import { Outgoing } from '../outgoing/outgoing.ts';
import { loopShare } from '../system/loop-share.ts';
import { VERSION } from '../version.ts';
import { createApprovals, withdrawWithWhatItNeeds } from './approvals.ts';
import type { Core } from './core.ts';
import type { GatewayOverrides } from './gateway.ts';
import { mandateNews } from './mandate-news.ts';
import {
  checkRefusedKeys,
  keepCredentialsChecked,
  openAccounts,
  openAccountsWhenUp,
} from './standing-work.ts';
import type { OnStop } from './stop-limits.ts';

export const DAY_SECONDS = 24 * 3_600;

export type Trading = Awaited<ReturnType<typeof createTrading>>;

/** Maximum lifetime of a grant in seconds; null: no grant ends because of its age. */
export function grantLifeSeconds({ oauthGrantDays }: Pick<Settings, 'oauthGrantDays'>): number | null {
  return oauthGrantDays === null ? null : oauthGrantDays * DAY_SECONDS;
}

/** Builds the trading parts. `Engine.load` loads positions later, and `EquitySampler.start` begins sampling equity. */
export async function createTrading(
  settings: Settings,
  core: Core,
  authorities: readonly string[],
  onStop: OnStop,
  overrides: Pick<GatewayOverrides, 'mandates' | 'approvals'> = {},
) {
  const { store, venues, market, clock, ids, logger } = core;
  const state = new LiveState();
  const tradingPause = new TradingPause({ store, clock });
  const limits = new OpeningLimits({ store, clock, market, state });
  await Promise.all([tradingPause.load(), limits.load()]);
  // The contract's `deriveBasketKey` with Node's own hash function, which is several times as fast.
  const basketKey = (longs: readonly string[], shorts: readonly string[]) =>
    hash('sha256', basketKeyText(longs, shorts), 'hex');
  const baskets = new BasketRegistry();
  const integrations = new Integrations({ store, clock, ids });
  await Promise.all([baskets.load(store), integrations.load(store)]);
  const reviews = new FillReviews({
    store,
    clock,
    ids,
    logger,
    accountOf: (id) => auth.accounts.get(id),
    lots: state.unassigned,
  });
  await reviews.load();
  const grants = await loadGrants({
    store: store.oauth,
    clock,
    ids,
    logger,
    life: { grantLifeSeconds: grantLifeSeconds(settings) },
  });
  onStop('grants', () => grants.close());
  const accountsOf = (userId: string) =>
    auth.accounts
      .all()
      .filter((account) => account.userId === userId)
      .map(({ id }) => id);
  const mandates = await loadMandates({
    store,
    clock,
    logger,
    lineageOf: grants.lineageOf,
    accountsOf,
    ...mandateNews({ clock, ids, accountsOf, audit: () => auth.audit, grants, keys: () => auth.apiKeys }),
  });
  onStop('mandates', () => mandates.close());
  const book = overrides.mandates ?? mandates;
  const approvals = createApprovals(core, { state, book }, () => ({ grants, auth, limits }));
  onStop('approvals', () => approvals.stop());
  const warden = new Warden({
    ...{ store, clock, ids, market, state, venues },
    book,
    desk: overrides.approvals ?? approvals,
  });
  const engine: Engine = new Engine(
    {
      store,
      venues,
      market,
      clock,
      ids,
      logger,
      state,
      baskets,
      basketKey,
      followUps: new FollowUps(),
      tradingPause,
      limits,
      warden,
      cancels: new OrderCancels(),
      reviews,
      authorities: grants,
      // An OAuth agent may give its own client id; any other client id must be an active integration of the user.
      isActiveClient: (principal, clientId) =>
        (principal.kind === 'oauth_grant' && principal.clientId === clientId) ||
        integrations.isActive(principal.userId, clientId),
    },
    { accountOf: (id) => auth.accounts.get(id), holdRunner: settings.heldRunner },
  );
  const sampler = new EquitySampler({
    store,
    venues,
    market,
    clock,
    logger,
    accounts: () => auth.accounts.all(),
  });
  const auth: Auth = await createAuth({
    grants,
    store,
    vault: core.vault,
    clock,
    ids,
    logger,
    venues,
    connectorStatus: (connector) => market.statusOf(connector),
    accountProblem: (accountId) => reviews.problemOf(accountId),
    holdAccount: (accountId) => state.claims.hold(accountId),
    onOpened: (account) => engine.follow(account),
    onReplaced: (account) => engine.unfollow(account.id),
    onRemoved: (account) => approvals.accountChanged(account.id),
    notice: (account, text) => notice({ ids, clock }, text, account.userId, [account.id]),
    forgetHoldings: async (accountId, resetAt) => {
      await engine.voidBefore(accountId, resetAt);
      sampler.soon(accountId);
    },
    settings: {
      registration: settings.registration,
      setupCodeFile: setupCodeFile(settings.dataDir),
      version: VERSION,
      issuer: `http://127.0.0.1:${settings.port}`,
      audience: 'tandem-gateway',
      hosts: () => authorities,
      allowFileVault: settings.allowFileVault || settings.passphrase !== null,
    },
  });
  onStop('auth', () => auth.close());
  withdrawWithWhatItNeeds(approvals, { grants, auth, limits, mandates });
  await approvals.load();
  onStop('setup code', () => auth.setup.close());
  await Promise.all([openAccounts(venues, auth, logger), auth.approvals.clean()]);
  for (const venue of venues.all())
    onStop(`accounts of ${venue.info.id}`, openAccountsWhenUp(venue, auth, clock, logger));
  for (const venue of venues.all())
    onStop(`refused keys of ${venue.info.id}`, checkRefusedKeys(venue, auth, clock, logger));
  onStop('checks of credentials', keepCredentialsChecked(auth, clock, logger));
  const outgoing = new Outgoing({
    store,
    vault: core.vault,
    market,
    clock,
    ids,
    logger,
    busyShare: loopShare(),
    accounts: auth.accounts,
  });
  await outgoing.load();
  return {
    engine,
    auth,
    grants,
    approvals,
    mandates,
    state,
    tradingPause,
    limits,
    warden,
    baskets,
    integrations,
    reviews,
    sampler,
    outgoing,
    basketKey,
  };
}
