/** After a change: the accounts, and what hangs on them, as they are now. */
import { queries } from '../../api/client.ts';
import { refreshAccounts } from '../../api/session.ts';
import { readAnew } from '../../features/read-anew/read-anew.ts';

/** Everywhere the accounts are shown, the switcher included; after a reset what was held is history too. */
export async function readAccountsAnew(everything = false): Promise<void> {
  await Promise.all([
    refreshAccounts(),
    everything ? queries.invalidateQueries() : readAnew('GET /trade-accounts'),
  ]);
}
