/** An exchange, from the engine's view. Adapters are in venues/. Times are epoch ms, amounts decimal strings. */
import type { Candle } from '../../domain/candle.ts';
import type { RecordedInterval } from '../../domain/candle-intervals.ts';
import type { MinimumWaiver } from '../../domain/closing-terms.ts';
import type { DecimalString } from '../../domain/decimal.ts';
import type { NETWORKS } from '../../domain/enumerations.ts';
import type { BookPreview } from '../../domain/expected-fill.ts';
import type { FeedReading } from '../../domain/feed.ts';
import type { FundingRate, Instrument, MarginMode, MarketStats, Quote } from '../../domain/model.ts';
import type { VenueBook } from '../../domain/order-book.ts';
import type { NewPaperFault, PaperFault } from '../../domain/paper-fault.ts';
import type { Result } from '../../domain/result.ts';
import type { Unsubscribe } from './system.ts';
import type {
  AccountEvent,
  OrderLookup,
  OrderOutcome,
  OrderRef,
  PlaceOrder,
  VenueBalances,
  VenueHistory,
  VenuePosition,
} from './venue-orders.ts';
import type { ExchangeSetup } from './venue-setup.ts';
import type { AccountStatus, ConnectorStatus } from './venue-status.ts';
import type { VenueCredentials, VenueError } from './venue-terms.ts';

export type * from './venue-orders.ts';
export type { VenueCredentials, VenueError } from './venue-terms.ts';

export type Capability =
  | 'market_orders'
  | 'isolated_margin'
  | 'fills_history'
  | 'order_lookup'
  | 'account_stream'
  | 'paper_reset'
  /** The venue implements `changeMargin`. */
  | 'margin_change'
  | 'wallet_approval'
  /** The venue implements `setup`. */
  | 'exchange_setup'
  /** The market stream includes `BTC_DOMINANCE`. */
  | 'btc_dominance'
  /** The market stream includes prediction markets. */
  | 'prediction_markets';

/** One of a venue's two exchanges: live, or a test network with the same rules. */
export type VenueNetwork = (typeof NETWORKS)[number];

/** Access of a live account: its credentials and network. */
export interface VenueAccess {
  readonly credentials: VenueCredentials;
  readonly network: VenueNetwork;
}

/** Venue's report on valid credentials. */
export interface CredentialReport {
  /** The venue's own name of the account. */
  readonly exchangeIdentifier: string;
  /** Expiry of the key, epoch ms; null: none, or the venue does not report it. */
  readonly expiresAt: number | null;
  /** Sentences that a person should read before trading; empty: nothing unusual. */
  readonly warnings: readonly string[];
}

/** Request for a trading key that the owner's wallet will approve at the venue. */
export interface WalletRequest {
  /** Address of the owner's account. */
  readonly address: string;
  readonly network: VenueNetwork;
  /** EIP-155 id of the wallet's current chain. */
  readonly chainId: number;
}

export type WalletText =
  /** EIP-712, as the input of a wallet's `eth_signTypedData_v4`. */
  | { readonly typedData: unknown }
  /** EIP-191, as the input of a wallet's `personal_sign`. */
  | { readonly message: string };

export interface WalletApproval {
  /** Future trading key, to be stored in the vault and used only after `completeWallet`. */
  readonly credentials: VenueCredentials;
  readonly toSign: WalletText;
  /** The venue's own data, passed in again with the signature; missing: it needs none. */
  readonly carried?: string;
  /** Terms for the person who signs: name and value. */
  readonly terms: readonly { readonly name: string; readonly value: string }[];
  /** Latest time to complete it, epoch ms. */
  readonly expiresAt: number;
}

/** One step of a check of a live venue. */
export interface VenueCheckStep {
  /** `snake_case`: `connection`, `clock`, `instruments` … */
  readonly name: string;
  readonly ok: boolean;
  /** Finding in one sentence. */
  readonly detail: string;
  /** Remedy for the person; null: nothing is wrong, or nothing can be done here. */
  readonly remedy: string | null;
}

/** Fractions of the notional. */
export interface FeeRates {
  readonly taker: DecimalString;
  /** Negative: the venue pays a rebate. */
  readonly maker: DecimalString;
}

/** Request to the venue with its answer, without secrets and addresses. */
export interface VenueExchange {
  readonly question: string;
  readonly answer: string;
}

/** One field of a connector's credentials, for a form. */
export interface CredentialField {
  readonly name: string;
  readonly label: string;
  /** `number` means an integer. */
  readonly kind: 'text' | 'number' | 'yes-no';
  /** True: the value is hidden during input. */
  readonly secret: boolean;
  readonly required: boolean;
  /** Place where to find the value, or permissions that it needs; null: the label is enough. */
  readonly hint: string | null;
}

