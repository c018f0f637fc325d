/**
 * Trading keys that the owner's wallet approves. The key is made here and waits in the vault under
 * `venue:pending:<id>`; the page gets only the data that the wallet will sign.
 */
import { z } from 'zod';
import { fail, ok, type Result } from '../domain/result.ts';
import type { Store } from '../engine/ports/store.ts';
import type { Clock, Ids } from '../engine/ports/system.ts';
import type { Vault } from '../engine/ports/vault.ts';
import type {
  CredentialRefusal,
  CredentialReport,
  Venue,
  VenueCredentials,
  Venues,
  WalletApproval,
  WalletRequest,
} from '../engine/ports/venue.ts';
import {
  type CredentialsNotStored,
  type CredentialVault,
  networkOf,
  storeSecret,
} from './account-credentials.ts';
import { createKeyedLock } from './keyed-lock.ts';

/** Setting with the pending keys, so that expired ones are erased after a restart too. */
const WAITING = 'wallet-approvals';
/** Time an answered approval stays after it expires: its completion may still be on its way. */
const GRACE_MS = 60_000;
/** Keys that one user may let wait; more replace the oldest. */
const MOST_WAITING = 5;

const waitingList = z.array(z.strictObject({ id: z.string(), userId: z.string(), expiresAt: z.number() }));
type Waiting = z.infer<typeof waitingList>[number];

const kept = z.strictObject({
  userId: z.string(),
  connector: z.string(),
  address: z.string(),
  chainId: z.number(),
  credentials: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  toSign: z.union([z.strictObject({ message: z.string() }), z.strictObject({ typedData: z.unknown() })]),
  carried: z.string().optional(),
  terms: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  expiresAt: z.number(),
});

export interface PreparedApproval extends Pick<WalletApproval, 'toSign' | 'terms' | 'expiresAt'> {
  readonly id: string;
}

export interface ApprovedKey {
  readonly connector: string;
  readonly credentials: VenueCredentials;
  readonly report: CredentialReport;
}

export type ApprovalError =
  | { readonly kind: 'unknown_connector' }
  /** No wallet can make a key for the connector. */
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'expired' }
  | CredentialsNotStored
  | { readonly kind: 'credentials'; readonly refusal: CredentialRefusal };

export interface WalletApprovals {
  prepare(
    userId: string,
    connector: string,
    request: Pick<WalletRequest, 'address' | 'chainId'>,
  ): Promise<Result<PreparedApproval, ApprovalError>>;
  /** Lets a key wait that was made elsewhere. */
  keep(
    userId: string,
    connector: string,
    request: Pick<WalletRequest, 'address' | 'chainId'>,
    approval: WalletApproval,
  ): Promise<Result<PreparedApproval, ApprovalError>>;
  /** Id of the user's pending key that carries this; null: there is none. */
  carrying(userId: string, connector: string, carried: string): Promise<string | null>;
  /**
   * Sends the signature to the venue, then runs `use` with the key; the key is erased here once `use` returns true.
   * @param use true: the key is stored elsewhere now
   */
  complete<T>(
    userId: string,
    connector: string,
    id: string,
    signature: string,
    use: (key: ApprovedKey) => Promise<{ readonly isKept: boolean; readonly value: T }>,
  ): Promise<Result<T, ApprovalError>>;
  /** True: there was a pending key. */
  cancel(userId: string, connector: string, id: string): Promise<boolean>;
  /** Erases expired keys; runs at start. */
  clean(): Promise<void>;
}

