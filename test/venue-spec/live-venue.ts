/** Words and ways of a live venue, by which the specs of its faults are run at its emulated venue. */
import type { CommonAct } from '../support/venues/shared/faults.ts';
import type { AnyEmulator } from '../support/venues/shared/start-emulator.ts';
import type { SharedStreamFaults } from '../support/venues/shared/stream-hub.ts';
import type { CommonDeskOptions, TestAccount, VenueDeskBase } from '../support/venues/shared/venue-desk.ts';
import type { AnyScript } from '../support/venues/shared/venue-script.ts';

interface StartOptions extends Omit<CommonDeskOptions<AnyEmulator>, 'prepare'> {
  readonly prepare?: (emulator: { readonly script: Pick<AnyScript, 'setClockOffset' | 'fault'> }) => void;
}

export type Desk = VenueDeskBase<AnyEmulator, TestAccount>;

/** Words and ways of one venue. */
export interface LiveVenue<D extends Desk> {
  readonly start: (options?: StartOptions) => Promise<D>;
  /** Request that carries an order. */
  readonly orderRequest: string;
  /** Answers to an order that executed, which do not say so. */
  readonly unreadable: readonly CommonAct[];
  /** The order's end is its answer, not only told by the stream. */
  readonly answersEnds: boolean;
  /** The same order is sent once more when it is placed again, and refused as known. */
  readonly sendsAgain: boolean;
  /** Refuses an order for its nonce, as often as the adapter tries it in one call. */
  readonly refusedNonces: readonly (CommonAct & { readonly times: number })[];
  /** Request that carries a cancel. */
  readonly cancelRequest: string;
  /** Counted requests of a single order. */
  readonly orderTraffic: string;
  /** Ways in which the next order is refused for its price. */
  readonly refusePrice: Readonly<Record<string, (desk: D) => void>>;
  /** Streams that tell of orders and fills. */
  readonly orderStreams: readonly string[];
  readonly wrongSnapshots: readonly SharedStreamFaults[];
  /** Request for the account's state, and answers that are none. */
  readonly stateRequest: string;
  readonly malformedStates: readonly unknown[];
  /** Lookups find no order from now on. */
  readonly forgetOrders: (desk: D, times: number) => void;
  /** The venue refuses the next leverage with this message. */
  readonly refuseLeverage: (desk: D, message: string) => void;
  readonly leverageRefusal: string;
  /** Questions of which a lookup needs one, whatever the number of orders. */
  readonly lookupTraffic: readonly string[];
  /** Ways in which the account's key ends. */
  readonly endKey: Readonly<Record<string, (desk: D) => void>>;
  readonly keyRefusal: RegExp;
  /** A subaccount of the desk's account with 5,000 USD, to be opened. */
  readonly subaccount: (desk: D) => TestAccount;
  /** The venue's name of a thousand PEPE. */
  readonly thousandPepe: string;
  readonly listRequest: string;
  /** Words of other people's fees and programs, which never leave. */
  readonly foreignWords: readonly string[];
  /** First line of every request to the venue. */
  readonly requestLine: RegExp;
  readonly privateKey: (desk: D) => string;
  /** After too many requests, the time until an order may be tried again, ms. */
  readonly retriesWithin: readonly [number, number];
  /** Mark in the titles of tests of limits, which take seconds at some venues. */
  readonly long: '' | ' @long';
  /** The venue allows as many requests as it allows everybody. */
  readonly startScarce: () => Promise<D>;
  readonly scarce: {
    readonly fillsRequest: string;
    readonly paymentsRequest: string;
    /** Readings of fills in three minutes. */
    readonly leastReadings: number;
  };
  /** The venue allows few orders a minute. */
  readonly startWithFewOrders: () => Promise<D>;
  /** More openings than those few, all of them waiting together. */
  readonly openings: number;
  /** Settles the position of 0.001 BTC, as where its market ends. */
  readonly settle: (desk: D) => void;
  /** The last fills come again as if they were new. */
  readonly repeatFills: (desk: D, count: number) => void;
  /** The adapter tells a fill once, however often the venue does. */
  readonly tellsFillsOnce: boolean;
  /** Requests that measured the venue's time. */
  readonly timeRequests: (desk: D) => number;
  /** Expiry of the first order that was sent, in the venue's time. */
  readonly sentExpiry: (desk: D) => number;
}

export type Begin<D extends Desk> = (options?: StartOptions) => Promise<D>;
