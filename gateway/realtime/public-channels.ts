/** The public channels by name, made when somebody subscribes and dropped with the last subscriber. */
import type { Clock } from '../engine/ports/system.ts';
import { PublicChannel, type PublicCounters, type PublicSource, type Subscriber } from './public-channel.ts';
import type { MarketFeed, Topic } from './sources.ts';

/** Channel prefix → table and minimum time between two updates. */
const TABLES: Readonly<Record<string, { readonly topic: Topic; readonly intervalMs: number }>> = {
  prices: { topic: 'prices', intervalMs: 100 },
  funding: { topic: 'funding', intervalMs: 1_000 },
  baskets: { topic: 'markets', intervalMs: 1_000 },
};
const STATUS = 'status';
const STATUS_INTERVAL_MS = 100;

export interface PublicChannels {
  exists(name: string): boolean;
  subscribe(name: string, connection: Subscriber): void;
  unsubscribe(name: string, connection: Subscriber): void;
  close(): void;
}

export function createPublicChannels(
  market: MarketFeed,
  clock: Clock,
  counters: PublicCounters,
): PublicChannels {
  const channels = new Map<string, PublicChannel>();

  function sourceOf(name: string): PublicSource | null {
    if (name === STATUS) {
      return {
        all: () => JSON.stringify(market.connectors()),
        some: (ids) => JSON.stringify(market.connectors().filter(({ id }) => ids.has(id))),
        intervalMs: STATUS_INTERVAL_MS,
      };
    }
    const colon = name.indexOf(':');
    const prefix = name.slice(0, Math.max(colon, 0));
    const connector = name.slice(colon + 1);
    const table = Object.hasOwn(TABLES, prefix) ? TABLES[prefix] : undefined;
    if (table === undefined || !market.has(connector)) return null;
    return {
      all: () => market.rowsJson(table.topic, connector),
      some: (ids) => market.rowsJsonOf(table.topic, connector, ids),
      intervalMs: table.intervalMs,
    };
  }

  function touch(name: string, rows: readonly { readonly id: string }[]): void {
    if (rows.length > 0) channels.get(name)?.touch(rows.map(({ id }) => id));
  }

  const stopTicks = market.onTick(({ connector, quotes, funding, stats }) => {
    touch(`prices:${connector}`, quotes);
    touch(`funding:${connector}`, funding);
    const baskets = `baskets:${connector}`;
    touch(baskets, quotes);
    touch(baskets, funding);
    touch(baskets, stats);
  });
  // A market that is not traded any more has no prices that would bring the news.
  const stopInstruments = market.onInstruments(({ connector, changed }) =>
    touch(
      `baskets:${connector}`,
      changed.map(({ after }) => after),
    ),
  );
  const stopStatus = market.onStatus((connector) => channels.get(STATUS)?.touch([connector]));

  return {
    exists: (name) => sourceOf(name) !== null,
    subscribe(name, connection) {
      let channel = channels.get(name);
      if (channel === undefined) {
        const source = sourceOf(name);
        if (source === null) return;
        channel = new PublicChannel(name, source, clock, counters);
        channels.set(name, channel);
      }
      channel.subscribe(connection);
    },
    unsubscribe(name, connection) {
      const channel = channels.get(name);
      channel?.unsubscribe(connection);
      if (channel?.isEmpty) channels.delete(name);
    },
    close() {
      stopTicks();
      stopInstruments();
      stopStatus();
      for (const channel of channels.values()) channel.close();
      channels.clear();
    },
  };
}
