/** A venue that only knows accounts, for tests of what authentication asks of a venue. */
import { fail, ok, type Result } from '../../../gateway/domain/result.ts';
import type { Venue, VenueAccount, VenueError, Venues } from '../../../gateway/engine/ports/venue.ts';
import type { ConnectorStatus } from '../../../gateway/engine/ports/venue-status.ts';

export interface VenueStandIn extends Venue {
  readonly opened: VenueAccount[];
  readonly reset: VenueAccount[];
  /** Set: every account call answers it. */
  refusal: VenueError | null;
  connectorStatus: ConnectorStatus;
}

const unsupported = async <T>(): Promise<Result<T, VenueError>> =>
  fail({ kind: 'unsupported', message: 'Not part of this test' });

export function venueStandIn(id: string, mode: 'PAPER' | 'LIVE'): VenueStandIn {
  const venue: VenueStandIn = {
    opened: [],
    reset: [],
    refusal: null,
    connectorStatus: { status: 'UP', since: 0, reason: null },
    info: {
      id,
      displayName: id,
      mode,
      marginMode: 'required',
      fundingIntervalHours: 1,
      capabilities: [],
      takerRate: '0',
      makerRate: '0',
      minimumWaiver: 'reduce_only',
      settleMs: 0,
      notFound: 'final',
    },
    start: async () => {},
    stop: async () => {},
    status: () => venue.connectorStatus,
    onStatus: () => () => {},
    instruments: () => [],
    marketStream: () => () => {},
    accountStream: () => () => {},
    async openAccount(account) {
      if (venue.refusal !== null) return fail(venue.refusal);
      venue.opened.push(account);
      return ok(undefined);
    },
    setLeverage: unsupported,
    placeBatch: async () => [],
    cancel: unsupported,
    ordersByClientIds: unsupported,
    openOrders: unsupported,
    positions: unsupported,
    history: unsupported,
    balances: unsupported,
  };
  if (mode === 'PAPER') {
    venue.resetAccount = async (account) => {
      if (venue.refusal !== null) return fail(venue.refusal);
      venue.reset.push(account);
      return ok(0);
    };
  }
  return venue;
}

export function venuesOf(...venues: readonly Venue[]): Venues {
  return { get: (id) => venues.find((venue) => venue.info.id === id), all: () => venues };
}
