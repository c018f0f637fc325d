/**
 * Connections on which a valid credential has been shown. They do not wait behind those without (`anonymous-turns.ts`), and
 * their places are not taken for them (`connection-places.ts`). Nothing is allowed by it: every request still proves itself.
 */
import type { Duplex } from 'node:stream';

const trusted = new WeakSet<Duplex>();

export function trustSocket(socket: Duplex): void {
  trusted.add(socket);
}

export function isTrustedSocket(socket: Duplex): boolean {
  return trusted.has(socket);
}
