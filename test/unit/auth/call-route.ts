/** Calls a bound handler as `http/` does: input parsed by the route's own contract, refusals turned into status and message. */
import { PassThrough } from 'node:stream';
import type { BoundRoute, Handler } from '../../../gateway/call/call.ts';
import { BusinessError, FrameworkError } from '../../../gateway/call/errors.ts';
import type { AnswerOf, RouteContract } from '../../../gateway/contract/route.ts';
import type { Principal } from '../../../gateway/domain/model.ts';

export interface RouteCall {
  readonly principal?: Principal;
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RouteAnswer<R extends RouteContract> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: AnswerOf<R>;
}

export interface RouteRefusal {
  readonly status: number;
  readonly message: string;
  /** Business shape only. */
  readonly errorCode?: string;
  /** Paths of the rejected fields. */
  readonly paths: readonly string[];
}

/** Refusals as `refusalOf` gives them, without their words. */
export const NOT_FOUND = { status: 404, errorCode: 'RESOURCE_NOT_FOUND' };
export const BUSY = { status: 409, errorCode: 'RESOURCE_BUSY' };
export const NOT_IMPLEMENTED = { status: 501, errorCode: 'NOT_IMPLEMENTED_ERROR' };
export const VENUE_SILENT = { status: 500, errorCode: 'CONFIGURATION_ERROR' };
export const DISK_FULL = { status: 500, errorCode: 'DATABASE_ERROR' };

/** The answer; a refusal is thrown. The body is checked against the documented schema. */
export async function callRoute<R extends RouteContract>(
  routes: readonly BoundRoute[],
  contract: R,
  call: RouteCall = {},
): Promise<RouteAnswer<R>> {
  const bound = routes.find((candidate) => candidate.contract === contract);
  if (bound === undefined) throw new Error(`${contract.method} ${contract.path} is not bound`);
  const input: unknown = {
    principal: call.principal ?? null,
    account: null,
    params: contract.params?.parse(call.params),
    query: contract.query?.parse({}),
    body: contract.body?.parse(call.body ?? {}),
    headers: call.headers ?? {},
    ip: '127.0.0.1',
    connection: new PassThrough(),
  };
  const reply = await bound.handle(input as Parameters<Handler<RouteContract>>[0]);
  const status = reply.status ?? Number(Object.keys(contract.success)[0]);
  const body: unknown = reply.body;
  contract.success[status]?.parse(body);
  return { status, headers: reply.headers ?? {}, body: body as AnswerOf<R> };
}

/** The refusal; an answer is an error of the test. */
export async function refusalOf(
  routes: readonly BoundRoute[],
  contract: RouteContract,
  call: RouteCall = {},
): Promise<RouteRefusal> {
  try {
    await callRoute(routes, contract, call);
  } catch (error) {
    if (error instanceof FrameworkError) return { status: error.status, message: error.message, paths: [] };
    if (error instanceof BusinessError) {
      const details = Array.isArray(error.details) ? error.details : [];
      return {
        status: error.status,
        message: error.message,
        errorCode: error.code,
        paths: details.map((detail: { path: string }) => detail.path),
      };
    }
    throw error;
  }
  throw new Error(`${contract.method} ${contract.path} was not refused`);
}
