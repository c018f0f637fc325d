/** The `Idempotency-Key` header, and the hash by which two requests count as the same. */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { invalid } from '../call/errors.ts';
import type { RouteContract } from '../contract/route.ts';
import type { Principal, TradeAccount } from '../domain/model.ts';
import { askedOf, shownTo } from '../engine/core/caller.ts';
import { type IdempotentRequest, keyOwner, type MakeCommand } from '../engine/core/idempotency.ts';

const PRINTABLE = /^[\x20-\x7e]{1,128}$/;

/**
 * Key and hash of a request; null: the request has no `Idempotency-Key`. The hash covers account, path and the parsed
 * body whatever the order of its fields. Without an account it covers the accounts and scopes of the credential
 * instead: an answer made for one credential may hold more than another may see.
 */
export function idempotentRequest(
  contract: RouteContract,
  call: {
    readonly headers: IncomingHttpHeaders;
    readonly principal: Principal;
    readonly account: TradeAccount | null;
    readonly params: unknown;
    readonly body: unknown;
  },
): IdempotentRequest | null {
  const header = call.headers['idempotency-key'];
  if (header === undefined) return null;
  if (typeof header !== 'string' || !PRINTABLE.test(header)) {
    throw invalid('idempotency-key', 'Expected 1 to 128 printable characters');
  }
  const content = canonical({
    ...(call.account === null ? { reach: reachOf(call.principal) } : { account: call.account.id }),
    params: call.params ?? null,
    body: call.body ?? null,
  });
  return {
    ...keyOwner(call.principal),
    route: `${contract.method} ${contract.path}`,
    key: header,
    requestHash: createHash('sha256').update(content).digest('hex'),
  };
}

/** A command of the caller for the engine, which stores its answer under the request's idempotency key. */
export function commandOf<Made>(
  contract: RouteContract,
  call: Parameters<typeof idempotentRequest>[1] & {
    readonly account: TradeAccount;
    readonly worstPrices?: ReadonlyMap<string, string> | undefined;
    readonly idempotency?: IdempotentRequest | null | undefined;
  },
  answer: (made: Made) => string,
): MakeCommand<Made> {
  const { account, worstPrices = null, idempotency = idempotentRequest(contract, call) } = call;
  const { principal } = call;
  return { account, idempotency, answer, worstPrices, asked: askedOf(principal), shown: shownTo(principal) };
}

function reachOf(principal: Principal): unknown {
  const limits = principal.kind === 'api_key' ? principal.tradeAccountIds : null;
  return { kind: principal.kind, accounts: limits === null ? null : [...limits].sort() };
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
