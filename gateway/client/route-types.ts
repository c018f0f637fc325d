/** Names, parameters and answers of every route, taken from the contract. Types only: nothing of it is in the bundle. */
import type { z } from 'zod';
import type { AnyRoute } from '../contract/every-route.ts';
import type { RouteContract } from '../contract/route.ts';

/** `/positions/:id/close` → `/positions/{id}/close`, as the documentation writes it. */
type Braces<Path extends string> = Path extends `${infer Head}/:${infer Name}/${infer Rest}`
  ? `${Head}/{${Name}}${Braces<`/${Rest}`>}`
  : Path extends `${infer Head}/:${infer Name}`
    ? `${Head}/{${Name}}`
    : Path;

type ParamName<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | ParamName<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never;

/**
 * Pages, their assets and the metrics are for browsers and scrapers: only routes that answer with JSON can be called.
 */
type Callable = Exclude<AnyRoute, { readonly contentType: string }>;

type ByName = { [R in Callable as `${R['method']} ${Braces<R['path']>}`]: R };

/** `POST /trade/open`, `GET /positions/{id}`, … */
export type RouteName = keyof ByName;

type Input<Schema> = Schema extends z.ZodType ? z.input<Schema> : never;
type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/**
 * Query parameters as text or, where the contract parses the text to one, as a number, boolean or list of texts:
 * `limit: 50`, `includeSeries: true`.
 */
type Query<Schema> = Schema extends z.ZodType
  ? {
      readonly [Name in keyof z.input<Schema>]:
        | z.input<Schema>[Name]
        | (Name extends keyof z.output<Schema>
            ? Extract<z.output<Schema>[Name], number | boolean | readonly string[]>
            : never);
    }
  : never;

type Params<R extends RouteContract> = [ParamName<R['path']>] extends [never]
  ? never
  : { readonly [Name in ParamName<R['path']>]: string };

/** A part of a request: left out where the route has none, optional where all of it may be left out. */
type Part<Name extends string, Value> = [Value] extends [never]
  ? { readonly [N in Name]?: never }
  : object extends Value
    ? { readonly [N in Name]?: Value }
    : { readonly [N in Name]: Value };

type Body<R extends RouteContract> = R extends { readonly bodyRequired: false }
  ? { readonly body?: Input<R['body']> }
  : Part<'body', Input<R['body']>>;

export interface CallSettings {
  /** Instead of the client's own trade account. */
  readonly tradeAccountId?: string;
  /** Time limit of this call; the gateway may carry the request out all the same. Default: the client's, longer where a live venue is asked. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** `Idempotency-Key` of an order-placing route. */
  readonly idempotencyKey?: string;
}

export type Request<Name extends RouteName> = Part<'params', Params<ByName[Name]>> &
  Part<'query', Query<ByName[Name]['query' & keyof ByName[Name]]>> &
  Body<ByName[Name]> &
  CallSettings;

/** The request may be left out where none of its parts is needed. */
export type RequestArguments<Name extends RouteName> =
  object extends Request<Name> ? [request?: Request<Name>] : [request: Request<Name>];

/** One request, by the name of its route. */
export type Call = <Name extends RouteName>(
  route: Name,
  ...request: RequestArguments<Name>
) => Promise<Answer<Name>>;

type Success<Name extends RouteName> = ByName[Name]['success'];

/** `undefined` where the route answers without a body. */
export type Answer<Name extends RouteName> = {
  [Status in keyof Success<Name>]: Output<Success<Name>[Status]>;
}[keyof Success<Name>];

/** Routes that answer with pages of rows and a `nextCursor`. */
export type PagedRoute = {
  [Name in RouteName]: Answer<Name> extends { readonly nextCursor?: string | undefined } ? Name : never;
}[RouteName];

export type Row<Name extends RouteName> = Extract<
  Exclude<Answer<Name>, undefined>[keyof Exclude<Answer<Name>, undefined>],
  readonly unknown[]
>[number];

/** Routes that take an `Idempotency-Key`. */
export type PlacingRoute = {
  [Name in RouteName]: ByName[Name] extends { readonly idempotent: true } ? Name : never;
}[RouteName];

/** Routes that are asked about one trade account. */
export type AccountRoute = {
  [Name in RouteName]: ByName[Name] extends { readonly account: true } ? Name : never;
}[RouteName];

/** Values of the body's `type`; never: the body has none. */
export type KindOf<Name extends PlacingRoute> =
  Request<Name> extends { readonly body?: { readonly type: infer Kind } } ? Kind : never;

/** Kinds of orders that are answered with a waiting object (200) rather than with an execution (202). */
type Waiting = 'TWAP' | 'TRIGGER';

type AnswerWith<Name extends RouteName, Status extends number> =
  Success<Name> extends {
    readonly [S in Status]: infer Schema;
  }
    ? Output<Schema>
    : never;

/** The answer to an order of the kind `Kind`: 202 with an execution, or 200 with the resting object. */
export type Placed<Name extends PlacingRoute, Kind> =
  Success<Name> extends { readonly 202: z.ZodType }
    ? [Kind] extends [never]
      ? AnswerWith<Name, 202>
      : Kind extends Waiting
        ? AnswerWith<Name, 200>
        : AnswerWith<Name, 202>
    : AnswerWith<Name, 200>;

export type Execution = Answer<'GET /executions/{id}'>['execution'];

export type TradeAccount = Answer<'GET /trade-accounts'>['tradeAccounts'][number];
