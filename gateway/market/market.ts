/**
 * The latest market data of every connector: the one source for the engine's sizing, for HTTP answers and for the
 * realtime channels. Nothing in this module waits or touches the disk.
 */
import type { Instrument, MarketStats, TradeabilityStatus } from '../domain/model.ts';
import type { InstrumentsChange, MarketData, MarketTick } from '../engine/ports/market.ts';
import type { Clock, Logger, Unsubscribe } from '../engine/ports/system.ts';
import type { CredentialField, MarketUpdate, Venue, VenueNetwork, Venues } from '../engine/ports/venue.ts';
import { type ConnectorStatus, type TradingState, tradingOf } from '../engine/ports/venue-status.ts';
import { type ConnectorHealth, createConnectorHealth } from './connector-health.ts';
import { ConnectorMarkets, type MarketTopic } from './connector-markets.ts';
import type { MarketFilter, MarketPage } from './market-listing.ts';
import { isoTime } from './market-rows.ts';

export interface ConnectorRecord {
  id: string;
  displayName: string;
  mode: 'PAPER' | 'LIVE';
  marginMode: 'required' | 'rejected';
  fundingIntervalHours: number;
  capabilities: string[];
  credentials?: CredentialField[];
  /** Network of a live connector. */
  network?: VenueNetwork;
  /** Loopback address that replaces the venue. */
  override?: string;
  /** False: a live venue that no account uses. */
  inUse: boolean;
  status: 'UP' | 'DEGRADED' | 'DOWN';
  since: string;
  reason: string | null;
  trading: TradingState;
  until: string | null;
}

export interface Market extends MarketData {
  /** Follows every venue's market stream. Call after the venues have started: instruments are known then. */
  start(): void;
  close(): void;
  has(connector: string): boolean;
  stats(connector: string, id: string): MarketStats | undefined;
  connectors(): readonly ConnectorRecord[];
  connectorIds(): readonly string[];
  /** The connector's status as in `connectors()`; undefined: there is no such connector. */
  statusOf(connector: string): ConnectorStatus | undefined;
  /** Call when the clock was set or the machine slept: all market data is old until it arrives again. */
  distrust(): void;
  /** Connectors from which no quote has arrived since `distrust`. */
  distrusted(): readonly string[];
  /** Empty for an unknown connector. */
  instrumentsIn(connector: string, scope: 'all' | TradeabilityStatus): readonly Instrument[];
  markets(connector: string, filter: MarketFilter): MarketPage;
  /** JSON array of all rows of a table, serialised at most once per tick. */
  rowsJson(topic: MarketTopic, connector: string): string;
  /** JSON array of the rows with these ids. */
  rowsJsonOf(topic: MarketTopic, connector: string, ids: Iterable<string>): string;
  /** A connector's status, as `connectors()` gives it, has changed. */
  onStatus(listener: (connector: string) => void): Unsubscribe;
}

export interface MarketOptions {
  readonly venues: Venues;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called before the age of a price is judged: looks whether the clock was set. */
  readonly lookAtClock?: () => void;
}

interface Connector {
  readonly venue: Venue;
  readonly markets: ConnectorMarkets;
  readonly health: ConnectorHealth;
  unsubscribe: Unsubscribe;
}

const NO_MARKETS: MarketPage = {
  markets: [],
  totals: { markets: 0, volume24h: '0', openInterest: '0' },
};

