/**
 * The client library, `tandem-gateway/client`: every route typed from the contract, for Node 20 and later and for
 * browsers. This file is the package's entry: bots may rely on its exports.
 */

import { deriveBasketKey } from '../contract/basket-key.ts';
import type { BoundSession } from './bound-session.ts';
import {
  anonymous,
  apiKeyCredentials,
  type Credentials,
  cookieCredentials,
  type SessionTokens,
  sessionCredentials,
} from './credentials.ts';
import { GatewayUnreachable, isUnsure, TandemError } from './errors.ts';
import { eventStream, type StreamOptions } from './event-stream.ts';
import { ExecutionFollower } from './execution-follower.ts';
import { eachPage, eachRow } from './pages.ts';
import { type PlaceSettings, placeOrder } from './place-order.ts';
import { Absence, checkedLimit } from './presence.ts';
import type {
  Answer,
  Execution,
  KindOf,
  PagedRoute,
  Placed,
  PlacingRoute,
  Request,
  RequestArguments,
  RouteName,
  Row,
} from './route-types.ts';
import { platformSocket, type SocketConstructor } from './socket.ts';
import { readChannelMessage, type StreamMessage } from './stream-messages.ts';
import { isOfAnAccount, onlyAccount } from './trade-account.ts';
import { type AnswerCheck, createTransport, type Send, typed } from './transport.ts';
import { Patience } from './wait.ts';

export interface ClientOptions {
  /** Origin of the gateway. Default `http://127.0.0.1:7391`; in a browser, the page's origin. */
  readonly url?: string | undefined;
  /** At most one of `apiKey`, `session`, `bound` and `cookie`; without any, public routes only. */
  readonly apiKey?: string | undefined;
  readonly session?: Pick<SessionTokens, 'accessToken' | 'refreshToken'>;
  /** Called with each pair of tokens that replaces `session`, before its use: a refresh token works once. */
  readonly onTokens?: (tokens: SessionTokens) => void | Promise<void>;
  /**
   * On the gateway's own pages: a session that is bound to a key of the page, shared by all clients of the page.
   */
  readonly bound?: BoundSession | undefined;
  /** In a browser: the session cookie of a sign-in without a key. */
  readonly cookie?: true;
  /**
   * With `cookie`, where the WebSocket is at another origin, to which the cookie does not go (the desktop app): each
   * connection is opened with a single-use ticket.
   */
  readonly realtime?: { readonly url: string; readonly ticket: true };
  /**
   * Trade account of every call that does not name another one. Default, with `apiKey` or `session`: the caller's only one
   * with play money, looked up when it is needed.
   */
  readonly tradeAccountId?: string | undefined;
  /** Time limit of a request; what waits for a live venue may take minutes all the same. Default 10 s. */
  readonly timeoutMs?: number;
  /**
   * Calls that wait (`place`, `ended`, `events`) end with `GatewayUnreachable` when nobody has answered at `url` for so long.
   * `Infinity`: never. Default 20 s; with `bound` and `cookie`, never.
   */
  readonly unreachableAfterMs?: number;
  /** Checks every answer; `tandem-gateway/client/contract-check` exports a check against the contract. */
  readonly checkAnswer?: AnswerCheck;
  readonly fetch?: typeof fetch;
  /** Default: the platform's WebSocket; in a Node without one, the package `ws`. */
  readonly WebSocket?: SocketConstructor;
}

type PlaceRequest<Name extends PlacingRoute, Kind> = Omit<Request<Name>, 'idempotencyKey'> &
  PlaceSettings & { readonly body?: { readonly type?: Kind } };

