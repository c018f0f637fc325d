/**
 * `/register` and `/authorize` are open to everyone, and each call is a transaction of its own in the one writer that
 * orders wait for too. They go one at a time: however many come at once, an order finds at most one of them before it.
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
