import type { Store } from '../engine/ports/store.ts';

/** The part of the store that authentication needs. All its rows are loaded at start and held in memory. */
export type AuthStore = Pick<Store, 'commit' | 'setting' | 'users' | 'sessions' | 'apiKeys' | 'accounts'>;
