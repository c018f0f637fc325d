/**
 * Mandates of grants and API keys, and the user's limits over all agents, in memory: every order asks for them. A
 * restriction applies from the moment of the request, an extension from its commit. Every change is a new version;
 * earlier versions stay on disk.
 */
import type { AuditEntry } from '../domain/audit.ts';
import type { Placed } from '../domain/authority.ts';
import type { HouseLimits, Mandate, MandateHolder } from '../domain/mandate.ts';
import { boundlessMandate, narrower, narrowerHouse } from '../domain/mandate-terms.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import type { BoundMandate, MandateBook, Suspension } from '../engine/ports/mandate-book.ts';
import type { HouseRecord, MandateRecord } from '../engine/ports/mandates.ts';
import type { Store } from '../engine/ports/store.ts';
import type { Clock, Logger } from '../engine/ports/system.ts';
import type { StoreError, UnitOfWork } from '../engine/ports/unit-of-work.ts';
import { createKeyedLock } from './keyed-lock.ts';
import { houseRecord, type Making, mandateRecord } from './mandate-records.ts';
import { type Beside, type Suspended, Suspensions } from './suspensions.ts';

export type ChangeError =
  /** Another version binds than the change was made from. */
  { readonly kind: 'other_version' } | { readonly kind: 'store'; readonly error: StoreError };

/** Holder of a mandate, with its user. */
export type OwnedHolder = MandateHolder & { readonly userId: string };

export interface Mandates extends MandateBook {
  /** The version that binds once every change is on disk; null: the holder has none. */
  kept(holderId: string): MandateRecord | null;
  keptHouse(userId: string): HouseRecord | null;
  /** Takes in a first version that was committed with its holder. */
  adopt(record: MandateRecord): void;
  /** @param ifVersion 0: the holder has no mandate */
  change(
    holder: OwnedHolder,
    terms: Mandate,
    ifVersion: number,
    making: Making,
    together: UnitOfWork,
  ): Promise<Result<MandateRecord, ChangeError>>;
  changeHouse(
    terms: HouseLimits,
    ifVersion: number,
    making: Making,
    together: UnitOfWork,
  ): Promise<Result<HouseRecord, ChangeError>>;
  suspensionOf(holderId: string): Suspended | null;
  /** Called once a holder is suspended, by anybody. The suspension is answered after the returned promise resolves. */
  onSuspended(listener: (holder: MandateHolder) => Promise<void>): void;
  /** Suspends at once; false: all were suspended already. */
  suspendAll(
    holders: readonly OwnedHolder[],
    reason: string,
    entry: (holder: MandateHolder) => AuditEntry,
  ): Promise<Result<boolean, StoreError>>;
  /** False: it is not suspended. */
  resume(holder: OwnedHolder, entry: AuditEntry): Promise<Result<boolean, StoreError>>;
  /** Stops retrying failed writes. To be called before the store closes. */
  close(): void;
}

/** A revoked key, a grant that has ended. */
const ENDED: Suspension = { reason: 'Its access has ended', at: 0 };

const NO_LINEAGE: readonly string[] = [];

/** A change on its way to the disk: its terms apply beside the present ones. */
interface Standing<Record, Terms> {
  kept: Record | null;
  readonly pending: Set<Terms>;
}

interface MandateStanding extends Standing<MandateRecord, Mandate> {
  readonly holder: OwnedHolder;
  /** Time of the first version, epoch ms. */
  since: number;
}

export interface MandateSurroundings {
  readonly store: Pick<Store, 'commit' | 'mandates' | 'firstMandates' | 'houseLimits' | 'suspensions'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly lineageOf: (grantId: string) => readonly string[];
  /** Trade accounts of a user. */
  readonly accountsOf: (userId: string) => readonly string[];
  /** True: the grant or key can still be used. An ended one may leave orders behind, which open nothing. */
  readonly isAlive: (holder: MandateHolder) => boolean;
  /** undefined: there is no such grant or key. */
  readonly ownerOf: (holder: MandateHolder) => string | undefined;
  /** Events by which the user's pages learn of a change. */
  readonly news: (userId: string, holderId: string) => UnitOfWork;
  /** Rows committed when the gateway itself suspends a holder. */
  readonly selfSuspended: (holder: OwnedHolder, reason: string) => ReturnType<Beside>;
}

