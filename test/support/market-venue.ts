/** A venue whose market says what the test tells it. Trading calls are refused: market and realtime never make them. */

import type { FundingRate, Instrument, MarketStats, Quote } from '../../gateway/domain/model.ts';
import { fail } from '../../gateway/domain/result.ts';
import type { Clock } from '../../gateway/engine/ports/system.ts';
import type { MarketUpdate, Venue, VenueError, Venues } from '../../gateway/engine/ports/venue.ts';
import type { ConnectorStatus } from '../../gateway/engine/ports/venue-status.ts';
import { instrument } from '../unit/domain/instruments.ts';

export interface MarketVenue extends Venue {
  /** Sends an update; quotes of prices by instrument ID. */
  move(prices: Readonly<Record<string, string>>): void;
  send(update: Omit<MarketUpdate, 'connector' | 'at'>): void;
  setStatus(status: ConnectorStatus['status'], reason?: string): void;
  setInstruments(instruments: readonly Instrument[]): void;
  readonly followers: number;
}

export const perp = (connector: string, symbol: string, over: Partial<Instrument> = {}): Instrument =>
  instrument({
    ...{ id: `${symbol}-PERP`, symbol, connector, venueSymbol: symbol, stepSize: '0.001' },
    ...over,
  });

export function quoteAt(instrument: Instrument, mark: string, updatedAt: number): Quote {
  const { id, symbol } = instrument;
  return {
    id,
    symbol,
    mark,
    index: mark,
    mid: mark,
    bid: mark,
    ask: mark,
    last: mark,
    price24hAgo: '100',
    updatedAt,
  };
}

export function createMarketVenue(options: {
  readonly id: string;
  readonly clock: Clock;
  readonly instruments: readonly Instrument[];
  readonly price?: string;
}): MarketVenue {
  const { id: connector, clock } = options;
  let { instruments } = options;
  let status: ConnectorStatus = { status: 'UP', since: clock.now(), reason: null };
  const followers = new Set<(update: MarketUpdate) => void>();
  const statusListeners = new Set<(status: ConnectorStatus) => void>();
  const instrumentListeners = new Set<() => void>();
  const refused = () =>
    Promise.resolve(fail<VenueError>({ kind: 'unsupported', message: 'Market data only' }));

  function send(update: Omit<MarketUpdate, 'connector' | 'at'>): void {
    for (const follower of followers) follower({ connector, at: clock.now(), ...update });
  }

  function fullState(): MarketUpdate {
    const now = clock.now();
    const funding: FundingRate[] = [];
    const stats: MarketStats[] = [];
    const quotes = instruments.map((instrument, index) => {
      const { id, symbol } = instrument;
      funding.push({ id, symbol, rate: '0.0000125', intervalHours: 1, nextFundingTime: now + 60_000 });
      stats.push({ id, volume24h: String(1_000 * (index + 1)), openInterest: '500.5' });
      return quoteAt(instrument, options.price ?? '110', now);
    });
    return { connector, at: now, quotes, funding, stats };
  }

  return {
    info: {
      id: connector,
      displayName: `Test ${connector}`,
      mode: 'PAPER',
      marginMode: 'required',
      fundingIntervalHours: 1,
      capabilities: ['market_orders', 'isolated_margin'],
      takerRate: '0.0005',
      makerRate: '0.0002',
      minimumWaiver: 'reduce_only',
      settleMs: 500,
      notFound: 'final',
    },
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
    status: () => status,
    onStatus(listener) {
      statusListeners.add(listener);
      return () => statusListeners.delete(listener);
    },
    instruments: () => instruments,
    onInstruments(listener) {
      instrumentListeners.add(listener);
      return () => instrumentListeners.delete(listener);
    },
    marketStream(listener) {
      followers.add(listener);
      listener(fullState());
      return () => followers.delete(listener);
    },
    accountStream: () => () => {},
    openAccount: refused,
    setLeverage: refused,
    placeBatch: () => Promise.resolve([]),
    cancel: refused,
    ordersByClientIds: refused,
    openOrders: refused,
    positions: refused,
    history: refused,
    balances: refused,
    send,
    move(prices) {
      send({
        quotes: Object.entries(prices).flatMap(([id, mark]) => {
          const instrument = instruments.find((candidate) => candidate.id === id);
          return instrument === undefined ? [] : [quoteAt(instrument, mark, clock.now())];
        }),
      });
    },
    setStatus(next, reason) {
      status = { status: next, since: clock.now(), reason: reason ?? null };
      for (const listener of statusListeners) listener(status);
    },
    setInstruments(next) {
      instruments = next;
      for (const listener of instrumentListeners) listener();
    },
    get followers() {
      return followers.size;
    },
  };
}

export function venuesOf(...all: readonly Venue[]): Venues {
  return { get: (connector) => all.find(({ info }) => info.id === connector), all: () => all };
}

export const silentLogger = { debug() {}, info() {}, warn() {}, error() {} };
