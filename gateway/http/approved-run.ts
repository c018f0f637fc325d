/**
 * Repeats a request that its user has approved: the handler of its route is called with the parameters and the body
 * that were checked then, for the grant or key that asked. Nothing of it can be changed on the way.
 */
import { PassThrough } from 'node:stream';
import type { AccountDirectory } from '../call/authenticator.ts';
import type { BoundRoute, Call } from '../call/call.ts';
import { BusinessError, FrameworkError } from '../call/errors.ts';
import type { RouteContract } from '../contract/route.ts';
import type { MandateHolder } from '../domain/mandate.ts';
import type { Principal } from '../domain/model.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import type { MakeAgain } from '../engine/approvals/approve.ts';
import { type EngineError, notFound } from '../engine/core/errors.ts';

export interface ApprovedRunParts {
  /** All routes, as they are served. */
  readonly routes: () => readonly BoundRoute[];
  readonly accounts: AccountDirectory;
  /** null: its grant or key has ended. */
  readonly principalOf: (holder: MandateHolder) => Principal | null;
}

export function approvedRun({ routes, accounts, principalOf }: ApprovedRunParts): MakeAgain {
  return async (approval, approved) => {
    const { route, params, body, idempotencyKey } = approval.request;
    const bound = routes().find(({ contract }) => `${contract.method} ${contract.path}` === route);
    if (bound === undefined) throw new Error(`no route ${route}`);
    const principal = principalOf(approval.holder);
    if (principal === null) return notFound('The agent that asked for it');
    const account = accounts.find(principal, approval.tradeAccountId);
    if (account === undefined) return notFound('Trade account');
    const call = {
      principal,
      account,
      params,
      query: {},
      body,
      headers: idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey },
      ip: '',
      peer: 'own',
      connection: new PassThrough(),
      approved,
    };
    // The cast is safe: parameters and body were parsed with the contract's own schemas when they came.
    return refusable(() => bound.handle(call as unknown as Call<RouteContract>));
  };
}

/** Runs a handler and turns the refusal that it throws into a result. Any other error is a bug and is thrown on. */
async function refusable(call: () => unknown): Promise<Result<unknown, EngineError>> {
  try {
    return ok(await call());
  } catch (error) {
    // Refusal by the mandate's gate, before the handler: a right was taken away meanwhile.
    if (error instanceof FrameworkError && error.status < 500)
      return fail({ code: 'AGENT_LIMIT', message: error.message, details: {} });
    if (!(error instanceof BusinessError)) throw error;
    const { code, message, details } = error;
    return fail({ code: code as EngineError['code'], message, details });
  }
}
