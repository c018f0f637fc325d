/**
 * Sessions of accounts at Hyperliquid. Known facts of an account are stored, so that opening it asks the venue nothing,
 * and nonces go on above the last one after a restart.
 */
import { fail, ok, type Result } from '../../../domain/result.ts';
import type { Clock } from '../../../engine/ports/system.ts';
import type { ConnectorInfo, CredentialRefusal, VenueError } from '../../../engine/ports/venue.ts';
import type { VenueHost } from '../../venue-plug.ts';
import type { Lane } from '../kit/budget.ts';
import { openNonceStream } from '../kit/nonce-stream.ts';
import type { VenueClock } from '../kit/venue-clock.ts';
import { read } from '../kit/wire.ts';
import type { Keys } from './access.ts';
import { modeName } from './account-mode.ts';
import { readFillsSince } from './account-reads.ts';
import type { Client } from './client.ts';
import { type AccountFacts, accountFacts, type ToldFacts } from './credentials.ts';
import { FillNames } from './fill-names.ts';
import type { Listing } from './listing.ts';
import { FEW, Session } from './session.ts';
import * as wire from './wire.ts';

/** Nonces lie less than a day ahead of the venue's time; its documentation, page "nonces and API wallets". */
const NONCE_AHEAD_MS = 24 * 3_600_000;

export interface Sessions {
  /** Stores the venue's answers about an account, with the time at which its mode was seen to change. */
  keep(keys: Pick<Keys, 'account' | 'agent'>, told: ToldFacts): Promise<AccountFacts>;
  make(keys: Keys): Promise<Result<Session, VenueError>>;
  /** True: a session made now would equal this one. */
  isCurrent(session: Session, keys: Keys): Promise<boolean>;
  /** Client ids of the orders of fills, by the venue's ids; null: the venue did not answer. */
  clientIds(
    session: Session,
    fills: readonly wire.WireFill[],
  ): Promise<ReadonlyMap<string, string | null> | null>;
}