export interface TandemClient {
  readonly url: string;
  /** The same client on another trade account. */
  onAccount(tradeAccountId: string): TandemClient;
  /** One request, by the name of its route: `call('GET /positions/{id}', { params: { id } })`. */
  call<Name extends RouteName>(route: Name, ...request: RequestArguments<Name>): Promise<Answer<Name>>;
  /** The pages of a list, from `cursor` (or the beginning) to the last. */
  pages<Name extends PagedRoute>(
    route: Name,
    ...request: RequestArguments<Name>
  ): AsyncGenerator<Answer<Name>, void, undefined>;
  /** The rows of all pages of a list. */
  rows<Name extends PagedRoute>(
    route: Name,
    ...request: RequestArguments<Name>
  ): AsyncGenerator<Row<Name>, void, undefined>;
  /**
   * Places an order once, whatever is lost on the way: see place-order.ts.
   * @throws Refusal when the gateway refuses; OutcomeUnknown when the outcome is not known until the deadline;
   * GatewayUnreachable when nobody answered for `unreachableAfterMs` and nothing was sent
   */
  place<Name extends PlacingRoute, Kind extends KindOf<Name>>(
    route: Name,
    request: PlaceRequest<Name, Kind>,
  ): Promise<Placed<Name, Kind>>;
  /**
   * Waits until the execution has ended, through lost connections and restarts: a 202 does not mean filled. Where filled legs
   * are closed again (`onLegFailure: 'UNWIND'`), until that has ended too.
   */
  ended(executionId: string, options?: { readonly signal?: AbortSignal }): Promise<Execution>;
  /** Events of the trade account or, with `channels`, of those: see event-stream.ts. */
  events(options?: Partial<StreamOptions>): AsyncGenerator<StreamMessage, void, undefined>;
  /** Id of the trade account; looked up where it was not given. @throws TradeAccountNotChosen */
  tradeAccount(): Promise<string>;
  /** The private channel of the trade account that the client was made with: `user:{tradeAccountId}`. */
  readonly accountChannel: string;
}

const DEFAULT_URL = 'http://127.0.0.1:7391';
const TIMEOUT_MS = 10_000;
const UNREACHABLE_AFTER_MS = 20_000;
const LONGEST_PAUSE_MS = 5_000;

/** @throws TandemError when the options contradict each other */
export function createClient(options: ClientOptions = {}): TandemClient {
  const url = originOf(options.url);
  const { apiKey, session, bound, cookie } = options;
  const given = [apiKey, session, bound, cookie].filter((one) => one !== undefined);
  if (given.length > 1) throw new TandemError('Only one of apiKey, session, bound and cookie can be used');
  return clientOn(url, options, credentialsOf(url, options));
}

/** Signs in, for `createClient({ session })`. */
export async function signIn(
  body: Request<'POST /auth/login'>['body'],
  options: Pick<ClientOptions, 'url' | 'timeoutMs' | 'fetch'> = {},
): Promise<Answer<'POST /auth/login'>> {
  return createClient(options).call('POST /auth/login', { body });
}

function clientOn(url: string, options: ClientOptions, credentials: Credentials): TandemClient {
  const transport = transportOf(url, options, credentials);
  const isPage = options.bound !== undefined || options.cookie === true;
  const limitMs = checkedLimit(
    options.unreachableAfterMs ?? (isPage ? Number.POSITIVE_INFINITY : UNREACHABLE_AFTER_MS),
  );
  const absence = () => new Absence(url, limitMs);
  const tradeAccount = lookedUp(transport, options.tradeAccountId);
  const send: Send = isPage ? transport : withAccount(transport, tradeAccount);
  const streamDeps = {
    url,
    realtimeUrl: options.realtime?.url ?? null,
    credentials,
    socket: async () => options.WebSocket ?? (await platformSocket()),
    read: readChannelMessage,
    absence,
  };
  async function* events({ channels, ...rest }: Partial<StreamOptions> = {}) {
    const chosen = channels ?? [`user:${await patiently(tradeAccount, absence(), rest.signal)}`];
    yield* eventStream(streamDeps, { ...rest, channels: chosen });
  }
  const follower = new ExecutionFollower({
    events: (signal) => events({ signal }),
    read: async (id, signal) => {
      const answer = await send('GET /executions/{id}', { params: { id }, signal });
      return (answer as Answer<'GET /executions/{id}'>).execution;
    },
    page: async (cursor, signal) => {
      const query = { limit: 50, includeSchedule: true, includeTriggers: true, cursor };
      return (await send('GET /executions', { query, signal })) as Answer<'GET /executions'>;
    },
    absence,
  });
  return {
    url,
    onAccount: (tradeAccountId) => clientOn(url, { ...options, tradeAccountId }, credentials),
    call: typed(send),
    pages: (route, ...[request]) => eachPage(send, route, request ?? {}) as AsyncGenerator<never>,
    rows: (route, ...[request]) => eachRow(send, route, request ?? {}) as AsyncGenerator<never>,
    place: (route, request) => placeOrder(send, route, request, absence()) as Promise<never>,
    ended: (executionId, { signal } = {}) => follower.ended(executionId, signal),
    events,
    tradeAccount,
    get accountChannel() {
      const account = options.tradeAccountId;
      if (account !== undefined) return `user:${account}`;
      throw new TandemError(
        'The client was made without a tradeAccountId: use events() without channels, or await tradeAccount()',
      );
    },
  };
}

