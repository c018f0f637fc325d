/** Facts about a route that are computed once at start, before its first request. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';
import { z } from 'zod';
import type { BoundRoute, Reply } from '../call/call.ts';
import type { PeerStanding } from '../call/peer-standing.ts';
import type { RouteContract } from '../contract/route.ts';
import type { Principal, TradeAccount } from '../domain/model.ts';
import { JSON_HEADERS } from './answer.ts';

export interface Input {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** Argument of a handler, before the contract gives its fields their types. */
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
  /** Called with errors of `handle`, thrown or rejected. */
  readonly failed: ((call: UntypedCall, error: unknown) => void) | undefined;
  readonly mutates: boolean;
  /** `body` is set for every mutation: a route without a described body accepts no fields. */
  readonly schemas: Readonly<Record<keyof Input, z.ZodType | undefined>>;
  /** Value that an absent body counts as. */
  readonly absentBody: unknown;
  readonly defaultStatus: number;
  /** Headers of a JSON answer. */
  readonly headers: Record<string, string>;
}

const NO_FIELDS = z.strictObject({});

/** Value of an absent body: `undefined` where the schema takes it, else the empty object with defaults. */
function absentBody(contract: RouteContract): unknown {
  if (contract.body === undefined) return {};
  if (contract.bodyRequired !== false) return undefined;
  return contract.body.safeParse(undefined).success ? undefined : {};
}

export function compileRoute({ contract, handle, failed }: BoundRoute): CompiledRoute {
  const label = `${contract.method} ${contract.path}`;
  if (contract.auth === 'P' && contract.account === true)
    throw new Error(`${label}: a public route has no trade account`);
  const [defaultStatus] = Object.keys(contract.success).map(Number);
  if (defaultStatus === undefined) throw new Error(`${label}: no success status`);
  const mutates = contract.method !== 'GET';
  return {
    contract,
    handle: handle as CompiledRoute['handle'],
    failed: failed as CompiledRoute['failed'],
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
