/**
 * One request on its way through the checks, in the order that the service promises:
 * (host and origin, before this) → body size and syntax → authentication → method and scope of the credential →
 * trade account named → trade account is the caller's → path, query, body validation → handler.
 *
 * It runs on callbacks: on the hot path (API key in memory, short body) no promise is made before the handler's own.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { RouteContract } from '../contract/route.ts';
import type { Principal, TradeAccount } from '../domain/model.ts';
import type { AnonymousTurns } from './anonymous-turns.ts';
import { sendError, sendReply } from './answer.ts';
import type { Answerable, AnswerTurn } from './answer-turn.ts';
import type { CompiledRoute, UntypedCall } from './compiled-route.ts';
import type { Guard } from './guard.ts';
import type { AccountDirectory, Authentication, Authenticator, Reply } from './handler.ts';
import {
  ANONYMOUS_BODY_LIMIT_BYTES,
  checkContentType,
  declaredLength,
  hasBody,
  parseJson,
  readBody,
} from './middleware/body.ts';
import { acceptPrincipal } from './middleware/credentials.ts';
import type { PresentError } from './middleware/errors.ts';
import { requireTradeAccount } from './middleware/trade-account.ts';
import { type ValidInput, validate } from './middleware/validation.ts';
import { type PeerStanding, standingOf } from './peer-standing.ts';
import { pathOf, queryOf } from './request-target.ts';
import { isTrustedSocket, trustSocket } from './trusted-sockets.ts';

export interface ExchangeDeps {
  readonly turn: AnswerTurn;
  readonly anonymous: AnonymousTurns;
  readonly authenticator: Authenticator;
  /** Who has the key that the header `DPoP` proves. Rejects with the refusal of a proof that counts for nothing. */
  readonly authenticateProof: (
    headers: IncomingHttpHeaders,
    request: { readonly method: string; readonly path: string },
  ) => Promise<Authentication>;
  readonly accounts: AccountDirectory;
  readonly guard: Guard;
  /** Value of `WWW-Authenticate` on a 401. */
  readonly challenge: () => string;
  readonly presentError: PresentError;
  readonly now: () => number;
}

class HandlerCall implements UntypedCall {
  readonly principal: Principal | null;
  readonly account: TradeAccount | null;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
  readonly #req: IncomingMessage;
  constructor(
    req: IncomingMessage,
    principal: Principal | null,
    account: TradeAccount | null,
    input: ValidInput,
  ) {
    this.#req = req;
    this.headers = req.headers;
    this.principal = principal;
    this.account = account;
    this.params = input.params;
    this.query = input.query;
    this.body = input.body;
  }
  /** Asking the socket costs a system call on a new connection; most handlers never do. */
  get ip(): string {
    return this.#req.socket.remoteAddress ?? '';
  }
  get peer(): PeerStanding {
    return standingOf(this.#req.socket);
  }
  get connection(): Duplex {
    return this.#req.socket;
  }
}

const NO_REPLY: Reply<RouteContract> = Object.freeze({});

export class Exchange implements Answerable {
  readonly #deps: ExchangeDeps;
  readonly #req: IncomingMessage;
  readonly #res: ServerResponse;
  readonly #route: CompiledRoute;
  readonly #params: Readonly<Record<string, string>>;
  /** Origin form: path and query. */
  readonly #target: string;
  readonly #startedAt: number;
  #body: unknown;
  #reply: Reply<RouteContract> = NO_REPLY;

  constructor(
    deps: ExchangeDeps,
    req: IncomingMessage,
    res: ServerResponse,
    route: CompiledRoute,
    params: Readonly<Record<string, string>>,
    target: string,
  ) {
    this.#deps = deps;
    this.#req = req;
    this.#res = res;
    this.#route = route;
    this.#params = params;
    this.#target = target;
    this.#startedAt = deps.now();
    this.#body = route.absentBody;
  }

