import type { Store } from '../engine/ports/store.ts';

/**
 * The part of the store that authentication needs. Its rows are loaded once at start and then held in memory.
 */
export type AuthStore = Pick<Store, 'commit' | 'users' | 'sessions' | 'apiKeys' | 'accounts'>;
