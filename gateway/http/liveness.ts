/** `GET /health` while the gateway is starting: a watcher sees a living process; `/ready` has the details. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Guard } from '../call/guard.ts';
import { CHALLENGE_HEADER } from '../contract/shell-identity.ts';
import { PRIVATE_JSON_HEADERS } from './answer.ts';

const ALIVE = JSON.stringify({ status: 'ok' });

/** Returns true when it has answered; other requests wait for the routes, also those the guard refuses. */
export function answerLiveness(guard: Guard): (req: IncomingMessage, res: ServerResponse) => boolean {
  return (req, res) => {
    if (req.method !== 'GET' || req.url !== '/health' || guard.check(req) !== null) return false;
    // A request that asks the gateway to prove its identity waits until the route that can do so is ready.
    if (req.headers[CHALLENGE_HEADER] !== undefined) return false;
    res.writeHead(200, { ...PRIVATE_JSON_HEADERS, 'content-length': ALIVE.length }).end(ALIVE);
    return true;
  };
}