  /** Never throws: whatever happens becomes an answer. */
  start(): void {
    if (!this.#route.mutates || !hasBody(this.#req)) {
      this.#identify();
      return;
    }
    try {
      checkContentType(this.#req);
    } catch (error) {
      this.#fail(error);
      return;
    }
    const declared = declaredLength(this.#req);
    if (
      this.#route.contract.auth === 'P' ||
      (declared ?? Number.POSITIVE_INFINITY) <= ANONYMOUS_BODY_LIMIT_BYTES
    )
      this.#read(this.#route.bodyLimitBytes, null);
    else this.#authenticate((authentication) => this.#readLong(authentication));
  }

  /** A long body is kept and parsed for a caller with a credential only; the others get the 401 that awaits them. */
  #readLong(authentication: Authentication): void {
    this.#read(authentication.ok ? this.#route.bodyLimitBytes : ANONYMOUS_BODY_LIMIT_BYTES, authentication);
  }

  #read(keepBytes: number, early: Authentication | null): void {
    readBody(
      this.#req,
      { limitBytes: this.#route.bodyLimitBytes, keepBytes },
      (bytes) => {
        if (bytes === null) {
          if (early !== null) this.#admit(early);
        } else if (isTrustedSocket(this.#req.socket)) {
          this.#parse(bytes);
        } else {
          this.#deps.anonymous.run(
            this.#req.socket,
            () => this.#parse(bytes),
            () => this.#deps.authenticator.knows?.(this.#req.headers) === true,
          );
        }
      },
      (error) => this.#fail(error),
    );
  }

  #parse(bytes: Buffer): void {
    // A chunked message may turn out to hold nothing; that is an absent body.
    if (bytes.length > 0) {
      try {
        this.#body = parseJson(bytes);
      } catch (error) {
        this.#fail(error);
        return;
      }
    }
    this.#identify();
  }

  #identify(): void {
    if (this.#route.contract.auth === 'P') {
      this.#enter(null);
      return;
    }
    this.#authenticate((authentication) => this.#admit(authentication));
  }

  #authenticate(then: (authentication: Authentication) => void): void {
    let authentication: Authentication | Promise<Authentication>;
    try {
      authentication = this.#provesKey()
        ? this.#deps.authenticateProof(this.#req.headers, {
            method: this.#route.contract.method,
            path: pathOf(this.#target),
          })
        : this.#deps.authenticator.authenticate(this.#req.headers);
    } catch (error) {
      this.#fail(error);
      return;
    }
    if (authentication instanceof Promise) {
      authentication.then(then, (error: unknown) => this.#fail(error));
    } else {
      then(authentication);
    }
  }

  /** Explicit credentials decide before a proof, as they do before a cookie. */
  #provesKey(): boolean {
    if (this.#route.contract.byProof !== true) return false;
    const { headers } = this.#req;
    return (
      headers['dpop'] !== undefined &&
      headers['x-api-key'] === undefined &&
      headers.authorization === undefined
    );
  }

  #admit(authentication: Authentication): void {
    const { guard, challenge } = this.#deps;
    let principal: Principal;
    try {
      principal = acceptPrincipal(authentication, this.#route.contract, this.#req, guard, challenge);
    } catch (error) {
      this.#fail(error);
      return;
    }
    trustSocket(this.#req.socket);
    this.#enter(principal);
  }

  #enter(principal: Principal | null): void {
    const route = this.#route;
    let reply: Reply<RouteContract> | Promise<Reply<RouteContract>>;
    try {
      const account =
        route.contract.account === true && principal !== null
          ? requireTradeAccount(this.#req.headers, principal, this.#deps.accounts)
          : null;
      const input = validate(route.schemas, this.#params, queryOf(this.#target), this.#body);
      reply = route.handle(new HandlerCall(this.#req, principal, account, input));
    } catch (error) {
      this.#fail(error);
      return;
    }
    if (reply instanceof Promise) {
      reply.then(
        (answer) => this.#answerInTurn(answer),
        (error: unknown) => this.#fail(error),
      );
    } else {
      this.#answer(reply);
    }
  }

  /** Writing an answer is work too: megabytes of a page are copied into the connection. */
  #answerInTurn(reply: Reply<RouteContract>): void {
    if (isTrustedSocket(this.#req.socket)) {
      this.#answer(reply);
    } else if (this.#res.socket === null) {
      // Asked before the last answer was out: written now, it would be flushed with that one, in no turn of its own.
      this.#res.once('socket', () => this.#answerInTurn(reply));
    } else {
      this.#deps.anonymous.run(this.#req.socket, () => {
        this.#reply = reply;
        this.writeAnswer();
      });
    }
  }

  #answer(reply: Reply<RouteContract>): void {
    this.#reply = reply;
    this.#deps.turn.answer(this);
  }

  writeAnswer(): void {
    try {
      this.#done(sendReply(this.#res, this.#route, this.#reply));
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    const answer = this.#deps.presentError(error, {
      method: this.#req.method ?? '',
      path: pathOf(this.#target),
    });
    if (this.#res.headersSent) {
      // Half an answer cannot be taken back; cutting the connection is how the client learns of it.
      this.#res.destroy();
    } else {
      sendError(this.#res, answer);
    }
    this.#done(answer.status);
  }

  #done(status: number): void {
    this.#route.series.record(status, this.#deps.now() - this.#startedAt);
  }
}
