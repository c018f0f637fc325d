/** What can be worked out about a route before its first request, is, once at start. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';
import { z } from 'zod';
import type { RouteContract } from '../contract/route.ts';
import type { Principal, TradeAccount } from '../domain/model.ts';
import type { BoundRoute, Reply } from './handler.ts';
import { ANONYMOUS_BODY_LIMIT_BYTES, BODY_LIMIT_BYTES } from './middleware/body.ts';
import type { Schemas } from './middleware/validation.ts';
import type { RequestMetrics, RouteSeries } from './request-metrics.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

/** What a handler is called with, before the contract gives it its types. */
export interface UntypedCall {
  readonly principal: Principal | null;
  readonly account: TradeAccount | null;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
  readonly ip: string;
  readonly connection: Duplex;
}

export interface CompiledRoute {
  readonly contract: RouteContract;
  readonly handle: (call: UntypedCall) => Reply<RouteContract> | Promise<Reply<RouteContract>>;
  readonly mutates: boolean;
  /** `body` is there for every mutation: what a route does not describe, it does not accept. */
  readonly schemas: Schemas;
  /** What an absent body counts as. */
  readonly absentBody: unknown;
  /** Longest body that is answered with anything but 413. */
  readonly bodyLimitBytes: number;
  readonly defaultStatus: number;
  /** Flat header lists of answers with JSON and of answers without a body, complete but for content-length. */
  readonly jsonHeaders: readonly string[];
  readonly plainHeaders: readonly string[];
  /** `jsonHeaders` with a content-length at the end, whose value is set for each answer. */
  readonly hotHeaders: string[];
  readonly series: RouteSeries;
}

const NO_FIELDS = z.strictObject({});

/** Optional bodies: `undefined` where the schema takes it, else the empty object with its defaults. */
function absentBody(contract: RouteContract): unknown {
  if (contract.body === undefined) return {};
  if (contract.bodyRequired !== false) return undefined;
  return contract.body.safeParse(undefined).success ? undefined : {};
}

export function compileRoute(bound: BoundRoute, metrics: RequestMetrics): CompiledRoute {
  const { contract } = bound;
  const label = `${contract.method} ${contract.path}`;
  if (contract.auth === 'P' && contract.account === true)
    throw new Error(`${label}: a public route has no trade account`);
  const [defaultStatus] = Object.keys(contract.success).map(Number);
  if (defaultStatus === undefined) throw new Error(`${label}: no success status`);
  const mutates = contract.method !== 'GET';
  const cache = contract.auth === 'P' ? 'no-cache' : 'no-store';
  const jsonHeaders = [
    'content-type',
    'application/json; charset=utf-8',
    'cache-control',
    cache,
    ...SECURITY_HEADERS,
  ];
  return {
    contract,
    handle: bound.handle as CompiledRoute['handle'],
    mutates,
    schemas: {
      params: contract.params,
      query: contract.query,
      body: mutates ? (contract.body ?? NO_FIELDS) : undefined,
    },
    absentBody: absentBody(contract),
    bodyLimitBytes:
      contract.auth === 'P' ? (contract.bodyLimitBytes ?? ANONYMOUS_BODY_LIMIT_BYTES) : BODY_LIMIT_BYTES,
    defaultStatus,
    jsonHeaders,
    plainHeaders: ['cache-control', cache, ...SECURITY_HEADERS],
    hotHeaders: [...jsonHeaders, 'content-length', '0'],
    series: metrics.route(label),
  };
}
