/**
 * One declaration per route validates, types and documents the route. `http/` binds handlers to the declarations,
 * `/openapi.json` is made from them, and the client takes its types from them.
 */
import type { z } from 'zod';
import type { BusinessCode } from './error-codes.ts';

/** `K` API key or bearer · `B` session only · `P` public. */
export type AuthKind = 'K' | 'B' | 'P';

export interface RouteContract {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with parameters in the style of `/positions/:id`. */
  readonly path: string;
  readonly auth: AuthKind;
  /** The route requires the header `x-trade-account-id`. */
  readonly account?: boolean;
  /** The route takes the header `x-trade-account-id` too, and does without it. */
  readonly optionalAccount?: true;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Longest body that a public route reads, default 16 KiB; every route with a credential takes 1 MiB. */
  readonly bodyLimitBytes?: number;
  /** `false`: a request without a body is valid too. Default true where `body` is there. */
  readonly bodyRequired?: boolean;
  /**
   * The route accepts the `Idempotency-Key` header. `true`: the key is written in the same unit of work as the change
   * that it protects. `answer`: a repeated request is harmless, and the key only gives the first answer again.
   */
  readonly idempotent?: true | 'answer';
  /** Success status → answer schema (null: no body). The first status is the usual one. */
  readonly success: Readonly<Record<number, z.ZodType | null>>;
  /** Media type of the success answers. Default `application/json`. */
  readonly contentType?: string;
  /** Business codes beyond VALIDATION_ERROR and DATABASE_ERROR that the route can answer. */
  readonly errors?: readonly BusinessCode[];
  /** Error statuses in the framework shape that do not follow from `auth`: a closed registration, a wrong password. */
  readonly refusals?: readonly (400 | 401 | 403 | 404)[];
  /**
   * First-party account surface (`/auth/*`, grant management): an OAuth grant gets the
   * "cannot access first-party account endpoints" message instead of "not permitted on this route".
   */
  readonly firstParty?: boolean;
  /** OAuth grants are refused whatever their scopes: only the user may call the route, signed in or by an API key. */
  readonly noGrant?: true;
  /** The route accepts an API key as a bearer token too: scrapers of metrics send no other header. */
  readonly keyAsBearer?: true;
  /**
   * The route accepts as a credential a proof of the key that the caller's session is bound to (header `DPoP`): the
   * consent page holds nothing else.
   */
  readonly byProof?: true;
}

export function route<const R extends RouteContract>(contract: R): R {
  return contract;
}

type Rest<Common> = Omit<RouteContract, keyof Common> & { readonly [Name in keyof Common]?: never };

/** Declares routes that share fields. A route cannot change a shared field: who may call it is stated once. */
export function routesWith<const Common extends Partial<RouteContract>>(common: Common) {
  return <const R extends Rest<Common>>(contract: R): Common & R => ({ ...common, ...contract });
}

/** An endpoint of a protocol with its own rules (OAuth), for the documentation and for `http/protocol.ts`. */
export interface ProtocolContract {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Body types that the endpoint takes; any other type is a 415. */
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
