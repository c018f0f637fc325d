/**
 * Calls a route from inside the process, for an agent's tool. The checks are those of `http/app.ts`, so that the same
 * requests are refused here as over HTTP.
 */
import compose from 'koa-compose';
import type { BoundRoute } from '../call/call.ts';
import type { Dispatch, DispatchAnswer, Dispatched } from '../call/dispatch.ts';
import { BusinessError, FrameworkError } from '../call/errors.ts';
import { callerShown } from '../engine/core/caller.ts';
import { type CompiledRoute, compileRoute, type Input } from './compiled-route.ts';
import type { RequestMetrics } from './request-metrics.ts';
import type { Check, RouteState } from './request-state.ts';

const NO_INPUT: Input = { params: undefined, query: undefined, body: undefined };

/** @param checks of every route, in order, from the permission on @param call calls the handler */
export function createDispatch(
  routes: readonly BoundRoute[],
  checks: readonly Check[],
  call: Check,
  metrics: RequestMetrics,
): Dispatch {
  const bound = new Map(routes.map((route) => [`${route.contract.method} ${route.contract.path}`, route]));
  const compiled = new Map<string, CompiledRoute>();
  const check = compose([...checks]);
  const pass = compose([...checks, call]);
  const series = metrics.route('agent');

  function routeOf(label: string): CompiledRoute {
    const known = compiled.get(label);
    if (known !== undefined) return known;
    const route = bound.get(label);
    if (route === undefined) throw new Error(`no route ${label}`);
    const made = compileRoute(route);
    compiled.set(label, made);
    return made;
  }

  return async (asked) => {
    const route = routeOf(asked.route);
    const state: RouteState = {
      series,
      route,
      body: asked.body ?? route.absentBody,
      authentication: null,
      principal: asked.shown === undefined ? asked.principal : callerShown(asked.principal, asked.shown),
      account: null,
      input: NO_INPUT,
      reply: {},
      worstPrices: asked.worstPrices,
    };
    try {
      await (asked.onlyChecked === true ? check : pass)(contextOf(asked, state), async () => {});
    } catch (error) {
      return refusalOf(error);
    }
    const { reply } = state;
    return {
      ok: true,
      status: reply.status ?? route.defaultStatus,
      body: reply.json === undefined ? reply.body : JSON.parse(reply.json),
    };
  };
}

/** Request as checks and handler read it. The HTTP request's own headers are not passed on, except `host`. */
function contextOf(asked: Dispatched, state: RouteState): Parameters<Check>[0] {
  const { req, params, query, accountId, idempotencyKey, reason } = asked;
  const headers = {
    ...(req.headers.host === undefined ? {} : { host: req.headers.host }),
    ...(accountId === undefined ? {} : { 'x-trade-account-id': accountId }),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    ...(reason === undefined ? {} : { 'agent-reason': encodeURIComponent(reason) }),
  };
  const given = Object.entries(query ?? {}).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  );
  const context = {
    state,
    headers,
    method: state.route.contract.method,
    path: state.route.contract.path,
    params,
    querystring: new URLSearchParams(given).toString(),
    req: { headers, socket: req.socket },
  };
  return context as unknown as Parameters<Check>[0];
}

function refusalOf(error: unknown): DispatchAnswer {
  if (error instanceof BusinessError) {
    const { status, code, message, details } = error;
    return { ok: false, status, code, message, details };
  }
  if (error instanceof FrameworkError)
    return { ok: false, status: error.status, code: null, message: error.message, details: {} };
  throw error;
}
