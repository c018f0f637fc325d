import type { Store } from '../engine/ports/store.ts';

/** What authentication needs of the store. Everything is loaded once at start and then held in memory. */
export type AuthStore = Pick<Store, 'commit' | 'users' | 'sessions' | 'apiKeys' | 'accounts'>;
