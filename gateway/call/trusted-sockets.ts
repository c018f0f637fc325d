/**
 * Connections on which a valid credential has been shown. Trusted connections do not wait behind those without a
 * credential (`anonymous-turns.ts`) and keep their places (`connection-places.ts`). Trust permits nothing more: every
 * request is still authenticated.
 */
import type { Duplex } from 'node:stream';

const trusted = new WeakSet<Duplex>();

export function trustSocket(socket: Duplex): void {
  trusted.add(socket);
}

export function isTrustedSocket(socket: Duplex): boolean {
  return trusted.has(socket);
}
