/**
 * Runs the writes of `/register` and `/authorize` one after the other. Both routes are open to everyone, and each
 * call is a transaction in the single writer that orders use too: one at a time, an order waits for at most one of
 * them.
 */
import { createKeyedLock } from '../auth/keyed-lock.ts';
import type { OAuthStore } from '../engine/ports/oauth.ts';

export function withOpenWritesInLine(store: OAuthStore): OAuthStore {
  const lock = createKeyedLock();
  return {
    ...store,
    addClient: (client, max) => lock.run('open', () => store.addClient(client, max)),
    addInteraction: (interaction, max) => lock.run('open', () => store.addInteraction(interaction, max)),
  };
}
