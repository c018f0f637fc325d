/** Typed questions to the routes. Only types of the contract are used: its schemas stay in the gateway's own bundle. */
import type { z } from 'zod';
import type { Dispatch, DispatchRefusal } from '../call/dispatch.ts';
import type { AnyRoute } from '../contract/every-route.ts';
import type { AnswerOf, RouteContract } from '../contract/route.ts';
import type { ShownHeld } from '../domain/shown-held.ts';

type LabelOf<R> = R extends RouteContract ? `${R['method']} ${R['path']}` : never;
/** `GET /executions/:id`. */
export type RouteLabel = LabelOf<AnyRoute>;
type Named<L extends RouteLabel> = Extract<
  AnyRoute extends infer R ? (R extends RouteContract ? (L extends LabelOf<R> ? R : never) : never) : never,
  RouteContract
>;

type PartOf<R, Part extends string> = R extends { readonly [name in Part]: infer T } ? InputOf<T> : undefined;
type InputOf<T> = T extends z.ZodType ? z.input<T> : undefined;

export interface AskInput<L extends RouteLabel> {
  readonly account?: string;
  readonly idempotencyKey?: string;
  readonly params?: PartOf<Named<L>, 'params'>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: PartOf<Named<L>, 'body'>;
  readonly worstPrices?: ReadonlyMap<string, string>;
}

export type Answer<L extends RouteLabel> = AnswerOf<Named<L>>;

/** Refusal by a route. Tools throw it on, or make an outcome of it. */
export class Refused extends Error {
  readonly refusal: DispatchRefusal;
  constructor(refusal: DispatchRefusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** @throws Refused */
export type Ask = <L extends RouteLabel>(route: L, input?: AskInput<L>) => Promise<Answer<L>>;

/** A request that was made up by a preview: its route checks it. */
export interface LooseRequest {
  readonly route: RouteLabel;
  readonly account: string;
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly body: unknown;
}

/** A preview that is placed. */
export interface PlaceRequest extends LooseRequest {
  readonly idempotencyKey: string;
  readonly worstPrices: ReadonlyMap<string, string>;
  /** Quantities of the position that the preview showed; undefined: it concerns none. */
  readonly shown: ShownHeld | undefined;
  /** Why the agent wants it, in its own words. */
  readonly reason: string;
}

/** @throws Refused */
export type Place = (request: PlaceRequest) => Promise<Readonly<Record<string, unknown>>>;

export function placeAs(dispatch: Dispatch, call: Pick<Parameters<Dispatch>[0], 'principal' | 'req'>): Place {
  return async ({ account, ...request }) => {
    const { principal, req } = call;
    const answer = await dispatch({ ...request, principal, req, accountId: account });
    if (!answer.ok) throw new Refused(answer);
    return (answer.body ?? {}) as Readonly<Record<string, unknown>>;
  };
}

/** Checks a request as its route would, and calls nothing. @throws Refused */
export type CheckRequest = (request: LooseRequest) => Promise<void>;

export function checkAs(
  dispatch: Dispatch,
  call: Pick<Parameters<Dispatch>[0], 'principal' | 'req'>,
): CheckRequest {
  return async ({ account, ...request }) => {
    const { principal, req } = call;
    const answer = await dispatch({ ...request, principal, req, accountId: account, onlyChecked: true });
    if (!answer.ok) throw new Refused(answer);
  };
}

export function askAs(dispatch: Dispatch, call: Pick<Parameters<Dispatch>[0], 'principal' | 'req'>): Ask {
  return async (route, { account, ...input } = {}) => {
    const { principal, req } = call;
    const answer = await dispatch({ ...input, route, principal, req, accountId: account });
    if (!answer.ok) throw new Refused(answer);
    // Made by the route's handler, whose contract says so.
    return answer.body as never;
  };
}
