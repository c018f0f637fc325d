/** Re-reads the accounts, and data that depend on them, after a change. */
import { queries } from '../../api/client.ts';
import { readAnew } from '../../api/queries.ts';
import { refreshAccounts } from '../../api/session.ts';

/**
 * Re-reads the accounts for every view, the switcher included, and the venues, which start with the first account. With
 * `everything` (after a reset) re-reads all other data too.
 */
export async function readAccountsAnew(everything = false): Promise<void> {
  await Promise.all([
    refreshAccounts(),
    everything ? queries.invalidateQueries() : readAnew('GET /trade-accounts'),
    everything ? null : readAnew('GET /connectors'),
  ]);
}