export function createMarket({ venues, clock, logger, lookAtClock }: MarketOptions): Market {
  const connectors = new Map<string, Connector>();
  const tickListeners = new Set<(tick: MarketTick) => void>();
  const statusListeners = new Set<(connector: string) => void>();
  const instrumentListeners = new Set<(change: InstrumentsChange) => void>();

  function announceStatus(id: string): void {
    const entry = connectors.get(id);
    if (entry !== undefined)
      logger.info({ connector: id, ...entry.health.status() }, 'Connector status changed');
    for (const listener of statusListeners) listener(id);
  }

  function take(id: string, entry: Connector, update: MarketUpdate): void {
    lookAtClock?.();
    entry.markets.apply(update);
    entry.health.alive();
    if (tickListeners.size === 0) return;
    const tick: MarketTick = {
      connector: id,
      at: update.at,
      quotes: update.quotes,
      funding: update.funding ?? [],
      stats: update.stats ?? [],
      feeds: update.feeds ?? [],
    };
    tellEach(tickListeners, tick);
  }

  function tellEach<T extends { readonly connector: string }>(
    listeners: ReadonlySet<(news: T) => void>,
    news: T,
  ): void {
    for (const listener of listeners) {
      try {
        listener(news);
      } catch (error) {
        // One follower's bug must not stop prices for the others, nor throw into the venue's stream.
        logger.error({ connector: news.connector, err: error }, 'A market data listener failed');
      }
    }
  }

  function record({ venue, health }: Connector): ConnectorRecord {
    const { info } = venue;
    const told = health.status();
    const { status, since, reason, isUnused, until = null } = told;
    return {
      id: info.id,
      displayName: info.displayName,
      mode: info.mode,
      marginMode: info.marginMode,
      fundingIntervalHours: info.fundingIntervalHours,
      capabilities: [...info.capabilities],
      ...(info.credentials === undefined ? {} : { credentials: [...info.credentials] }),
      ...(info.networks?.[0] === undefined ? {} : { network: info.networks[0] }),
      ...(info.override === undefined ? {} : { override: info.override }),
      inUse: isUnused !== true,
      status,
      since: isoTime(since),
      reason,
      trading: tradingOf(told),
      until: until === null ? null : isoTime(until),
    };
  }

  return {
    start() {
      for (const venue of venues.all()) {
        const { id } = venue.info;
        const entry: Connector = {
          venue,
          markets: new ConnectorMarkets(venue, clock, (change) => tellEach(instrumentListeners, change)),
          health: createConnectorHealth(venue, clock, () => announceStatus(id)),
          unsubscribe: () => {},
        };
        connectors.set(id, entry);
        const stopPrices = venue.marketStream((update) => take(id, entry, update));
        const stopInstruments = venue.onInstruments?.(() => entry.markets.readInstruments());
        entry.unsubscribe = () => {
          stopPrices();
          stopInstruments?.();
        };
      }
    },
    close() {
      for (const entry of connectors.values()) {
        entry.unsubscribe();
        entry.health.close();
      }
      tickListeners.clear();
      instrumentListeners.clear();
      statusListeners.clear();
    },
    has: (connector) => connectors.has(connector),
    instrument: (connector, id) => connectors.get(connector)?.markets.instrument(id),
    instruments: (connector) => connectors.get(connector)?.markets.instruments() ?? [],
    instrumentsIn: (connector, scope) => connectors.get(connector)?.markets.instrumentsIn(scope) ?? [],
    quote: (connector, id) => connectors.get(connector)?.markets.quote(id),
    funding: (connector, id) => connectors.get(connector)?.markets.funding(id),
    stats: (connector, id) => connectors.get(connector)?.markets.stats(id),
    isStale(connector, id) {
      lookAtClock?.();
      const entry = connectors.get(connector);
      return entry === undefined || entry.venue.status().status === 'DOWN' || entry.markets.isOld(id);
    },
    feed: (connector, name) => connectors.get(connector)?.markets.feed(name),
    feeds: (connector) => connectors.get(connector)?.markets.feeds() ?? [],
    isFeedStale(connector, name) {
      lookAtClock?.();
      const entry = connectors.get(connector);
      return entry === undefined || entry.venue.status().status === 'DOWN' || entry.markets.isFeedOld(name);
    },
    connectors: () => Array.from(connectors.values(), record),
    connectorIds: () => [...connectors.keys()],
    statusOf: (connector) => connectors.get(connector)?.health.status(),
    distrust() {
      for (const { markets } of connectors.values()) markets.distrust();
    },
    distrusted: () =>
      [...connectors]
        .filter(([, { markets, health }]) => !markets.isTrusted && health.status().isUnused !== true)
        .map(([id]) => id),
    markets: (connector, filter) => connectors.get(connector)?.markets.page(filter) ?? NO_MARKETS,
    rowsJson: (topic, connector) => connectors.get(connector)?.markets.json(topic) ?? '[]',
    rowsJsonOf: (topic, connector, ids) => connectors.get(connector)?.markets.jsonOf(topic, ids) ?? '[]',
    onInstruments(listener) {
      instrumentListeners.add(listener);
      return () => instrumentListeners.delete(listener);
    },
    onTick(listener) {
      tickListeners.add(listener);
      return () => tickListeners.delete(listener);
    },
    onStatus(listener) {
      statusListeners.add(listener);
      return () => statusListeners.delete(listener);
    },
  };
}