export function createWalletApprovals(deps: {
  readonly store: Pick<Store, 'setting' | 'commit'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly vault: Vault;
  readonly venues: Pick<Venues, 'get'>;
  readonly admitsLive: CredentialVault['admitsLive'];
}): WalletApprovals {
  const { store, clock, ids, vault, venues } = deps;
  const lock = createKeyedLock();
  const nameOf = (id: string) => `venue:pending:${id}`;

  async function waiting(): Promise<Waiting[]> {
    const text = await store.setting(WAITING);
    const list = text === null ? null : waitingList.safeParse(JSON.parse(text));
    return list?.success === true ? list.data : [];
  }

  /** The list names a key before the vault holds it, and until the vault has erased it. */
  async function keepList(list: readonly Waiting[]): Promise<void> {
    const saved = await store.commit({ settings: [{ key: WAITING, value: JSON.stringify(list) }] });
    if (!saved.ok) throw new Error(`wallet approvals were not kept: ${saved.error.message}`);
  }

  const changeList = (change: (list: Waiting[]) => Promise<Waiting[]>): Promise<void> =>
    lock.run('list', async () => keepList(await change(await waiting())));

  async function drop(id: string): Promise<boolean> {
    const existed = await vault.delete(nameOf(id));
    await changeList(async (list) => list.filter((one) => one.id !== id));
    return existed;
  }

  async function find(userId: string, connector: string, id: string) {
    const text = await vault.get(nameOf(id));
    const read = text === null ? null : kept.safeParse(JSON.parse(text));
    if (read?.success !== true || read.data.userId !== userId || read.data.connector !== connector)
      return null;
    return read.data;
  }

  async function wait(
    userId: string,
    connector: string,
    { address, chainId }: Pick<WalletRequest, 'address' | 'chainId'>,
    { credentials, toSign, carried, terms, expiresAt }: WalletApproval,
  ): Promise<Result<PreparedApproval, CredentialsNotStored>> {
    const id = ids.next();
    await changeList(async (list) => {
      const others = list.filter((one) => one.userId !== userId);
      const own = list.filter((one) => one.userId === userId);
      const kept = own.slice(-(MOST_WAITING - 1));
      // A key that the vault does not erase stays on the list, so that it is erased later.
      for (const one of own) {
        if (kept.includes(one)) continue;
        const isErased = await vault.delete(nameOf(one.id)).then(
          () => true,
          () => false,
        );
        if (!isErased) others.push(one);
      }
      return [...others, ...kept, { id, userId, expiresAt }];
    });
    const entry = { userId, connector, address, chainId, credentials, toSign, carried, terms, expiresAt };
    const stored = await storeSecret(vault, nameOf(id), JSON.stringify(entry));
    if (stored.ok) return ok({ id, toSign, terms, expiresAt });
    await changeList(async (list) => list.filter((one) => one.id !== id));
    return stored;
  }

  return {
    async prepare(userId, connector, { address, chainId }) {
      const venue = venues.get(connector);
      if (venue === undefined) return fail({ kind: 'unknown_connector' });
      if (venue.prepareWallet === undefined) return fail({ kind: 'unsupported' });
      const admitted = deps.admitsLive();
      if (!admitted.ok) return admitted;
      const made = await venue.prepareWallet({ address, chainId, network: networkOf(venue) });
      if (!made.ok) return fail({ kind: 'credentials', refusal: made.error });
      return wait(userId, connector, { address, chainId }, made.value);
    },

    async keep(userId, connector, request, approval) {
      const admitted = deps.admitsLive();
      if (!admitted.ok) return admitted;
      return wait(userId, connector, request, approval);
    },

    async carrying(userId, connector, carried) {
      for (const one of await waiting()) {
        const entry = one.userId === userId ? await find(userId, connector, one.id) : null;
        if (entry?.carried === carried) return one.id;
      }
      return null;
    },

    complete: (userId, connector, id, signature, use) =>
      lock.run(id, async () => {
        const entry = await find(userId, connector, id);
        if (entry === null) return fail({ kind: 'not_found' });
        const { address, chainId, credentials, toSign, carried, terms, expiresAt } = entry;
        if (clock.now() > expiresAt) {
          await drop(id);
          return fail({ kind: 'expired' });
        }
        const venue: Venue | undefined = venues.get(connector);
        if (venue?.completeWallet === undefined) return fail({ kind: 'unsupported' });
        const request = { address, chainId, network: networkOf(venue) };
        const approval = {
          ...{ credentials, toSign, terms, expiresAt },
          ...(carried === undefined ? {} : { carried }),
        };
        const told = await venue.completeWallet(request, approval, signature);
        if (!told.ok) return fail({ kind: 'credentials', refusal: told.error });
        const { isKept, value } = await use({ connector, credentials, report: told.value });
        if (isKept) await drop(id);
        return ok(value);
      }),

    async cancel(userId, connector, id) {
      return lock.run(id, async () => (await find(userId, connector, id)) !== null && drop(id));
    },

    async clean() {
      const now = clock.now();
      for (const { id, expiresAt } of await waiting()) if (now > expiresAt + GRACE_MS) await drop(id);
    },
  };
}