/** Resolves with the trade account that was given; else it is looked up once. */
function lookedUp(transport: Send, given: string | undefined): () => Promise<string> {
  let known: Promise<string> | null = given === undefined ? null : Promise.resolve(given);
  return () => {
    known ??= typed(transport)('GET /trade-accounts')
      .then(({ tradeAccounts }) => onlyAccount(tradeAccounts).id)
      .catch((error: unknown) => {
        known = null;
        throw error;
      });
    return known;
  };
}

/** Names the caller's trade account in every request that is about one and names none. */
function withAccount(transport: Send, tradeAccount: () => Promise<string>): Send {
  return async (route, request = {}) => {
    if (request.tradeAccountId !== undefined || !isOfAnAccount(route)) return transport(route, request);
    return transport(route, { ...request, tradeAccountId: await tradeAccount() });
  };
}

/** As `ask`, again and again while the gateway does not answer. */
async function patiently<T>(ask: () => Promise<T>, absence: Absence, signal?: AbortSignal): Promise<T> {
  const patience = new Patience(LONGEST_PAUSE_MS);
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isUnsure(error)) throw error;
      const gone = error instanceof GatewayUnreachable ? absence.missed(error) : absence.answered();
      if (gone) throw gone;
    }
    await patience.wait(signal);
  }
}

function transportOf(url: string, options: ClientOptions, credentials: Credentials): Send {
  return createTransport({
    url,
    credentials,
    tradeAccountId: options.tradeAccountId ?? null,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    checkAnswer: options.checkAnswer ?? null,
    // Called as a plain function, because a browser's fetch refuses another `this`.
    fetch: options.bound?.fetch ?? options.fetch ?? ((input, init) => fetch(input, init)),
  });
}

function credentialsOf(url: string, options: ClientOptions): Credentials {
  if (options.apiKey !== undefined) return apiKeyCredentials(options.apiKey);
  const refresh = (body: { readonly refreshToken?: string }, withCookies: boolean) =>
    typed(transportOf(url, options, { ...anonymous, withCookies }))('POST /auth/session/refresh', { body });
  if (options.session !== undefined) {
    return sessionCredentials(
      options.session,
      (refreshToken) => refresh(refreshToken === undefined ? {} : { refreshToken }, false),
      options.onTokens ?? (() => undefined),
    );
  }
  if (options.bound === undefined && options.cookie !== true) return anonymous;
  const credentials =
    options.bound?.credentials(ticket) ??
    cookieCredentials(() => refresh({}, true), options.realtime === undefined ? null : ticket);
  async function ticket(): Promise<string> {
    return (await typed(transportOf(url, options, credentials))('POST /auth/ws-ticket')).ticket;
  }
  return credentials;
}

function originOf(url: string | undefined): string {
  const page: unknown = Reflect.get(globalThis, 'location');
  if (url === undefined && page === undefined) return DEFAULT_URL;
  // Not `origin`, which is `null` for the scheme of the desktop app.
  const { protocol, host } = new URL(url ?? String(page));
  return `${protocol}//${host}`;
}

export { BoundSession, type BoundSessionOptions } from './bound-session.ts';
export type { SessionTokens } from './credentials.ts';
export {
  AutoRebalanceRefused,
  CredentialsNotStored,
  Forbidden,
  GatewayFailure,
  GatewayUnreachable,
  LimitRefused,
  NoAnswer,
  NothingToDo,
  NotSupported,
  OutcomeUnknown,
  Refusal,
  ResourceBusy,
  ResourceNotFound,
  StreamRefused,
  SyncTooEarly,
  TandemError,
  TradeAccountNotChosen,
  Unauthorized,
  UnexpectedAnswer,
  ValidationFailed,
} from './errors.ts';
export type { StreamOptions } from './event-stream.ts';
export { createPageKey, type PageKey } from './key-proof.ts';
export type { PlaceSettings } from './place-order.ts';
export type { ResumePoint } from './resume-points.ts';
export type { Answer, Execution, PagedRoute, PlacingRoute, Request, RouteName, Row } from './route-types.ts';
export type { AccountEvent, MarketRows, Resync, StreamMessage, Subscribed } from './stream-messages.ts';
export type { AnswerCheck } from './transport.ts';
export { verifyWebhook, WebhookRefused, type WebhookRequest } from './webhooks.ts';
export { deriveBasketKey };
