/** The last two: the handler's reply, and the answer made of it. */
import { once } from 'node:events';
import type { AnonymousTurns } from '../anonymous-turns.ts';
import { answer } from '../answer.ts';
import { standingOf } from '../peer-standing.ts';
import type { Check } from '../request-state.ts';
import { isTrustedSocket } from '../trusted-sockets.ts';

export function callHandler(anonymous: AnonymousTurns): Check {
  return async ({ req, res, state }, next) => {
    const { socket } = req;
    const reply = state.route.handle({
      ...state.input,
      principal: state.principal,
      account: state.account,
      headers: req.headers,
      ip: socket.remoteAddress ?? '',
      peer: standingOf(socket),
      connection: socket,
    });
    state.reply = await reply;
    if (reply instanceof Promise && !isTrustedSocket(socket)) {
      // Asked before the last answer was out: written now, it would be flushed with that one, in no turn of its own.
      if (res.socket === null) await once(res, 'socket');
      // Writing an answer is work too: megabytes of a page are copied into the connection.
      await anonymous.turn(socket);
    }
    return next();
  };
}

export const present: Check = (ctx) => {
  const { route, reply } = ctx.state;
  const json = reply.json ?? (reply.body === undefined ? undefined : JSON.stringify(reply.body));
  answer(ctx, reply.status ?? route.defaultStatus, route.headers, reply.headers ?? {}, reply.raw ?? json);
};
