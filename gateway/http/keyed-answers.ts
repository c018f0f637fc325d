/**
 * `Idempotency-Key` on the routes whose contract says `idempotent: 'answer'`: the first answer is kept and given again.
 * On routes that say `true`, the handler itself records the answer in the same commit as the change.
 */

import type { BoundRoute, Call, Reply } from '../call/call.ts';
import type { RouteContract } from '../contract/route.ts';
import type { Principal, TradeAccount } from '../domain/model.ts';
import type { Result } from '../domain/result.ts';
import type { EngineError } from '../engine/core/errors.ts';
import type { Answered, IdempotentRequest } from '../engine/core/idempotency.ts';
import { idempotentRequest } from './idempotency-key.ts';
import { REPLAYED, unwrap } from './unwrap.ts';

/** Keeps the first answer of a request; implemented in engine/execution/keyed-answer.ts. */
export type KeepAnswer = (
  request: IdempotentRequest,
  work: () => Promise<Omit<Answered, 'replayed'>>,
) => Promise<Result<Answered, EngineError>>;

export function withKeyedAnswers(bound: BoundRoute, keep: KeepAnswer): BoundRoute {
  const { contract, handle } = bound;
  if (contract.idempotent !== 'answer') return bound;
  const usual = Number(Object.keys(contract.success)[0]);
  return {
    contract,
    async handle(call) {
      const request = requestOf(contract, call);
      if (request === null) return handle(call);
      const answered = await keep(request, async () => {
        const reply = await handle(call);
        return { status: reply.status ?? usual, json: textOf(reply) };
      });
      return replyOf(unwrap(answered));
    },
  };
}

function requestOf(contract: RouteContract, call: Call<RouteContract>): IdempotentRequest | null {
  // The route is not public, so there is a principal; the account is there where the contract asks for one.
  const principal = call.principal as Principal;
  const account = call.account as TradeAccount | null;
  return idempotentRequest(contract, { ...call, principal, account });
}

/** JSON text of a reply; empty: the reply has no body. */
function textOf({ json, body }: Reply<RouteContract>): string {
  return json ?? (body === undefined ? '' : JSON.stringify(body));
}

function replyOf({ status, json, replayed }: Answered): Reply<RouteContract> {
  return {
    status,
    ...(json === '' ? {} : { json }),
    ...(replayed ? { headers: REPLAYED } : {}),
  };
}
