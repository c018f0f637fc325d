/**
 * Tickets for the WebSocket: a browser cannot set headers on an upgrade and a token must not stand in a URL, so a session
 * gets a ticket that is good once, for 30 seconds. Tickets are only in memory: a restart voids them.
 */
import type { Principal } from '../domain/model.ts';
import type { Clock } from '../engine/ports/system.ts';
import { randomSecret, sha256Hex } from './secret-text.ts';
import type { Sessions } from './sessions.ts';

const LIFETIME_MS = 30_000;

export interface WsTickets {
  /** `expiresAt`: epoch ms. */
  issue(principal: Extract<Principal, { kind: 'session' }>): {
    readonly ticket: string;
    readonly expiresAt: number;
  };
  /** null: the ticket is unknown, used or expired, or its session has ended. */
  redeem(ticket: string): Principal | null;
}

export function createWsTickets(clock: Clock, sessions: Pick<Sessions, 'alive'>, maxOpen = 1_000): WsTickets {
  const open = new Map<
    string,
    { readonly principal: Principal & { kind: 'session' }; readonly expiresAt: number }
  >();
  return {
    issue(principal) {
      const ticket = randomSecret();
      const expiresAt = clock.now() + LIFETIME_MS;
      open.set(sha256Hex(ticket), { principal, expiresAt });
      if (open.size > maxOpen) {
        const [oldest] = open.keys();
        if (oldest !== undefined) open.delete(oldest);
      }
      return { ticket, expiresAt };
    },
    redeem(ticket) {
      const hash = sha256Hex(ticket);
      const entry = open.get(hash);
      open.delete(hash);
      if (entry === undefined || clock.now() >= entry.expiresAt) return null;
      return sessions.alive(entry.principal.sessionId) === undefined ? null : entry.principal;
    },
  };
}
