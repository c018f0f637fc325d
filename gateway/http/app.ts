/** The HTTP side of the gateway as one request listener. Koa is the frame; the checks of a route are in exchange.ts. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import Koa from 'koa';
import compose from 'koa-compose';
import type { Clock, Ids, Logger } from '../engine/ports/system.ts';
import { AnonymousTurns } from './anonymous-turns.ts';
import { sendError } from './answer.ts';
import { AnswerTurn } from './answer-turn.ts';
import { compileRoute } from './compiled-route.ts';
import { Exchange, type ExchangeDeps } from './exchange.ts';
import type { Guard } from './guard.ts';
import { type AccountDirectory, type Authenticator, type BoundRoute, FrameworkError } from './handler.ts';
import { createErrorPresenter } from './middleware/errors.ts';
import { type ProtocolRoute, protocolHandler } from './protocol.ts';
import { createRefusalLog } from './refusal-log.ts';
import type { RequestMetrics } from './request-metrics.ts';
import { originForm, pathOf } from './request-target.ts';
import { createRouteTable, NO_PARAMS } from './router.ts';

export interface HttpAppDeps {
  readonly routes: readonly BoundRoute[];
  /** OAuth and the like; see protocol.ts. */
  readonly protocolRoutes?: readonly ProtocolRoute[];
  readonly authenticator: Authenticator;
  /** Default: no session is bound to a key. */
  readonly authenticateProof?: ExchangeDeps['authenticateProof'];
  readonly accounts: AccountDirectory;
  readonly guard: Guard;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly metrics: RequestMetrics;
  /** Shared with the WebSocket. Default: its own. */
  readonly anonymous?: AnonymousTurns;
  /** Value of `WWW-Authenticate` on a 401. Default `Bearer`. */
  readonly bearerChallenge?: () => string;
}

export type RequestListener = (req: IncomingMessage, res: ServerResponse) => void;

/** Every answer is written straight to node's response, so Koa's promise carries nothing: one serves all requests. */
const HANDLED: Promise<void> = Promise.resolve();

export function createHttpApp(deps: HttpAppDeps): RequestListener {
  const { guard, metrics, authenticator, anonymous = new AnonymousTurns() } = deps;
  const noteRefusal = createRefusalLog(deps);
  const presentError = createErrorPresenter({ ...deps, noteRefusal });
  const exchangeDeps: ExchangeDeps = {
    turn: new AnswerTurn(),
    anonymous,
    authenticator,
    authenticateProof: deps.authenticateProof ?? (async (headers) => authenticator.authenticate(headers)),
    accounts: deps.accounts,
    guard,
    challenge: deps.bearerChallenge ?? (() => 'Bearer'),
    presentError,
    now: () => metrics.now(),
  };
  const unmatched = metrics.route('unmatched');

  function refuse(ctx: Koa.Context, error: FrameworkError): void {
    const path = pathOf(originForm(ctx.req.url ?? '/'));
    const answer = presentError(error, { method: ctx.req.method ?? '', path });
    ctx.respond = false;
    sendError(ctx.res, answer);
    unmatched.record(answer.status, 0);
  }

  const table = createRouteTable(
    deps.routes.map((bound) => compileRoute(bound, metrics)),
    (ctx, route, params) => {
      ctx.respond = false;
      new Exchange(exchangeDeps, ctx.req, ctx.res, route, params, originForm(ctx.req.url ?? '/')).start();
    },
  );
  for (const route of deps.protocolRoutes ?? []) {
    const { method, path } = route.contract;
    table.general.register(
      path,
      method === 'GET' ? ['GET', 'HEAD'] : [method],
      protocolHandler(route, presentError, metrics, noteRefusal),
    );
  }

  const app = new Koa();
  app.use((ctx, next) => {
    const refusal = guard.check(ctx.req);
    if (refusal !== null) {
      refuse(ctx, refusal);
      return HANDLED;
    }
    const target = originForm(ctx.req.url ?? '/');
    const route = table.findStatic(ctx.req.method ?? '', pathOf(target));
    if (route === undefined) return next();
    ctx.respond = false;
    new Exchange(exchangeDeps, ctx.req, ctx.res, route, NO_PARAMS, target).start();
    return HANDLED;
  });
  app.use(table.general.routes());
  app.use((ctx) => {
    const path = pathOf(originForm(ctx.req.url ?? '/'));
    refuse(ctx, new FrameworkError(404, `Cannot ${ctx.req.method} ${path}`));
    return HANDLED;
  });
  // As `app.callback()`, less what watches every response for Koa's own answering: the routes answer, and fail, themselves.
  const run = compose(app.middleware);
  function handle(req: IncomingMessage, res: ServerResponse): void {
    const ctx = app.createContext(req, res);
    run(ctx).catch((error: unknown) => {
      deps.logger.error({ err: error }, 'A request failed outside its route');
      res.destroy();
    });
  }

  return (req, res) => {
    anonymous.run(
      req.socket,
      () => handle(req, res),
      () => authenticator.knows?.(req.headers) === true,
    );
  };
}
