/**
 * One declaration per route: it validates, types and documents. `http/` binds handlers to these, `/openapi.json` is made
 * from them, the client is typed by them.
 */
import type { z } from 'zod';
import type { BusinessCode } from './errors.ts';

/** `K` API key or bearer · `B` session only · `P` public. */
export type AuthKind = 'K' | 'B' | 'P';

export interface RouteContract {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `/positions/:id` style. */
  readonly path: string;
  readonly auth: AuthKind;
  /** Requires `x-trade-account-id`. */
  readonly account?: boolean;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Public routes: the longest body that is read. Default 16 KiB; with a credential every route takes 1 MiB. */
  readonly bodyLimitBytes?: number;
  /** `false`: a request without a body is valid too. Default true where `body` is there. */
  readonly bodyRequired?: boolean;
  /**
   * Accepts the `Idempotency-Key` header. `true`: the key is on disk in the same unit as what it protects. `answer`: asking
   * twice is harmless, and the key only gives the first answer again.
   */
  readonly idempotent?: true | 'answer';
  /** Success status → answer schema (null: no body). The first one is the usual one. */
  readonly success: Readonly<Record<number, z.ZodType | null>>;
  /** Media type of the success answers. Default `application/json`. */
  readonly contentType?: string;
  /** Business codes beyond VALIDATION_ERROR and DATABASE_ERROR that the route can answer. */
  readonly errors?: readonly BusinessCode[];
  /** Statuses in the framework shape beyond those that follow from `auth`: a closed registration, a wrong password. */
  readonly refusals?: readonly (400 | 401 | 403 | 404)[];
  /**
   * First-party account surface (`/auth/*`, grant management): an OAuth grant gets the
   * "cannot access first-party account endpoints" message instead of "not permitted on this route".
   */
  readonly firstParty?: boolean;
  /** Refuses OAuth grants, whatever their scopes: what the user alone may do, signed in or by an API key. */
  readonly noGrant?: true;
  /**
   * A proof of the key that the caller's session is bound to (header `DPoP`) is a credential here: the consent page holds
   * nothing else.
   */
  readonly byProof?: true;
}

export function route<const R extends RouteContract>(contract: R): R {
  return contract;
}

/** An endpoint of a protocol with rules of its own (OAuth): for the documentation and for `http/protocol.ts`. */
export interface ProtocolContract {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Body types that it takes; anything else is a 415. */
  readonly accepts?: readonly ('json' | 'form')[];
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly success: Readonly<Record<number, z.ZodType | null>>;
  /** Statuses in the protocol's own error shape. */
  readonly errors: readonly (400 | 401)[];
}

type Output<T> = T extends z.ZodType ? z.output<T> : undefined;
export type ParamsOf<R extends RouteContract> = Output<R['params']>;
export type QueryOf<R extends RouteContract> = Output<R['query']>;
export type BodyOf<R extends RouteContract> = Output<R['body']>;
export type AnswerOf<R extends RouteContract> = {
  [S in keyof R['success']]: R['success'][S] extends z.ZodType ? z.input<R['success'][S]> : undefined;
}[keyof R['success']];
