/**
 * The composition root: the only file that knows every part. It starts them in the order in which they need each other
 * and stops them in the reverse order, so that what was acknowledged is on disk before anything is torn down.
 */
import { createHmac, hash } from 'node:crypto';
import { type Auth, createAuth } from './auth/auth.ts';
import { readinessChecks, registerGauges } from './compose/readiness.ts';
import { createRestingServices } from './compose/resting.ts';
import { keepPruning, openAccountsWhenUp } from './compose/standing-work.ts';
import {
  ANSWER_GRACE_MS,
  DRAIN_LIMIT_MS,
  ENGINE_LIMIT_MS,
  STEP_LIMIT_MS,
  STOP_LIMIT_MS,
  STORE_LIMIT_MS,
} from './compose/stop-limits.ts';
import { workInHand } from './compose/work-in-hand.ts';
import { databaseFile, type Settings, setupCodeFile } from './config.ts';
import { basketKeyText } from './contract/basket-key.ts';
import { OAUTH_PROTOCOL } from './contract/oauth-protocol.ts';
import { provenText } from './contract/shell-identity.ts';
import type { WorkInHand } from './contract/shell-link.ts';
import { agentName } from './domain/oauth.ts';
import { FillReviews } from './engine/account/fill-reviews.ts';
import { Integrations } from './engine/account/integrations.ts';
import { BasketRegistry } from './engine/core/basket-registry.ts';
import { Book } from './engine/core/book.ts';
import { Brakes } from './engine/core/brakes.ts';
import { FollowUps } from './engine/core/follow-ups.ts';
import { OrderCancels } from './engine/core/order-cancels.ts';
import { Engine } from './engine/engine.ts';
import { keyedAnswer } from './engine/execution/keyed-answer.ts';
import { ClockWatch } from './engine/notices/clock-watch.ts';
import { rememberDailyCloses } from './engine/portfolio/daily-closes.ts';
import { EquitySampler } from './engine/portfolio/equity-sampler.ts';
import type { Store } from './engine/ports/store.ts';
import type { Clock, Logger } from './engine/ports/system.ts';
import { SavedBaskets } from './engine/positions/saved-baskets.ts';
import { openFolder, unreadablePaper } from './folder/data-folder.ts';
import { type FrontDoor, openFrontDoor } from './front-door.ts';
import { AnonymousTurns } from './http/anonymous-turns.ts';
import { createHttpApp } from './http/app.ts';
import { consentDesk } from './http/consent-desk.ts';
import type { Authenticator, BoundRoute } from './http/handler.ts';
import { authenticateProof } from './http/key-proof.ts';
import { withKeyedAnswers } from './http/keyed-answers.ts';
import { createOpenApi } from './http/openapi.ts';
import { authorityNames } from './http/present/authority.ts';
import { apiKeyRoutes } from './http/routes/api-keys.ts';
import { auditLogRoutes } from './http/routes/audit-log.ts';
import { authRoutes } from './http/routes/auth.ts';
import { basketRoutes } from './http/routes/baskets.ts';
import { candleRoutes } from './http/routes/candles.ts';
import { consentPageRoutes } from './http/routes/consent-page.ts';
import { dashboardRoutes } from './http/routes/dashboard.ts';
import { exchangeSetupRoutes } from './http/routes/exchange-setup.ts';
import { feeRoutes } from './http/routes/fee.ts';
import { grantRoutes } from './http/routes/grants.ts';
import { historyRoutes } from './http/routes/history.ts';
import { integrationRoutes } from './http/routes/integrations.ts';
import { interactionRoutes } from './http/routes/interaction.ts';
import { marketRoutes } from './http/routes/market.ts';
import { oauthProtocolRoutes } from './http/routes/oauth-protocol.ts';
import { portfolioRoutes } from './http/routes/portfolio.ts';
import { positionPresenter, positionRoutes } from './http/routes/positions.ts';
import { restingRoutes } from './http/routes/resting.ts';
import { savedBasketRoutes } from './http/routes/saved-baskets.ts';
import { syncRoutes } from './http/routes/sync.ts';
import { systemRoutes } from './http/routes/system.ts';
import { tradeAccountRoutes } from './http/routes/trade-accounts.ts';
import { tradingRoutes } from './http/routes/trading.ts';
import { createBasketListing } from './market/basket-listing.ts';
import { createCandleHistory } from './market/candle-history.ts';
import { startCandleRecorder } from './market/candle-recorder.ts';
import { createMarket } from './market/market.ts';
import { createRatioHistory } from './market/ratio-history.ts';
import { loadGrants } from './oauth/grant-book.ts';
import { createOAuth } from './oauth/oauth.ts';
import { embeddedConnectors, paperVenues } from './paper-venues.ts';
import { createRealtime } from './realtime/realtime.ts';
import { openStore } from './store/open-store.ts';
import { type StopStep, stopWithin } from './system/bounded-stop.ts';
import { createIds } from './system/ids.ts';
import { closeToOthers, prepareLocalSocket } from './system/local-socket.ts';
import { createMetrics } from './system/metrics.ts';
import { openVault } from './vault/open-vault.ts';
import { PaperFilesError } from './venues/paper/disk/paper-files-error.ts';
import type { PaperVenue } from './venues/paper/paper-venue.ts';
import { createVenues } from './venues/registry.ts';
import { VERSION } from './version.ts';

