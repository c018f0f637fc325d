/** What can be worked out about a route before its first request, is, once at start. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';
import { z } from 'zod';
import type { RouteContract } from '../contract/route.ts';
import type { Principal, TradeAccount } from '../domain/model.ts';
import { JSON_HEADERS } from './answer.ts';
import type { BoundRoute, Reply } from './handler.ts';
import type { PeerStanding } from './peer-standing.ts';

export interface Input {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** What a handler is called with, before the contract gives it its types. */
interface UntypedCall extends Input {
  readonly principal: Principal | null;
  readonly account: TradeAccount | null;
  readonly headers: IncomingHttpHeaders;
  readonly ip: string;
  readonly peer: PeerStanding;
  readonly connection: Duplex;
}

export interface CompiledRoute {
  readonly contract: RouteContract;
  readonly handle: (call: UntypedCall) => Reply<RouteContract> | Promise<Reply<RouteContract>>;
  readonly mutates: boolean;
  /** `body` is there for every mutation: what a route does not describe, it does not accept. */
  readonly schemas: Readonly<Record<keyof Input, z.ZodType | undefined>>;
  /** What an absent body counts as. */
  readonly absentBody: unknown;
  readonly defaultStatus: number;
  /** Of a JSON answer. */
  readonly headers: Record<string, string>;
}

const NO_FIELDS = z.strictObject({});

/** Optional bodies: `undefined` where the schema takes it, else the empty object with its defaults. */
function absentBody(contract: RouteContract): unknown {
  if (contract.body === undefined) return {};
  if (contract.bodyRequired !== false) return undefined;
  return contract.body.safeParse(undefined).success ? undefined : {};
}

export function compileRoute({ contract, handle }: BoundRoute): CompiledRoute {
  const label = `${contract.method} ${contract.path}`;
  if (contract.auth === 'P' && contract.account === true)
    throw new Error(`${label}: a public route has no trade account`);
  const [defaultStatus] = Object.keys(contract.success).map(Number);
  if (defaultStatus === undefined) throw new Error(`${label}: no success status`);
  const mutates = contract.method !== 'GET';
  return {
    contract,
    handle: handle as CompiledRoute['handle'],
    mutates,
    schemas: {
      params: contract.params,
      query: contract.query,
      body: mutates ? (contract.body ?? NO_FIELDS) : undefined,
    },
    absentBody: absentBody(contract),
    defaultStatus,
    headers: { ...JSON_HEADERS, 'cache-control': contract.auth === 'P' ? 'no-cache' : 'no-store' },
  };
}