export type CredentialRefusal =
  /** The venue refuses a field, or a field is missing; `path` names the field within the credentials. */
  | { readonly kind: 'refused'; readonly path: string; readonly message: string }
  /** This connector takes no credentials. */
  | { readonly kind: 'unsupported'; readonly message: string }
  /** Not sent or not answered, because of the venue's rate limits. `retryAt`: epoch ms. */
  | { readonly kind: 'throttled'; readonly message: string; readonly retryAt: number }
  /** The venue did not answer. */
  | { readonly kind: 'unknown'; readonly message: string };

export interface ConnectorInfo {
  readonly id: string;
  readonly displayName: string;
  readonly mode: 'PAPER' | 'LIVE';
  /** Networks of its accounts, with the default first. Missing: mainnet only; a paper venue has none. */
  readonly networks?: readonly VenueNetwork[];
  /** Loopback address that replaces the venue, from the user's settings; missing: the venue itself. */
  readonly override?: string;
  readonly marginMode: 'required' | 'rejected';
  readonly fundingIntervalHours: number;
  readonly capabilities: readonly Capability[];
  /** Credentials that an account needs before it can trade. Missing: none, which only a paper venue may declare. */
  readonly credentials?: CredentialField[];
  /** Taker and maker fee, decimal fractions of notional. */
  readonly takerRate: DecimalString;
  readonly makerRate: DecimalString;
  /** Orders that the venue accepts below the instrument's minimum value. */
  readonly minimumWaiver: MinimumWaiver;
  /**
   * Longest time after `expiresAt` at which an order may still appear at the venue, as documented by the venue, ms.
   * Lookups wait this long.
   */
  readonly settleMs: number;
  /**
   * Meaning of `not_found` after `expiresAt + settleMs`. `final`: the order never executed. `needs_evidence`: the venue
   * sometimes denies existing orders, so the engine also checks open orders, history and positions.
   */
  readonly notFound: 'final' | 'needs_evidence';
}

/** Account of a call. `exchangeIdentifier` is the venue's own name for it. */
export interface VenueAccount {
  readonly tradeAccountId: string;
  readonly exchangeIdentifier: string;
}

export interface MarketUpdate {
  readonly connector: string;
  readonly at: number;
  /** Quotes of instruments that changed. */
  readonly quotes: readonly Quote[];
  readonly funding?: readonly FundingRate[];
  readonly stats?: readonly MarketStats[];
  /** Updated readings; an unchanged value is repeated well before it would count as stale. */
  readonly feeds?: readonly FeedReading[];
}

/** Faults that users set on paper accounts to test bots: in memory, each with an end (domain/paper-fault.ts). */
export interface PaperFaultDesk {
  add(account: VenueAccount, fault: NewPaperFault): PaperFault;
  /** Active faults, oldest first. */
  of(account: VenueAccount): readonly PaperFault[];
  /** Ends one fault, or all of the account, and returns their number. */
  clear(account: VenueAccount, id: string | null): number;
}

/** Asks for candles of [from, to), both full minutes. A candle that is only partly inside covers just that part. */
export interface ImagineRequest {
  readonly symbol: string;
  readonly interval: RecordedInterval;
  readonly from: number;
  readonly to: number;
  /** The last recorded price before the gap; null: nothing was recorded before. */
  readonly before: { readonly at: number; readonly price: DecimalString } | null;
  /** The first recorded price after the gap. */
  readonly after: { readonly at: number; readonly price: DecimalString };
}

/** An order for a book preview: amounts are decimal strings, quantity in base units. */
export type ExpectedOrder = Pick<PlaceOrder, 'symbol' | 'side' | 'quantity' | 'limitPrice'>;

