/**
 * Protocol of a paper venue in its own process: newline-delimited JSON over a loopback socket. A request has an id and
 * is answered once; market, account and status events are pushed. Requests of one connection are taken in order.
 */
import type { Instrument } from '../../../domain/model.ts';
import type { Result } from '../../../domain/result.ts';
import type {
  AccountEvent,
  ConnectorInfo,
  ConnectorStatus,
  MarketUpdate,
  OrderLookup,
  OrderOutcome,
  PlaceOrder,
  VenueAccount,
  VenueBalances,
  VenueError,
  VenueHistory,
  VenuePosition,
} from '../../../engine/ports/venue.ts';
import type { LeverageRequest } from '../accounts/leverage-rules.ts';
import type { MarginChange } from '../accounts/margin-rules.ts';
import type { FaultScript } from '../faults/faults.ts';

export interface SimHello {
  readonly info: ConnectorInfo;
  readonly instruments: readonly Instrument[];
  readonly status: ConnectorStatus;
}

interface Answered<Params, Value> {
  readonly params: Params;
  readonly result: Result<Value, VenueError>;
}
interface OfAccount {
  readonly account: VenueAccount;
}
interface OfOrder extends OfAccount {
  readonly clientOrderId: string;
}

/** Every request, with its parameters and its result. */
export interface SimMethods {
  /** First request of a connection: market updates follow, from the full state on. */
  readonly hello: { readonly params: null; readonly result: SimHello };
  /** From this request on the account's events are pushed on the connection. */
  readonly subscribe: { readonly params: OfAccount; readonly result: null };
  readonly openAccount: Answered<OfAccount, void>;
  readonly resetAccount: Answered<OfAccount, void>;
  readonly setLeverage: Answered<OfAccount & { readonly setting: LeverageRequest }, void>;
  readonly changeMargin: Answered<OfAccount & { readonly change: MarginChange }, void>;
  readonly placeBatch: {
    readonly params: OfAccount & { readonly orders: readonly PlaceOrder[] };
    readonly result: readonly OrderOutcome[];
  };
  readonly cancel: Answered<OfOrder, void>;
  readonly orderByClientId: Answered<OfOrder, OrderLookup>;
  readonly openOrders: Answered<OfAccount, readonly OrderOutcome[]>;
  readonly positions: Answered<OfAccount, readonly VenuePosition[]>;
  readonly history: Answered<OfAccount & { readonly cursor: string | null }, VenueHistory>;
  readonly balances: Answered<OfAccount, VenueBalances>;
  readonly orders: Answered<OfAccount, readonly OrderOutcome[]>;
  readonly journalHash: { readonly params: null; readonly result: string };
  readonly setFaults: { readonly params: { readonly script: FaultScript }; readonly result: null };
  readonly shock: {
    readonly params: { readonly symbol: string; readonly factor: number };
    readonly result: null;
  };
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
