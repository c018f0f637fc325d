/**
 * Protocol of a paper venue in its own process: newline-delimited JSON over a loopback socket. A request has an id and
 * is answered once; market, account and status events are pushed. Requests of one connection are taken in order.
 */
import type { Instrument } from '../../../domain/model.ts';
import type { AccountEvent, ConnectorInfo, MarketUpdate, VenueAccount } from '../../../engine/ports/venue.ts';
import type { ConnectorStatus } from '../../../engine/ports/venue-status.ts';
import type { PaperVenue } from '../venue/paper-venue.ts';

export interface SimHello {
  readonly info: ConnectorInfo;
  readonly instruments: readonly Instrument[];
  readonly status: ConnectorStatus;
}

/** Methods of the venue that can be called over the socket. */
type Asked =
  | 'openAccount'
  | 'resetAccount'
  | 'setLeverage'
  | 'changeMargin'
  | 'placeBatch'
  | 'cancel'
  | 'ordersByClientIds'
  | 'openOrders'
  | 'positions'
  | 'history'
  | 'balances'
  | 'expectedFills'
  | 'book'
  | 'orders'
  | 'journalHash'
  | 'setFaults'
  | 'shock';

type AskedMethods = {
  readonly [M in Asked]: {
    readonly params: Parameters<PaperVenue[M]>;
    readonly result: Awaited<ReturnType<PaperVenue[M]>>;
  };
};

/** Every request, with its parameters and its result. */
export interface SimMethods extends AskedMethods {
  /** First request of a connection: market updates follow, from the full state on. */
  readonly hello: { readonly params: []; readonly result: SimHello };
  /** From this request on the account's events are pushed on the connection. */
  readonly subscribe: { readonly params: [account: VenueAccount]; readonly result: null };
}

export type SimMethod = keyof SimMethods;

export interface SimRequest<M extends SimMethod = SimMethod> {
  readonly id: number;
  readonly method: M;
  readonly params: SimMethods[M]['params'];
}

export type SimMessage =
  | { readonly kind: 'answer'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly message: string }
  | { readonly kind: 'market'; readonly update: MarketUpdate }
  | { readonly kind: 'account'; readonly exchangeIdentifier: string; readonly event: AccountEvent }
  | { readonly kind: 'status'; readonly status: ConnectorStatus };