export async function loadMandates(around: MandateSurroundings): Promise<Mandates> {
  const { store, clock, logger, ownerOf, news } = around;
  const [records, firsts, houses, loaded] = await Promise.all([
    store.mandates(),
    store.firstMandates(),
    store.houseLimits(),
    store.suspensions(),
  ]);
  const holders = new Map<string, MandateStanding>();
  const limits = new Map<string, Standing<HouseRecord, HouseLimits>>();
  const bound = new Map<string, BoundMandate>();
  const suspensions = new Suspensions({ store, clock, logger, loaded });
  const lock = createKeyedLock();
  const listeners: ((holder: MandateHolder) => Promise<void>)[] = [];
  for (const record of records) standingOf(ownedBy(record)).kept = record;
  for (const record of firsts) standingOf(ownedBy(record)).since = record.createdAt;
  for (const record of houses) limits.set(record.userId, { kept: record, pending: new Set() });
  for (const { holderKind, holderId, userId } of loaded)
    standingOf({ kind: holderKind, id: holderId, userId });

  function standingOf(holder: OwnedHolder) {
    const known = holders.get(holder.id);
    if (known !== undefined) return known;
    const standing: MandateStanding = { holder, kept: null, pending: new Set<Mandate>(), since: 0 };
    holders.set(holder.id, standing);
    return standing;
  }

  function houseStandingOf(userId: string): Standing<HouseRecord, HouseLimits> {
    const known = limits.get(userId);
    if (known !== undefined) return known;
    const standing = { kept: null, pending: new Set<HouseLimits>() };
    limits.set(userId, standing);
    return standing;
  }

  /** To be called after every change: `of` is one lookup. */
  function rebind(holderId: string): void {
    const standing = holders.get(holderId);
    const now = standing === undefined ? null : boundOf(standing, suspensions, around);
    if (now === null) bound.delete(holderId);
    else bound.set(holderId, now);
  }
  for (const id of holders.keys()) rebind(id);

  /** The promise settles after the commit; `suspended` and `rebind` take effect before it is awaited. */
  function suspendNow(
    held: readonly OwnedHolder[],
    as: Pick<Suspended, 'reason' | 'by'>,
    beside: Beside,
  ): Promise<Result<boolean, StoreError>> {
    for (const holder of held) standingOf(holder);
    const written = suspensions.suspend(held, as, beside);
    for (const { id } of held) rebind(id);
    return written.then(async (result) => {
      for (const { id } of held) rebind(id);
      // Listeners run even if the suspension is not on disk yet: it applies all the same.
      await Promise.all(held.flatMap(({ kind, id }) => listeners.map((listener) => listener({ kind, id }))));
      return result;
    });
  }

  const mandates: Mandates = {
    of({ authorityKind, authorityId }: Placed) {
      if (authorityId === null || authorityKind === 'session') return null;
      return bound.get(authorityId) ?? null;
    },
    house(userId) {
      const standing = limits.get(userId);
      if (standing === undefined) return null;
      const { kept, pending } = standing;
      const [first, ...others] = kept === null ? pending : [kept.terms, ...pending];
      return first === undefined ? null : others.reduce(narrowerHouse, first);
    },
    all: () => [...bound.values()].filter(({ version }) => version > 0),
    suspend(holder, reason) {
      const userId = ownerOf(holder) ?? holders.get(holder.id)?.holder.userId;
      if (userId === undefined) return;
      const owned = { ...holder, userId };
      suspendNow([owned], { reason, by: 'GATEWAY' }, () => around.selfSuspended(owned, reason)).catch(
        (error: unknown) => logger.error({ err: error, holderId: holder.id }, 'A suspension was not written'),
      );
    },
    kept: (holderId) => holders.get(holderId)?.kept ?? null,
    keptHouse: (userId) => limits.get(userId)?.kept ?? null,
    adopt(record) {
      const standing = standingOf(ownedBy(record));
      standing.kept = record;
      standing.since = record.createdAt;
      rebind(record.holderId);
    },

    async change(holder, terms, ifVersion, making, together) {
      const standing = standingOf(holder);
      if ((standing.kept?.version ?? 0) !== ifVersion) return fail({ kind: 'other_version' });
      standing.pending.add(terms);
      if (ifVersion === 0) standing.since = making.at;
      rebind(holder.id);
      try {
        return await lock.run(holder.id, async (): Promise<Result<MandateRecord, ChangeError>> => {
          if ((standing.kept?.version ?? 0) !== ifVersion) return fail({ kind: 'other_version' });
          const record = mandateRecord(holder, terms, ifVersion + 1, making);
          const committed = await store.commit(
            withNews({ ...together, mandates: [record] }, news(holder.userId, holder.id)),
          );
          if (!committed.ok) return fail({ kind: 'store', error: committed.error });
          standing.kept = record;
          return ok(record);
        });
      } finally {
        standing.pending.delete(terms);
        rebind(holder.id);
      }
    },

    async changeHouse(terms, ifVersion, making, together) {
      const { userId } = making;
      const standing = houseStandingOf(userId);
      if ((standing.kept?.version ?? 0) !== ifVersion) return fail({ kind: 'other_version' });
      standing.pending.add(terms);
      try {
        return await lock.run(userId, async (): Promise<Result<HouseRecord, ChangeError>> => {
          if ((standing.kept?.version ?? 0) !== ifVersion) return fail({ kind: 'other_version' });
          const record = houseRecord(terms, ifVersion + 1, making);
          const committed = await store.commit(
            withNews({ ...together, houseLimits: [record] }, news(userId, userId)),
          );
          if (!committed.ok) return fail({ kind: 'store', error: committed.error });
          standing.kept = record;
          return ok(record);
        });
      } finally {
        standing.pending.delete(terms);
      }
    },

    suspensionOf: (holderId) => suspensions.of(holderId),
    onSuspended: (listener) => void listeners.push(listener),
    suspendAll(held, reason, entry) {
      const owner = new Map(held.map(({ id, userId }) => [id, userId]));
      return suspendNow(held, { reason, by: 'USER' }, (holder) => ({
        ...news(owner.get(holder.id) ?? '', holder.id),
        audit: entry(holder),
      }));
    },
    async resume(holder, entry) {
      const resumed = await suspensions.resume(holder, () => ({
        ...news(holder.userId, holder.id),
        audit: entry,
      }));
      rebind(holder.id);
      return resumed;
    },
    close: () => suspensions.close(),
  };
  return mandates;
}

/** null: no mandate binds the holder. */
function boundOf(
  { holder, kept, pending, since }: MandateStanding,
  suspensions: Suspensions,
  { accountsOf, isAlive, lineageOf }: MandateSurroundings,
): BoundMandate | null {
  const [first, ...others] = kept === null ? pending : [kept.terms, ...pending];
  if (first === undefined && suspensions.of(holder.id) === null) return null;
  return {
    holder: { kind: holder.kind, id: holder.id },
    mandate: others.reduce(narrower, first ?? boundlessMandate(accountsOf(holder.userId))),
    version: kept?.version ?? 0,
    since,
    userId: holder.userId,
    get suspended() {
      return suspensions.of(holder.id) ?? (isAlive(holder) ? null : ENDED);
    },
    get lineage() {
      return holder.kind === 'oauth_grant' ? lineageOf(holder.id) : NO_LINEAGE;
    },
  };
}

function ownedBy({ holderKind, holderId, userId }: MandateRecord): OwnedHolder {
  return { kind: holderKind, id: holderId, userId };
}

function withNews(unit: UnitOfWork, { events = [] }: UnitOfWork): UnitOfWork {
  return { ...unit, events: [...(unit.events ?? []), ...events] };
}
