/** `GET /health` while the rest is being opened: whoever watches the process sees it alive, and what it tells is on `/ready`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { CHALLENGE_HEADER } from '../contract/shell-identity.ts';
import { PRIVATE_JSON_HEADERS } from './answer.ts';
import type { Guard } from './guard.ts';

export const ALIVE = JSON.stringify({ status: 'ok' });

/** True when it has answered; everything else waits for the routes, what the guard refuses too. */
export function answerLiveness(guard: Guard): (req: IncomingMessage, res: ServerResponse) => boolean {
  return (req, res) => {
    if (req.method !== 'GET' || req.url !== '/health' || guard.check(req) !== null) return false;
    // Who wants a proof of who we are waits for the route that can give it.
    if (req.headers[CHALLENGE_HEADER] !== undefined) return false;
    res.writeHead(200, { ...PRIVATE_JSON_HEADERS, 'content-length': ALIVE.length }).end(ALIVE);
    return true;
  };
}
