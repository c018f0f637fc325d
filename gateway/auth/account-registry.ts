/** Trade accounts in memory. Changes of one account happen one after the other, on disk first. */

import type { AccountDirectory } from '../call/authenticator.ts';
import type { Principal, TradeAccount } from '../domain/model.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import type { StoreError, UnitOfWork } from '../engine/ports/unit-of-work.ts';
import type { AuthStore } from './auth-store.ts';
import { createKeyedLock } from './keyed-lock.ts';

export type MissingAccount = { readonly kind: 'not_found' };

export interface AccountRegistry extends AccountDirectory {
  get(id: string): TradeAccount | undefined;
  all(): readonly TradeAccount[];
  /** Accounts that the caller may see, oldest first. */
  list(principal: Principal): readonly TradeAccount[];
  /** Adds an account to the registry after the commit that created it. */
  adopt(account: TradeAccount): void;
  /** Commits an account together with `together`: a new row, or, inside `exclusively`, a changed one. */
  save(account: TradeAccount, together?: UnitOfWork): Promise<Result<TradeAccount, StoreError>>;
  /**
   * Deletes the account. Nothing finds it from this call on, unless the deletion fails. Callers that rely on its end
   * have to await it.
   * @param before runs before the commit
   * @param commit of the deletion, together with its further rows
   */
  remove(
    id: string,
    before: () => Promise<unknown>,
    commit: (deletion: UnitOfWork) => Promise<Result<unknown, StoreError>>,
  ): Promise<Result<void, StoreError>>;
  /** Runs `task` with the account as stored; no other change of the account runs meanwhile. */
  exclusively<T, E>(
    id: string,
    task: (account: TradeAccount) => Promise<Result<T, E>>,
  ): Promise<Result<T, E | MissingAccount>>;
}

export function createAccountRegistry(store: AuthStore, loaded: readonly TradeAccount[]): AccountRegistry {
  const accounts = new Map<string, TradeAccount>(loaded.map((account) => [account.id, account]));
  const leaving = new Set<string>();
  const lock = createKeyedLock();

  function get(id: string): TradeAccount | undefined {
    return leaving.has(id) ? undefined : accounts.get(id);
  }

  function visible(principal: Principal, account: TradeAccount): boolean {
    if (account.userId !== principal.userId) return false;
    return (
      principal.kind !== 'api_key' ||
      principal.tradeAccountIds === null ||
      principal.tradeAccountIds.has(account.id)
    );
  }

  async function save(
    account: TradeAccount,
    together: UnitOfWork = {},
  ): Promise<Result<TradeAccount, StoreError>> {
    const committed = await store.commit({ ...together, accounts: [account] });
    if (!committed.ok) return committed;
    accounts.set(account.id, account);
    return ok(account);
  }

  return {
    get,
    find(principal, id) {
      const account = get(id);
      return account !== undefined && visible(principal, account) ? account : undefined;
    },
    all: () => [...accounts.values()].filter((account) => !leaving.has(account.id)),
    list: (principal) =>
      [...accounts.values()]
        .filter((account) => !leaving.has(account.id) && visible(principal, account))
        .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)),
    adopt: (account) => {
      accounts.set(account.id, account);
    },
    save,
    async remove(id, before, commit) {
      leaving.add(id);
      try {
        await before();
        const committed = await commit({ deletes: [{ from: 'accounts', id }] });
        if (!committed.ok) return committed;
        accounts.delete(id);
        return ok(undefined);
      } finally {
        leaving.delete(id);
      }
    },
    exclusively: (id, task) =>
      lock.run(id, async () => {
        const account = get(id);
        return account === undefined ? fail({ kind: 'not_found' as const }) : task(account);
      }),
  };
}
