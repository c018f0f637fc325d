/**
 * Links that sign a browser in without a password, for the person who started the gateway: the owner of its data folder
 * could read and change everything in it anyway. A ticket is good once, for a minute, is only in memory, and signs in
 * as the gateway's first user.
 */
import type { User } from '../domain/model.ts';
import type { Clock } from '../engine/ports/system.ts';
import { randomSecret, sha256Hex } from './secret-text.ts';
import type { Users } from './users.ts';

const LIFETIME_MS = 60_000;
/** Maximum open tickets, more than one start needs; a further one invalidates the oldest. */
const MAX_OPEN = 4;

export interface SignInLinks {
  /** null: nobody has registered yet. */
  issue(): string | null;
  /** undefined: the ticket is unknown, used or expired. */
  redeem(ticket: string): User | undefined;
}

export function createSignInLinks(
  clock: Pick<Clock, 'now'>,
  users: Pick<Users, 'first' | 'byId'>,
): SignInLinks {
  const open = new Map<string, { readonly userId: string; readonly expiresAt: number }>();
  return {
    issue() {
      const user = users.first();
      if (user === undefined) return null;
      const ticket = randomSecret();
      open.set(sha256Hex(ticket), { userId: user.id, expiresAt: clock.now() + LIFETIME_MS });
      const [oldest] = open.keys();
      if (open.size > MAX_OPEN && oldest !== undefined) open.delete(oldest);
      return ticket;
    },
    redeem(ticket) {
      const hash = sha256Hex(ticket);
      const entry = open.get(hash);
      open.delete(hash);
      if (entry === undefined || clock.now() >= entry.expiresAt) return undefined;
      return users.byId(entry.userId);
    },
  };
}
