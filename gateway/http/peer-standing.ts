/** Whose program is at the other end of a connection. */

/** `own`: the gateway's own user. `admitted`: another one who may connect. `unknown`: nobody could tell. */
export type PeerStanding = 'own' | 'admitted' | 'unknown';

const standings = new WeakMap<object, PeerStanding>();

export function rememberStanding(socket: object, standing: PeerStanding): void {
  standings.set(socket, standing);
}

/** Of the connection that a request came on; `unknown` where nothing was checked. */
export function standingOf(socket: object): PeerStanding {
  return standings.get(socket) ?? 'unknown';
}

/** A way in that only this user has. */
export function takeAsOwn(socket: object): void {
  standings.set(socket, 'own');
}
