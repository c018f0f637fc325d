/** Results that the checks of a request leave in `ctx.state` for later checks. */
import type { Middleware } from 'koa';
import type { Authentication } from '../call/authenticator.ts';
import type { Reply } from '../call/call.ts';
import type { RouteContract } from '../contract/route.ts';
import type { Principal, TradeAccount } from '../domain/model.ts';
import type { CompiledRoute, Input } from './compiled-route.ts';
import type { RouteSeries } from './request-metrics.ts';

export interface RequestState {
  /** Metric series in which the request is counted. */
  series: RouteSeries;
}

export interface RouteState extends RequestState {
  readonly route: CompiledRoute;
  body: unknown;
  /** Refusal of a caller whose long body was not kept; null: the credential check decides. */
  authentication: Authentication | null;
  principal: Principal | null;
  account: TradeAccount | null;
  input: Input;
  readonly worstPrices?: ReadonlyMap<string, string> | undefined;
  reply: Reply<RouteContract>;
}

/** One check of a route: throws a refusal, or calls the next check. `params`: of the path, absent where it has none. */
export type Check = Middleware<RouteState, { readonly params?: unknown }>;
