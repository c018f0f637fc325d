/** What the checks of a request leave for those behind them, in `ctx.state`. */
import type { RouterMiddleware } from '@koa/router';
import type { RouteContract } from '../contract/route.ts';
import type { Principal, TradeAccount } from '../domain/model.ts';
import type { CompiledRoute, Input } from './compiled-route.ts';
import type { Authentication, Reply } from './handler.ts';
import type { RouteSeries } from './request-metrics.ts';

export interface RequestState {
  /** Which the request is counted in. */
  series: RouteSeries;
}

export interface RouteState extends RequestState {
  readonly route: CompiledRoute;
  body: unknown;
  /** There before its turn where a long body waits for it. */
  authentication: Authentication | null;
  principal: Principal | null;
  account: TradeAccount | null;
  input: Input;
  reply: Reply<RouteContract>;
}

/** One check of a route: throws a refusal, or goes on. */
export type Check = RouterMiddleware<RouteState>;
