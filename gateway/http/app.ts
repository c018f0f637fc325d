/** The HTTP application: Koa with the checks of a request in their order. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import Koa, { type Context, type Middleware } from 'koa';
import type { AgentEndpoint } from '../call/agent-endpoint.ts';
import { AnonymousTurns } from '../call/anonymous-turns.ts';
import type { AccountDirectory, Authenticator } from '../call/authenticator.ts';
import type { Dispatch } from '../call/dispatch.ts';
import { FrameworkError } from '../call/errors.ts';
import type { Guard } from '../call/guard.ts';
import { originForm, pathOf } from '../call/request-target.ts';
import type { Clock, Ids, Logger } from '../engine/ports/system.ts';
import { mountAgentEndpoint } from './agent-mount.ts';
import { createDispatch } from './dispatch.ts';
import { readJsonBody } from './middleware/body.ts';
import { createAuthenticate, requireCredential, requirePermission } from './middleware/credentials.ts';
import { answerErrors } from './middleware/errors.ts';
import { callHandler, present } from './middleware/handler-call.ts';
import { requireTradeAccount } from './middleware/trade-account.ts';
import { validateInput } from './middleware/validation.ts';
import { createRefusalLog } from './refusal-log.ts';
import { createRoutes, type RouterDeps } from './router.ts';

export interface HttpAppDeps extends Omit<RouterDeps, 'mounts'> {
  readonly authenticator: Authenticator;
  /** Authentication by a DPoP proof. Default: no session is bound to a key. */
  readonly authenticateProof?: Parameters<typeof createAuthenticate>[1];
  readonly accounts: AccountDirectory;
  readonly guard: Guard;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  /** Default: it never is. */
  readonly isStopping?: () => boolean;
  /** Turns shared with the WebSocket. Default: turns of the HTTP app alone. */
  readonly anonymous?: AnonymousTurns;
  /** Value of `WWW-Authenticate` on a 401. Default `Bearer`. */
  readonly bearerChallenge?: () => string;
  /** The endpoint of agents; `dispatch` calls a route as HTTP would. Default: none. */
  readonly agents?: (dispatch: Dispatch) => AgentEndpoint;
}

export type RequestListener = (req: IncomingMessage, res: ServerResponse) => void;

/** Checks run in the order of this function: a request with two faults is answered for the first. */
export function createHttpApp(deps: HttpAppDeps): RequestListener {
  const { guard, authenticator, logger, anonymous = new AnonymousTurns() } = deps;
  const noteRefusal = createRefusalLog(deps);
  const authenticate = createAuthenticate(
    authenticator,
    deps.authenticateProof ?? (async (headers) => authenticator.authenticate(headers)),
  );
  const app = new Koa();
  app.use(answerErrors({ ...deps, noteRefusal }));
  app.use(checkHostAndOrigin(guard));
  const checks = [requirePermission, requireTradeAccount(deps.accounts), validateInput] as const;
  const call = callHandler(anonymous);
  const endpoint = deps.agents?.(createDispatch(deps.routes, checks, call, deps.metrics));
  const mounts = endpoint === undefined ? [] : [mountAgentEndpoint(endpoint, { authenticator, anonymous })];
  app.use(
    createRoutes({ ...deps, noteRefusal, mounts }, [
      readJsonBody({ anonymous, authenticator, authenticate }),
      requireCredential({ authenticate, guard, challenge: deps.bearerChallenge ?? (() => 'Bearer') }),
      ...checks,
      call,
      present,
    ]),
  );
  app.use(refuseUnknownPath);

  app.on('error', (error: Error & { readonly headerSent?: boolean }) => {
    // An error on a connection that its client has cut is no fault of the gateway.
    const level = error.headerSent === true ? 'debug' : 'error';
    logger[level]({ err: error }, 'A request failed outside its route');
  });
  const handle = app.callback();
  return (req, res) => {
    anonymous.run(
      req.socket,
      () => void handle(req, res),
      () => authenticator.knows?.(req.headers) === true,
    );
  };
}

/** Checks Host and Origin, and puts the request target into origin form for the checks behind. */
function checkHostAndOrigin(guard: Guard): Middleware {
  return (ctx, next) => {
    const { req } = ctx;
    const refusal = guard.check(req);
    const url = originForm(req.url ?? '/');
    req.url = url;
    if (refusal !== null) throw refusal;
    return url.startsWith('/') ? next() : refuseUnknownPath(ctx);
  };
}

function refuseUnknownPath({ method, url }: Pick<Context, 'method' | 'url'>): never {
  throw new FrameworkError(404, `Cannot ${method} ${pathOf(url)}`);
}
