/**
 * Live data: market rows and events of the trade account, from one stream for the account and one for each other
 * channel that a screen asks for. Rows are stored as they come and shown at 10 Hz.
 */
import { useCallback, useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import {
  type AccountEvent,
  type Answer,
  type MarketRows,
  StreamRefused,
  type TandemClient,
} from '../../gateway/client/client.ts';
import { gateway, queries, watchedGateway } from './client.ts';
import { invalidateFor } from './invalidation.ts';
import { readSession } from './session.ts';

type Channel = `${'prices' | 'baskets'}:${string}`;
type ChannelRow<C extends Channel> = C extends `prices:${string}`
  ? Answer<'GET /prices'>['prices'][number]
  : Answer<'GET /markets'>['markets'][number];

type AnyRow = Readonly<Record<string, unknown>>;
type Listener = () => void;

const FLUSH_MS = 100;
const NO_ROWS: readonly AnyRow[] = [];

class ChannelRows {
  readonly #shown = new Map<string, AnyRow>();
  readonly #waiting = new Map<string, AnyRow>();
  readonly #rowListeners = new Map<string, Set<Listener>>();
  readonly #listeners = new Set<Listener>();
  #list: readonly AnyRow[] = NO_ROWS;
  #timer: ReturnType<typeof setTimeout> | null = null;

  take(message: MarketRows): void {
    if (message.kind === 'snapshot') {
      this.#waiting.clear();
      const ids = new Set(message.rows.map((row) => String(row['id'])));
      for (const id of this.#shown.keys()) if (!ids.has(id)) this.#shown.delete(id);
    }
    for (const row of message.rows) this.#waiting.set(String(row['id']), row);
    this.#timer ??= setTimeout(() => this.#flush(), this.#shown.size === 0 ? 0 : FLUSH_MS);
  }

  row(id: string): AnyRow | undefined {
    return this.#shown.get(id);
  }

  list(): readonly AnyRow[] {
    return this.#list;
  }

  onRow(id: string, listener: Listener): () => void {
    const listeners = this.#rowListeners.get(id) ?? new Set();
    this.#rowListeners.set(id, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#rowListeners.delete(id);
    };
  }

  onAny(listener: Listener): () => void {
    this.#listeners.add(listener);
    this.#list = [...this.#shown.values()];
    return () => this.#listeners.delete(listener);
  }

  #flush(): void {
    this.#timer = null;
    const changed = [...this.#waiting];
    this.#waiting.clear();
    for (const [id, row] of changed) this.#shown.set(id, row);
    // The array of all rows is built only while something listens to all rows.
    this.#list = this.#listeners.size === 0 ? NO_ROWS : [...this.#shown.values()];
    for (const [id] of changed) for (const listener of this.#rowListeners.get(id) ?? []) listener();
    for (const listener of this.#listeners) listener();
  }
}

const channels = new Map<string, ChannelRows>();
const eventListeners = new Set<(event: AccountEvent) => void>();

function rowsOf(channel: string): ChannelRows {
  const known = channels.get(channel);
  if (known !== undefined) return known;
  const made = new ChannelRows();
  channels.set(channel, made);
  return made;
}

async function follow(
  client: TandemClient,
  names: readonly string[],
  signal: AbortSignal,
  onSubscribed: () => void,
): Promise<void> {
  for await (const message of client.events({ channels: names, signal })) {
    switch (message.kind) {
      case 'subscribed':
        onSubscribed();
        break;
      case 'resync':
        void queries.invalidateQueries();
        break;
      case 'event':
        invalidateFor(message.event);
        for (const listener of eventListeners) listener(message);
        break;
      default:
        rowsOf(message.channel).take(message);
    }
  }
}

/**
 * Channels of the main stream, which is always open: other channels have streams of their own while a screen shows
 * them.
 */
const mainChannels = new Set<string>();

/** Runs `then` once no read is under way; returns a function that gives up waiting. */
function onceRead(then: () => void): () => void {
  if (queries.isFetching() === 0) {
    then();
    return () => undefined;
  }
  const stop = queries.getQueryCache().subscribe(() => {
    if (queries.isFetching() > 0) return;
    stop();
    then();
  });
  return stop;
}

/** Follows the account until the returned function is called. The frame does this once. */
export function followAccount(accountId: string, connector: string): () => void {
  const ending = new AbortController();
  const client = watchedGateway.onAccount(accountId);
  const names = [client.accountChannel, 'status', `prices:${connector}`];
  mainChannels.clear();
  for (const name of names) mainChannels.add(name);
  let isFirst = true;
  let giveUp = () => {};
  follow(client, names, ending.signal, () => {
    // Changes between the first reads and the first subscription are in neither, so those reads are repeated; but not
    // before their answers were shown.
    if (isFirst)
      giveUp = onceRead(
        () => void queries.invalidateQueries({ predicate: ({ state }) => state.data !== undefined }),
      );
    // The stream delivers missed events; all other data (equity, funding, other tabs' work) are read again.
    else void queries.invalidateQueries();
    isFirst = false;
  }).catch((error: unknown) => {
    if (!(error instanceof StreamRefused)) throw error;
    // The session ended, or the account was removed. Reading the session again tells which.
    void readSession();
  });
  return () => {
    giveUp();
    ending.abort();
  };
}

const watched = new Map<string, { users: number; readonly ending: AbortController }>();

function watch(channel: string): () => void {
  if (mainChannels.has(channel)) return () => undefined;
  const entry = watched.get(channel) ?? { users: 0, ending: new AbortController() };
  if (!watched.has(channel)) {
    watched.set(channel, entry);
    // A refused subscription (no such channel) is ignored: such a channel has no rows.
    follow(gateway, [channel], entry.ending.signal, () => undefined).catch(() => watched.delete(channel));
  }
  entry.users += 1;
  return () => {
    entry.users -= 1;
    if (entry.users > 0) return;
    entry.ending.abort();
    if (watched.get(channel) === entry) watched.delete(channel);
  };
}

/** Follows a channel for a listener of its rows; returns a function that ends the stream and the listening. */
function lookAt(channel: string, listen: (rows: ChannelRows) => () => void): () => void {
  const stop = watch(channel);
  const silence = listen(rowsOf(channel));
  return () => {
    silence();
    stop();
  };
}

/** One row, updated at most ten times a second; undefined until its first update came. */
export function useLiveRow<C extends Channel>(channel: C, id: string): ChannelRow<C> | undefined {
  const rows = rowsOf(channel);
  const subscribe = useCallback(
    (listener: Listener) => lookAt(channel, (shown) => shown.onRow(id, listener)),
    [channel, id],
  );
  return useSyncExternalStore(subscribe, () => rows.row(id)) as ChannelRow<C> | undefined;
}

/** All rows of a channel; a new array at most ten times a second. */
export function useLiveRows<C extends Channel>(channel: C): readonly ChannelRow<C>[] {
  const rows = rowsOf(channel);
  const subscribe = useCallback(
    (listener: Listener) => lookAt(channel, (shown) => shown.onAny(listener)),
    [channel],
  );
  return useSyncExternalStore(subscribe, () => rows.list()) as readonly unknown[] as readonly ChannelRow<C>[];
}

/** Each event of the trade account, in order and once. */
export function useAccountEvents(handler: (event: AccountEvent) => void): void {
  const onEvent = useEffectEvent(handler);
  useEffect(() => {
    const listener = (event: AccountEvent) => onEvent(event);
    eventListeners.add(listener);
    return () => {
      eventListeners.delete(listener);
    };
  }, []);
}
