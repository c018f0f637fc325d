/** Owner of the program at the other end of a connection. */

/**
 * `own`: the gateway's own user. `admitted`: another user who may connect. `unknown`: the user could not be
 * determined.
 */
export type PeerStanding = 'own' | 'admitted' | 'unknown';

const standings = new WeakMap<object, PeerStanding>();

export function rememberStanding(socket: object, standing: PeerStanding): void {
  standings.set(socket, standing);
}

/** Standing of the connection that a request came on; `unknown` where no check ran. */
export function standingOf(socket: object): PeerStanding {
  return standings.get(socket) ?? 'unknown';
}

/** Marks a connection on a socket that only the gateway's own user can reach. */
export function takeAsOwn(socket: object): void {
  standings.set(socket, 'own');
}