/** An exchange. Calls never throw because of the venue's answer; unknown outcomes are values. */
export interface Venue {
  readonly info: ConnectorInfo;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** To be called after sleep or a clock change: connections may be dead, and their data is old. */
  woke?(): void;
  status(): ConnectorStatus;
  onStatus(listener: (status: ConnectorStatus) => void): Unsubscribe;
  /** The venue's instruments, known after `start`. The array is replaced whenever one of them changes. */
  instruments(): readonly Instrument[];
  /**
   * Calls `listener` after instruments were listed, delisted or changed in `instruments()`. Missing: they do not change
   * while the gateway runs.
   */
  onInstruments?(listener: () => void): Unsubscribe;
  /** The first update, delivered synchronously, is the full state. */
  marketStream(listener: (update: MarketUpdate) => void): Unsubscribe;
  /** Paper only. */
  readonly faults?: PaperFaultDesk;
  accountStream(account: VenueAccount, listener: (event: AccountEvent) => void): Unsubscribe;
  /**
   * Live only: asks the venue whether the credentials are valid, and for its own name of their account. They match
   * `info.credentials`: all required fields are there, each of the right kind.
   */
  checkCredentials?(access: VenueAccess): Promise<Result<CredentialReport, CredentialRefusal>>;
  /** Makes a trading key for a wallet to approve. Live only, and only if a wallet's signature can make one. */
  prepareWallet?(request: WalletRequest): Promise<Result<WalletApproval, CredentialRefusal>>;
  /**
   * Sends the wallet's signature to the venue and waits until the key may trade. Repeatable after `unknown`.
   * @param signature 65 bytes, `0x` and hex
   */
  completeWallet?(
    request: WalletRequest,
    approval: WalletApproval,
    signature: string,
  ): Promise<Result<CredentialReport, CredentialRefusal>>;
  /** Account set-up by the owner's wallet, with the capability `exchange_setup`. */
  setup?(): Promise<ExchangeSetup>;
  /**
   * Makes the account known to the venue (paper: creates and funds it). Idempotent; new credentials replace the old
   * ones.
   * @param access of a live account, already checked
   */
  openAccount(account: VenueAccount, access?: VenueAccess): Promise<Result<void, VenueError>>;
  /**
   * Live only: checks step by step that everything works that trading needs, without an order. Ends early if a step
   * makes the next ones pointless, and never rejects because of the venue's answer.
   * @param target account to check as well, with its credentials; null: only checks without an account
   */
  check?(
    target: { readonly account: VenueAccount; readonly access: VenueAccess } | null,
    tell: (step: VenueCheckStep) => void,
    record: (exchange: VenueExchange) => void,
    /** Further work after these steps, while requests and answers are still recorded. */
    further?: () => Promise<void>,
  ): Promise<void>;
  /** Live only: the account's fee rates, reported by the venue within the last hour or two; null: unknown yet. */
  feeRates?(account: VenueAccount): FeeRates | null;
  /** Live only: status of the account, apart from its venue's; null: it is not open there. */
  accountStatus?(account: VenueAccount): AccountStatus | null;
  /** Live only: calls `listener` when `accountStatus` changes. */
  onAccountStatus?(listener: (account: VenueAccount) => void): Unsubscribe;
  /** Live only: calls `listener` when the venue refuses an open account's credentials. It may repeat itself. */
  onRefusedKey?(listener: (account: VenueAccount, reason: string) => void): Unsubscribe;
  /** Live only: drops the account's credentials and ends its streams. */
  closeAccount?(account: VenueAccount): void;
  /**
   * Paper only: resets the account to the starting balance, without positions.
   * @returns time of the reset by the venue's clock, epoch ms: fills up to then are void
   */
  resetAccount?(account: VenueAccount): Promise<Result<number, VenueError>>;
  setLeverage(
    account: VenueAccount,
    setting: { readonly symbol: string; readonly leverage: number; readonly marginMode: MarginMode },
  ): Promise<Result<void, VenueError>>;
  /**
   * Moves USD from the account's free margin into an isolated position, or back if `amount` is negative. Venues do not
   * detect repeated requests: after `unknown`, check `positions` before repeating it. Without the capability
   * `margin_change` the method is missing or answers `unsupported`.
   */
  changeMargin?(
    account: VenueAccount,
    change: { readonly symbol: string; readonly amount: DecimalString },
  ): Promise<Result<void, VenueError>>;
  /** Places orders; returns one outcome per order, in the same order. Never throws because one order failed. */
  placeBatch(account: VenueAccount, orders: readonly PlaceOrder[]): Promise<readonly OrderOutcome[]>;
  cancel(account: VenueAccount, order: OrderRef): Promise<Result<void, VenueError>>;
  /**
   * Current states of orders: one answer per order, in the same order. An order without an answer from the venue is
   * `unknown`; an error applies to all of them.
   */
  ordersByClientIds(
    account: VenueAccount,
    orders: readonly OrderRef[],
  ): Promise<Result<readonly OrderLookup[], VenueError>>;
  openOrders(account: VenueAccount): Promise<Result<readonly OrderOutcome[], VenueError>>;
  positions(account: VenueAccount): Promise<Result<readonly VenuePosition[], VenueError>>;
  /**
   * Balances and positions from the account's stream, while it is complete; null: they have to be requested. Missing:
   * the venue's answers are immediate anyway.
   */
  accountState?(
    account: VenueAccount,
  ): { readonly balances: VenueBalances; readonly positions: readonly VenuePosition[] } | null;
  history(account: VenueAccount, cursor: string | null): Promise<Result<VenueHistory, VenueError>>;
  balances(account: VenueAccount): Promise<Result<VenueBalances, VenueError>>;
  /**
   * Order book previews of orders that take liquidity, one per order, in the same order; null: the venue has no book of
   * the instrument. Places nothing. Missing: this venue's books are not read.
   */
  expectedFills?(
    orders: readonly ExpectedOrder[],
  ): Promise<Result<readonly (BookPreview | null)[], VenueError>>;
  /**
   * The best `levels` of each side of an instrument's current book, never from a cache; fewer if the venue reports
   * fewer; null: no book of the instrument is known now. Missing: this venue's books are not read.
   */
  book?(symbol: string, levels: number): Promise<Result<VenueBook | null, VenueError>>;
  /** Simulated venues only: generates candles for a time without recorded ones. Equal requests give equal candles. */
  imaginePast?(request: ImagineRequest): readonly Candle[];
}

export interface Venues {
  get(connector: string): Venue | undefined;
  all(): readonly Venue[];
}
