import { fail } from '../../gateway/domain/result.ts';
import type { Store } from '../../gateway/engine/ports/store.ts';
import { openStore } from '../../gateway/store/open-store.ts';

/** Opens a store that cannot write down revocations of grants while its disk is full. */
export function storeOnDisk(disk: { readonly isFull: boolean }): typeof openStore {
  return async (options): Promise<Store> => {
    const store = await openStore(options);
    const { oauth } = store;
    const revokeGrant: typeof oauth.revokeGrant = async (...given) =>
      disk.isFull ? fail({ kind: 'unavailable', message: 'full' }) : oauth.revokeGrant(...given);
    return { ...store, oauth: { ...oauth, revokeGrant } };
  };
}
