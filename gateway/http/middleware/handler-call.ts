/** The last two steps of a route: calling its handler, and turning the handler's reply into an answer. */
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Context } from 'koa';
import type { AnonymousTurns } from '../../call/anonymous-turns.ts';
import { type PeerStanding, standingOf } from '../../call/peer-standing.ts';
import { isTrustedSocket } from '../../call/trusted-sockets.ts';
import { answer } from '../answer.ts';
import type { Check, RouteState } from '../request-state.ts';

/** Argument of a handler; `ip` and `peer` are looked up only when the handler reads them. */
class HandlerCall {
  readonly principal: RouteState['principal'];
  readonly account: RouteState['account'];
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
  readonly connection: Socket;
  readonly worstPrices: RouteState['worstPrices'];
  constructor(req: IncomingMessage, { principal, account, input, worstPrices }: RouteState) {
    this.principal = principal;
    this.account = account;
    this.params = input.params;
    this.query = input.query;
    this.body = input.body;
    this.headers = req.headers;
    this.connection = req.socket;
    this.worstPrices = worstPrices;
  }
  get ip(): string {
    return this.connection.remoteAddress ?? '';
  }
  get peer(): PeerStanding {
    return standingOf(this.connection);
  }
}

export function callHandler(anonymous: AnonymousTurns): Check {
  /** Waits for a turn to write a large answer, because copying megabytes into the connection takes time. */
  const inTurn = async ({ req: { socket }, res }: Pick<Context, 'req' | 'res'>) => {
    // A pipelined request has no socket until the previous answer is out. It waits for one, or it would write outside
    // its turn.
    if (res.socket === null) await once(res, 'socket');
    await anonymous.turn(socket);
  };
  return (ctx, next) => {
    const { req, state } = ctx;
    const { route } = state;
    const call = new HandlerCall(req, state);
    const refuse = (error: unknown): never => {
      route.failed?.(call, error);
      throw error;
    };
    let reply: ReturnType<typeof route.handle>;
    try {
      reply = route.handle(call);
    } catch (error) {
      return refuse(error);
    }
    if (!(reply instanceof Promise)) {
      state.reply = reply;
      return next();
    }
    return reply.then((made) => {
      state.reply = made;
      return isTrustedSocket(req.socket) ? next() : inTurn(ctx).then(next);
    }, refuse);
  };
}

export const present: Check = (ctx) => {
  const { route, reply } = ctx.state;
  const json = reply.json ?? (reply.body === undefined ? undefined : JSON.stringify(reply.body));
  answer(ctx, reply.status ?? route.defaultStatus, route.headers, reply.headers ?? {}, reply.raw ?? json);
};