export function createSessions(options: {
  readonly info: ConnectorInfo;
  readonly client: Client;
  readonly clock: Clock;
  readonly venueClock: VenueClock;
  readonly store: VenueHost['store'];
  readonly listing: () => Listing;
  /** Has the instruments read again: a fill names one that is not listed. */
  readonly onUnlisted: () => void;
}): Sessions {
  const { info, client, clock, venueClock, store, listing, onUnlisted } = options;

  const factsKey = ({ account, agent }: Pick<Keys, 'account' | 'agent'>) =>
    `venue:${info.id}:facts:${account}:${agent}`;
  /** Uptime of the venue's last answer about the mode of an account, by the key of its facts. */
  const modeAskedAt = new Map<string, number>();

  async function kept(keys: Pick<Keys, 'account' | 'agent'>): Promise<AccountFacts | null> {
    const value = await store.setting(factsKey(keys));
    const known = value === null ? null : read(wire.accountFacts, value);
    return known?.ok === true ? known.value : null;
  }

  async function keep(
    keys: Pick<Keys, 'account' | 'agent'>,
    { mode: word, ...told }: ToldFacts,
  ): Promise<AccountFacts> {
    const key = factsKey(keys);
    modeAskedAt.set(key, clock.uptime());
    const before = (await kept(keys))?.mode ?? { word, changedAt: null };
    const isSame = modeName(before.word) === modeName(word);
    const facts = { ...told, mode: { word, changedAt: isSame ? before.changedAt : clock.now() } };
    await store.commit({ settings: [{ key, value: JSON.stringify(facts) }] });
    return facts;
  }

  /**
   * Stored by the check at connect, so that opening an account asks the venue nothing: roles cost much weight, and
   * without a network at the start the account is known all the same.
   */
  async function factsOf(keys: Keys): Promise<Result<AccountFacts, CredentialRefusal>> {
    const known = await kept(keys);
    if (known !== null) return ok(known);
    const told = await accountFacts({ client, isFollowed: () => false }, keys);
    return told.ok ? ok(await keep(keys, told.value)) : told;
  }

  async function isCurrent(session: Session, keys: Keys): Promise<boolean> {
    if (session.keys.account !== keys.account || session.keys.agent !== keys.agent) return false;
    const facts = await factsOf(keys);
    if (!facts.ok) return false;
    const { master, isSub } = facts.value;
    // A session follows its mode itself.
    return session.master === master && session.isSub === isSub;
  }

  async function make(keys: Keys): Promise<Result<Session, VenueError>> {
    const facts = await factsOf(keys);
    if (!facts.ok) {
      const { kind, message } = facts.error;
      if (kind === 'throttled') return fail(facts.error);
      return fail(kind === 'refused' ? { kind: 'auth', message } : { kind: 'unknown', message });
    }
    const floorKey = `venue:${info.id}:nonce:${keys.agent}`;
    const nonces = await openNonceStream({
      clock,
      now: () => Math.floor(venueClock.now()),
      refusedAheadMs: NONCE_AHEAD_MS,
      floor: {
        read: async () => {
          const kept = await store.setting(floorKey);
          return kept === null ? null : Number(kept);
        },
        write: async (floor) => {
          const kept = await store.commit({ settings: [{ key: floorKey, value: String(floor) }] });
          if (!kept.ok) throw new Error('the nonce was not kept');
        },
      },
    });
    const namesKey = `venue:${info.id}:fills:${keys.account}`;
    const names = new FillNames(
      await store.setting(namesKey),
      async (value) => (await store.commit({ settings: [{ key: namesKey, value }] })).ok,
    );
    return ok(
      new Session({
        keys,
        ...facts.value,
        modeAskedAt: modeAskedAt.get(factsKey(keys)) ?? Number.NEGATIVE_INFINITY,
        nonces,
        names,
        clock,
        listing,
        askClientId,
        askLatest,
        onUnlisted,
        askFills: (user, since) => readFillsSince(client, user, since),
      }),
    );
  }

  async function askClientId(user: string, oid: string, lane: Lane): Promise<string | null | undefined> {
    const told = await client.info(lane, { type: 'orderStatus', user, oid: Number(oid) }, wire.orderStatus);
    if (!told.ok) return undefined;
    return told.value.status === 'order' ? (told.value.order.order.cloid ?? null) : null;
  }

  async function askLatest(user: string): Promise<ReadonlyMap<string, string | null> | null> {
    const told = await client.info('recovery', { type: 'historicalOrders', user }, wire.historicalOrders);
    if (!told.ok) return null;
    return new Map(told.value.items.map(({ order }) => [order.oid, order.cloid ?? null]));
  }

  async function clientIds(
    session: Session,
    fills: readonly wire.WireFill[],
  ): Promise<ReadonlyMap<string, string | null> | null> {
    const ids = new Map<string, string | null>();
    const unknown = new Set<string>();
    for (const { oid, cloid } of fills) {
      const known = cloid ?? session.clientIdOf(oid);
      if (known === undefined) unknown.add(oid);
      else ids.set(oid, known);
    }
    if (unknown.size === 0) return ids;
    const latest = unknown.size > FEW ? await askLatest(session.user) : new Map<string, string | null>();
    if (latest === null) return null;
    for (const oid of unknown) {
      const one = latest.get(oid);
      if (one === undefined) continue;
      ids.set(oid, one);
      session.learn(oid, one);
      unknown.delete(oid);
    }
    // Few, or older than the last 2,000 orders. They come before other readings: without them the history is asked for again.
    for (const oid of unknown) {
      const one = await askClientId(session.user, oid, 'state');
      if (one === undefined) return null;
      ids.set(oid, one);
      session.learn(oid, one);
    }
    return ids;
  }

  return { keep, make, isCurrent, clientIds };
}