/** What tests and benchmarks put in the place of the real parts. */
const DAY_SECONDS = 24 * 3_600;

export interface GatewayOverrides {
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly openStore?: typeof openStore;
  /** Benchmarks: stands between the HTTP checks and the real one. */
  readonly authenticator?: (real: Authenticator) => Authenticator;
}

/** The program around the gateway. */
export interface GatewayHost {
  /** Opened before this module was loaded; without it the gateway opens its own. */
  readonly door?: FrontDoor;
  /** Key of the proof that `GET /health` gives to a challenge: whoever has it knows that this gateway answers. */
  readonly nonce?: string;
  /**
   * The desktop app: told when a browser comes to the consent page of an open request, which it then shows itself. Its
   * pages may open the WebSocket.
   */
  readonly consentAsked?: (uid: string) => void;
}

export interface Gateway {
  readonly url: string;
  readonly port: number;
  /** Its Unix socket; null where it has none. */
  readonly socketPath: string | null;
  /** `PAPER` while no live venue is connected. */
  readonly mode: string;
  /** Nobody has registered yet. */
  readonly firstRun: boolean;
  /** What the first user needs; null: there is one, or everybody may register. */
  readonly setupCode: string | null;
  /** Signs a browser in, once and within a minute (auth/sign-in-links.ts); without a user it only shows the dashboard. */
  signInLink(): string;
  /** What is under way or waits. */
  work(): Promise<WorkInHand>;
  /** The machine was asleep: looks at once at what is otherwise looked at every minute. */
  woke(): void;
  /** Drains, then closes. */
  close(): Promise<void>;
  /** Tests: the simulator behind a paper connector. */
  paperVenue(connector: string): PaperVenue;
}

