/** Arguments and results of route handlers. `http/app.ts` does everything before and after a handler. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { BUSINESS_STATUS, type BusinessCode } from '../contract/error-codes.ts';
import type { ValidationDetail } from '../contract/errors.ts';
import type { AnswerOf, BodyOf, ParamsOf, QueryOf, RouteContract } from '../contract/route.ts';
import type { Principal, TradeAccount } from '../domain/model.ts';
import type { ShownHeld } from '../domain/shown-held.ts';
import type { IdempotentRequest } from '../engine/core/idempotency.ts';
import type { ApprovedRequest } from '../engine/ports/approval-desk.ts';
import type { AnswerHeaders } from './answer.ts';
import type { PeerStanding } from './peer-standing.ts';

export interface Call<R extends RouteContract> {
  /** null: a caller without a credential, on public routes only. */
  readonly principal: R['auth'] extends 'P' ? Principal | null : Principal;
  readonly account: R['account'] extends true
    ? TradeAccount
    : R['optionalAccount'] extends true
      ? TradeAccount | null
      : null;
  readonly params: ParamsOf<R>;
  readonly query: QueryOf<R>;
  readonly body: BodyOf<R>;
  readonly headers: IncomingHttpHeaders;
  /** Peer address (loopback). */
  readonly ip: string;
  /** Whether the calling program belongs to the gateway's own user. */
  readonly peer: PeerStanding;
  readonly connection: Duplex;
  /** Worst prices of a preview that is placed, by instrument. Missing: the request came over the wire. */
  readonly worstPrices?: ReadonlyMap<string, string> | undefined;
  /** The user approved this request, and it is made again for whoever asked. Missing: it came over the wire. */
  readonly approved?: ApprovedRequest;
  /** Its `Idempotency-Key`, read already; null: it has none. Missing: nobody has read it. */
  readonly idempotency?: IdempotentRequest | null | undefined;
}

export interface Reply<R extends RouteContract> {
  /** Status of the answer. Default: the first status of `success`. */
  readonly status?: keyof R['success'] & number;
  readonly headers?: AnswerHeaders;
  readonly body?: AnswerOf<R>;
  /** Already serialised JSON, sent as it is instead of `body` (hot answers, replays). */
  readonly json?: string;
  /** Anything but JSON (pages, assets, metrics text), sent as it is; `headers` names its content type. */
  readonly raw?: string | Buffer;
}

export type Handler<R extends RouteContract> = (call: Call<R>) => Reply<R> | Promise<Reply<R>>;

export interface BoundRoute {
  readonly contract: RouteContract;
  readonly handle: Handler<RouteContract>;
  /** Called with what `handle` throws or rejects with, before it becomes an answer. */
  readonly failed?: ((call: Call<RouteContract>, error: unknown) => void) | undefined;
}

export function bind<R extends RouteContract>(contract: R, handle: Handler<R>): BoundRoute {
  // The cast is safe: params, query and body were parsed with the contract's own schemas before the call.
  return { contract, handle: handle as unknown as Handler<RouteContract> };
}

type BusinessDetails = readonly ValidationDetail[] | Readonly<Record<string, unknown>>;

/** A refusal in the business shape. Handlers throw it; `middleware/errors.ts` is where it becomes an answer. */
export class BusinessError extends Error {
  readonly code: BusinessCode;
  readonly details: BusinessDetails;
  readonly status: number;
  constructor(code: BusinessCode, message: string, details: BusinessDetails = {}) {
    super(message);
    this.code = code;
    this.details = details;
    this.status = BUSINESS_STATUS[code];
  }
}

/** A refusal in the framework shape: authentication, guard, routing. */
export class FrameworkError extends Error {
  readonly status: number;
  readonly headers: AnswerHeaders;
  constructor(status: number, message: string, headers: AnswerHeaders = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

export function invalid(path: string, message: string, code = 'custom'): BusinessError {
  return new BusinessError('VALIDATION_ERROR', 'Validation error', [{ path, message, code }]);
}

/** Authentication of a request by its credentials. Implemented by auth/. */
export interface Authenticator {
  /**
   * `x-api-key` decides when present; else the bearer; else the session cookie. Synchronous where the answer is in
   * memory (API keys, tokens already verified).
   */
  authenticate(headers: IncomingHttpHeaders): Authentication | Promise<Authentication>;
  /** Whether the credential can be accepted from memory: a few microseconds, no signature check. Default: no. */
  knows?(headers: IncomingHttpHeaders): boolean;
}

export type Authentication =
  | { readonly ok: true; readonly principal: Principal; readonly via: 'header' | 'cookie' }
  | {
      readonly ok: false;
      readonly status: 401;
      readonly message: string;
      /** The request has session cookies that contradict each other: the answer removes all of them. */
      readonly cookiesConflict?: true;
    };

/**
 * Finds the caller's trade account; undefined: the account is not the caller's or does not exist (both 404).
 * Implemented by auth/ from memory.
 */
export interface AccountDirectory {
  find(principal: Principal, tradeAccountId: string): TradeAccount | undefined;
}

/** A request of a route that is no HTTP request of its own: what an agent's tool asks for. */
export interface Dispatched {
  /** `POST /positions/:id/close`. */
  readonly route: string;
  readonly principal: Principal;
  /** The HTTP request that led to it: its headers do not count, its connection does. */
  readonly req: IncomingMessage;
  readonly accountId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  /** Why the agent wants it, in its own words; a person who is asked reads it. */
  readonly reason?: string | undefined;
  readonly params?: unknown;
  /** As in an address: texts. */
  readonly query?: Readonly<Record<string, string | undefined>> | undefined;
  /** Left out: a request without a body. */
  readonly body?: unknown;
  /** true: the request is checked, and the handler is not called. */
  readonly onlyChecked?: boolean;
  /** Worst prices by instrument: no order that it places at once leaves at a worse one. */
  readonly worstPrices?: ReadonlyMap<string, string> | undefined;
  /** Quantities of a position that its preview showed: the request is refused if the position holds others by then. */
  readonly shown?: ShownHeld | undefined;
}

/** `code` is null in the framework shape (credential, header, path). */
export interface DispatchRefusal {
  readonly ok: false;
  readonly status: number;
  readonly code: string | null;
  readonly message: string;
  readonly details: readonly ValidationDetail[] | Readonly<Record<string, unknown>>;
}

export type DispatchAnswer =
  | { readonly ok: true; readonly status: number; readonly body: unknown }
  | DispatchRefusal;

/** Asks a route with the same checks and the same handler as over HTTP. Never rejects but for bugs and broken disks. */
export type Dispatch = (asked: Dispatched) => Promise<DispatchAnswer>;

/** An endpoint that speaks a protocol of its own to callers with a credential (`/mcp`); `http/agent-mount.ts` mounts it. */
export interface AgentEndpoint {
  readonly path: string;
  /**
   * Value of `WWW-Authenticate` on a 401.
   * @param host an allowed `Host` @param isRefused a credential was shown, and it is not valid
   */
  challenge(host: string, isRefused: boolean): string;
  /** Answers a `POST` with a JSON body. `principal` is a grant or an API key. */
  handle(call: {
    readonly principal: Principal;
    readonly req: IncomingMessage;
    readonly res: ServerResponse;
    readonly body: unknown;
  }): Promise<void>;
}
