/** Arguments and results of route handlers. `http/app.ts` does everything before and after a handler. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AnswerOf, BodyOf, ParamsOf, QueryOf, RouteContract } from '../contract/route.ts';
import type { Principal, TradeAccount } from '../domain/model.ts';
import type { IdempotentRequest } from '../engine/core/idempotency.ts';
import type { ApprovedRequest } from '../engine/ports/approval-desk.ts';
import type { PeerStanding } from './peer-standing.ts';

export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>;

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
  /** Operating system's user of the calling program, compared with the gateway's own. */
  readonly peer: PeerStanding;
  readonly connection: Duplex;
  /** Worst prices of a preview that is placed, by instrument. Missing: the request came over the wire. */
  readonly worstPrices?: ReadonlyMap<string, string> | undefined;
  /** The user approved this request, which is repeated for its author. Missing: it came over the wire. */
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
  /** Called with errors of `handle`, thrown or rejected, before they become an answer. */
  readonly failed?: ((call: Call<RouteContract>, error: unknown) => void) | undefined;
}

export function bind<R extends RouteContract>(contract: R, handle: Handler<R>): BoundRoute {
  // The cast is safe: params, query and body were parsed with the contract's own schemas before the call.
  return { contract, handle: handle as unknown as Handler<RouteContract> };
}