export async function createGateway(
  settings: Settings,
  overrides: GatewayOverrides = {},
  host: GatewayHost = {},
): Promise<Gateway> {
  const undo: StopStep[] = [];
  const door =
    host.door ?? (await openFrontDoor(settings, { ...overrides, shell: host.consentAsked !== undefined }));
  const stop = async () => {
    await stopWithin(undo.splice(0).reverse(), STOP_LIMIT_MS, door);
  };
  const onStop: OnStop = (name, run, limitMs = STEP_LIMIT_MS) => undo.push({ name, run, limitMs });
  try {
    return await start(settings, overrides, { ...host, door }, onStop, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Steps run in the reverse order of their announcement. */
type OnStop = (name: string, run: () => unknown, limitMs?: number) => void;

async function start(
  settings: Settings,
  overrides: GatewayOverrides,
  host: GatewayHost & { readonly door: FrontDoor },
  onStop: OnStop,
  stop: () => Promise<void>,
): Promise<Gateway> {
  const { server, port, authorities, guard, clock, logger } = host.door;
  onStop('server', () => server.close(ANSWER_GRACE_MS));
  const ids = createIds(clock);
  const [vault, folder] = await Promise.all([
    openVault({ ...settings, kind: settings.vault, logger }),
    openFolder(settings.dataDir, embeddedConnectors(settings), () =>
      openStoreOf(settings, overrides, clock, logger),
    ).then((opened) => {
      onStop('store', () => opened.close(), STORE_LIMIT_MS);
      return opened;
    }),
  ]);
  const { store } = folder;
  const socketPath = await listenLocally(settings.dataDir, server, logger);

  const paper = await paperVenues(settings, store, clock, logger);
  const venues = createVenues(paper.venues);
  await Promise.all(
    paper.venues.map(async (venue) => {
      await venue.start().catch((error: unknown) => {
        throw error instanceof PaperFilesError ? unreadablePaper(error.message) : error;
      });
      onStop(`venue ${venue.info.id}`, () => venue.stop());
    }),
  );
  folder.started();
  const clockWatch = new ClockWatch(clock, logger);
  const market = createMarket({ venues, clock, logger, lookAtClock: () => clockWatch.look() });
  clockWatch.onJump(() => market.distrust());
  market.start();
  onStop('market', () => market.close());
  const recorder = await startCandleRecorder({ market, venues, store, clock, logger });
  onStop('candles', () => recorder.close());
  const candles = createCandleHistory({ store, recorder, venues, clock });

  const book = new Book();
  const brakes = new Brakes({ store, clock });
  await brakes.load();
  // The contract's `deriveBasketKey` with Node's own hash, which is several times as fast.
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
    lots: book.unassigned,
  });
  await reviews.load();
  const grantLifeSeconds = settings.oauthGrantDays === null ? null : settings.oauthGrantDays * DAY_SECONDS;
  const grants = await loadGrants({ store: store.oauth, clock, ids, logger, life: { grantLifeSeconds } });
  onStop('grants', () => grants.close());
  const engine: Engine = new Engine(
    {
      store,
      venues,
      market,
      clock,
      ids,
      logger,
      book,
      baskets,
      basketKey,
      followUps: new FollowUps(),
      brakes,
      cancels: new OrderCancels(),
      reviews,
      authorities: grants,
      // An agent may name itself.
      isActiveClient: (principal, clientId) =>
        (principal.kind === 'oauth_grant' && principal.clientId === clientId) ||
        integrations.isActive(principal.userId, clientId),
    },
    { accountOf: (id) => auth.accounts.get(id), holdRunner: settings.heldRunner },
  );
  const auth: Auth = await createAuth({
    grants,
    store,
    vault,
    clock,
    ids,
    logger,
    venues,
    connectorStatus: (connector) => market.statusOf(connector),
    accountProblem: (accountId) => reviews.problemOf(accountId),
    holdAccount: (accountId) => book.hold(accountId),
    forgetHoldings: async (accountId) => {
      await engine.forgetUnassigned(accountId);
      sampler.soon(accountId);
    },
    settings: {
      registration: settings.registration,
      setupCodeFile: setupCodeFile(settings.dataDir),
      issuer: `http://127.0.0.1:${settings.port}`,
      audience: 'tandem-gateway',
      hosts: () => authorities,
      allowFileVault: settings.allowFileVault || settings.passphrase !== null,
    },
  });
  onStop('auth', () => auth.close());
  onStop('setup code', () => auth.setup.close());
  await auth.accounts.openAll();
  for (const venue of paper.venues)
    onStop(`accounts of ${venue.info.id}`, openAccountsWhenUp(venue, auth, logger));
  const resting = createRestingServices(
    engine,
    brakes,
    candles,
    {
      all: () => auth.accounts.all(),
      of: (userId) => auth.accounts.all().filter((account) => account.userId === userId),
    },
    { statuses: market, clockWatch },
    grants,
  );
  await engine.load();
  await resting.load();
  const recovered = await engine.start(auth.accounts.all());
  if (Object.values(recovered).some((count) => count > 0))
    logger.info(recovered, 'Executions of the last run are accounted for');
  resting.start();
  const lookAround = () => {
    engine.catchUp();
    resting.woke();
  };
  clockWatch.onJump(lookAround);
  clockWatch.start();
  onStop('clock watch', () => clockWatch.stop());
  const sampler = new EquitySampler({
    store,
    venues,
    market,
    clock,
    logger,
    accounts: () => auth.accounts.all(),
  });
  sampler.start();
  onStop('equity samples', () => sampler.stop());
  onStop('pruning', keepPruning(store, clock, logger));

  const { services } = resting;
  const names = authorityNames({
    keyLabel: (id) => auth.apiKeys.labelOf(id),
    agentName: (id) => {
      const grant = grants.get(id);
      return grant === undefined ? undefined : agentName(grant);
    },
  });
  const positions = positionPresenter({ market, book, venues, resting: services, names });
  const trading = { engine, store, book, positions, resting: services, names };
  const savedBaskets = new SavedBaskets({ store, market, clock, ids, basketKey, registry: baskets });
  const listing = createBasketListing({
    market,
    materialized: (connector) => baskets.of(connector),
    basketKey,
  });
  onStop('listing', () => listing.close());
  const metrics = createMetrics();
  const pageOrigin = () => `http://${settings.uiHost}:${port}`;
  const oauth = createOAuth({
    store: store.oauth,
    clock,
    ids,
    grants,
    tokens: auth.tokens,
    audit: auth.audit,
    logger,
    settings: {
      issuer: `http://127.0.0.1:${port}`,
      consentOrigin: pageOrigin(),
      ownHosts: authorities,
      accessTokenSeconds: settings.oauthAccessSeconds,
      refreshWindowSeconds: settings.oauthRefreshDays * DAY_SECONDS,
      grantLifeSeconds,
    },
  });
  const routes: readonly BoundRoute[] = [
    // In the order in which the documentation lists them.
    ...tradingRoutes(trading),
    ...positionRoutes(trading),
    ...restingRoutes({ resting: services, store, positions, clock, names, audit: auth.audit }),
    ...historyRoutes(store, market),
    ...portfolioRoutes({
      store,
      venues,
      market,
      clock,
      dailyCloses: rememberDailyCloses(candles, clock),
    }),
    ...marketRoutes(market),
    ...candleRoutes({ candles, ratioHistory: createRatioHistory(candles), market, clock }),
    ...basketRoutes({ market, listing, store }),
    ...feeRoutes(market, venues),
    ...savedBasketRoutes(savedBaskets),
    ...integrationRoutes(integrations),
    ...authRoutes(auth, pageOrigin),
    ...apiKeyRoutes(auth, clock),
    ...tradeAccountRoutes(auth),
    ...syncRoutes({ engine, market, positions, accounts: auth.accounts, reviews }),
    ...exchangeSetupRoutes(),
    ...interactionRoutes(auth, oauth.interactions, oauth.challenge),
    ...consentPageRoutes({
      pageOrigin,
      desk: consentDesk(host, (uid) => oauth.interactions.read(uid)),
    }),
    ...dashboardRoutes(auth, pageOrigin),
    ...grantRoutes(grants, auth.audit, resting.leftWaiting),
    ...auditLogRoutes(store),
    ...systemRoutes({
      version: VERSION,
      checks: () => readinessChecks({ store, vault, market, engine, clockWatch, reviews }),
      openApi: createOpenApi(() => routes.map(({ contract }) => contract), OAUTH_PROTOCOL),
      renderMetrics: () => metrics.render(),
      pageOrigin,
      docsOrigin: () => `http://${settings.uiHost === '127.0.0.1' ? 'localhost' : '127.0.0.1'}:${port}`,
      prove: proofOf(host.nonce, port),
    }),
  ].map((bound) => withKeyedAnswers(bound, (request, work) => keyedAnswer(engine.accept, request, work)));
  const anonymous = new AnonymousTurns();
  const realtime = createRealtime({
    authenticate: (credential) => auth.live.authenticate(credential),
    isAlive: (principal) => auth.live.isAlive(principal),
    authenticator: auth.authenticator,
    accounts: auth.accounts,
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
  // The first step of stopping: bots still hear how their running executions end.
  onStop(
    'engine',
    () => {
      resting.stop();
      return engine.stop(DRAIN_LIMIT_MS);
    },
    ENGINE_LIMIT_MS,
  );
  registerGauges(metrics, engine, realtime);
  server.serve(
    createHttpApp({
      routes,
      protocolRoutes: oauthProtocolRoutes(oauth),
      bearerChallenge: () => oauth.challenge,
      authenticateProof: (headers, request) => authenticateProof(auth, headers, request),
      authenticator: overrides.authenticator?.(auth.authenticator) ?? auth.authenticator,
      accounts: auth.accounts,
      guard,
      clock,
      ids,
      logger,
      metrics,
      anonymous,
    }),
    realtime.handleUpgrade,
  );
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    socketPath,
    mode: 'PAPER',
    firstRun: auth.users.count() === 0,
    get setupCode() {
      return auth.setup.code;
    },
    signInLink() {
      const ticket = auth.links.issue();
      if (ticket !== null) return `${pageOrigin()}/app/link#${ticket}`;
      // After the `#`, which no browser sends.
      const { code } = auth.setup;
      return code === null ? `${pageOrigin()}/` : `${pageOrigin()}/#setup=${code}`;
    },
    work: () => workInHand(store, engine, auth.accounts.all()),
    woke() {
      // Where the clock that is never set counts sleep too, nothing but the system tells of it.
      if (clockWatch.look() !== null) return;
      market.distrust();
      lookAround();
    },
    close: stop,
    paperVenue(connector) {
      const venue = paper.embedded.find((candidate) => candidate.info.id === connector);
      if (venue === undefined) throw new Error(`no paper venue ${connector}`);
      return venue;
    },
  };
}

/** Beside the port, which goes on without it: some file systems have no sockets. */
async function listenLocally(
  dataDir: string,
  server: FrontDoor['server'],
  logger: Logger,
): Promise<string | null> {
  const path = prepareLocalSocket(dataDir, process.env);
  if (path === null) return null;
  try {
    await server.listenLocal(path);
    closeToOthers(path);
    return path;
  } catch (error) {
    logger.info({ err: error }, 'No Unix socket in the data folder');
    return null;
  }
}

function openStoreOf(
  settings: Pick<Settings, 'dataDir'>,
  overrides: GatewayOverrides,
  clock: Clock,
  logger: Logger,
): Promise<Store> {
  const open = overrides.openStore ?? openStore;
  return open({ file: databaseFile(settings.dataDir), clock, logger });
}

/** HMAC-SHA256 of the challenge and the port; what it is for is in contract/shell-identity.ts. */
function proofOf(nonce: string | undefined, port: number): ((challenge: string) => string) | null {
  if (nonce === undefined) return null;
  return (challenge) => createHmac('sha256', nonce).update(provenText(challenge, port)).digest('hex');
}
