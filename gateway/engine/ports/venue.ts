/** An exchange, as the engine uses it. Adapters are in venues/. Times are epoch ms, amounts decimal strings. */
import type { Candle } from '../../domain/candle.ts';
import type { RecordedInterval } from '../../domain/candle-intervals.ts';
import type { MinimumWaiver } from '../../domain/closing-terms.ts';
import type { DecimalString } from '../../domain/decimal.ts';
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

/** Which of a venue's two exchanges: real money, or play money under the same rules. */
export type VenueNetwork = 'mainnet' | 'testnet';

/** What a live account trades with. */
export interface VenueAccess {
  readonly credentials: VenueCredentials;
  readonly network: VenueNetwork;
}

/** What a venue says of credentials that it takes. */
export interface CredentialReport {
  /** The venue's own name of the account. */
  readonly exchangeIdentifier: string;
  /** Epoch ms at which the key ends; null: it does not, or the venue does not say. */
  readonly expiresAt: number | null;
  /** Sentences that a person should read before trading; empty: nothing unusual. */
  readonly warnings: readonly string[];
}

/** A trading key that the owner's wallet is to approve at the venue. */
export interface WalletRequest {
  /** Address of the owner's account. */
  readonly address: string;
  readonly network: VenueNetwork;
  /** EIP-155 id of the chain that the wallet is set to. */
  readonly chainId: number;
}

export type WalletText =
  /** EIP-712, as a wallet's `eth_signTypedData_v4` takes it. */
  | { readonly typedData: unknown }
  /** EIP-191, as a wallet's `personal_sign` takes it. */
  | { readonly message: string };

export interface WalletApproval {
  /** The key that will trade; to be kept in the vault, and used after `completeWallet` only. */
  readonly credentials: VenueCredentials;
  readonly toSign: WalletText;
  /** The venue's own, handed in again with the signature; missing: it needs nothing more. */
  readonly carried?: string;
  /** The same in words, for the person who signs: name and value. */
  readonly terms: readonly { readonly name: string; readonly value: string }[];
  /** Epoch ms until which it can be completed. */
  readonly expiresAt: number;
}

/** One thing that a check of a live venue has looked at. */
export interface VenueCheckStep {
  /** `snake_case`: `connection`, `clock`, `instruments` … */
  readonly name: string;
  readonly ok: boolean;
  /** What was found, in one sentence. */
  readonly detail: string;
  /** What the person can do; null: nothing is wrong, or nothing can be done here. */
  readonly remedy: string | null;
}

/** Fractions of the notional. */
export interface FeeRates {
  readonly taker: DecimalString;
  /** Negative: the venue pays. */
  readonly maker: DecimalString;
}

/** What the venue was asked and what it answered, without secrets and addresses. */
export interface VenueExchange {
  readonly question: string;
  readonly answer: string;
}

/** One field of the credentials that a connector asks for, as a form shows it. */
export interface CredentialField {
  readonly name: string;
  readonly label: string;
  /** `number` means an integer. */
  readonly kind: 'text' | 'number' | 'yes-no';
  /** True: the value is hidden while it is typed. */
  readonly secret: boolean;
  readonly required: boolean;
  /** Where to find the value, or which permissions it needs; null: the label is enough. */
  readonly hint: string | null;
}

export type CredentialRefusal =
  /** The venue refuses a field, or a field is missing; `path` names the field within the credentials. */
  | { readonly kind: 'refused'; readonly path: string; readonly message: string }
  /** This connector takes no credentials. */
  | { readonly kind: 'unsupported'; readonly message: string }
  /** Not asked, or not answered, because of the venue's rate limits. `retryAt`: epoch ms. */
  | { readonly kind: 'throttled'; readonly message: string; readonly retryAt: number }
  /** The venue did not answer. */
  | { readonly kind: 'unknown'; readonly message: string };

export interface ConnectorInfo {
  readonly id: string;
  readonly displayName: string;
  readonly mode: 'PAPER' | 'LIVE';
  /** Networks of its accounts, the first is proposed. Missing: mainnet only; a paper venue has none. */
  readonly networks?: readonly VenueNetwork[];
  /** Loopback address that stands in for the venue, by the user's own setting; missing: the venue itself. */
  readonly override?: string;
  readonly marginMode: 'required' | 'rejected';
  readonly fundingIntervalHours: number;
  readonly capabilities: readonly Capability[];
  /** Credentials that an account needs before it can trade. Missing: none, which only a paper venue may declare. */
  readonly credentials?: CredentialField[];
  /** Taker and maker fee, decimal fractions of notional. */
  readonly takerRate: DecimalString;
  readonly makerRate: DecimalString;
  /** Which orders the venue accepts although they are below the instrument's minimum value. */
  readonly minimumWaiver: MinimumWaiver;
  /**
   * How long after `expiresAt` an order may still turn up at the venue, as the venue states it. Lookups wait this
   * long.
   */
  readonly settleMs: number;
  /**
   * What `not_found` proves after `expiresAt + settleMs`. `final`: the order never executed. `needs_evidence`: the
   * venue sometimes denies orders that exist, so the engine looks at open orders, history and positions too.
   */
  readonly notFound: 'final' | 'needs_evidence';
}

/** The account that a call is about. `exchangeIdentifier` is the venue's own name for it. */
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

/** Faults that users put on paper accounts, to try their bots: in memory, each with an end (domain/paper-fault.ts). */
export interface PaperFaultDesk {
  add(account: VenueAccount, fault: NewPaperFault): PaperFault;
  /** Those that have not ended, oldest first. */
  of(account: VenueAccount): readonly PaperFault[];
  /** Ends one, or all of the account, and says how many. */
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

/** An order as the book is asked about it: amounts are decimal strings, quantity in base units. */
export type ExpectedOrder = Pick<PlaceOrder, 'symbol' | 'side' | 'quantity' | 'limitPrice'>;

/** An exchange. Calls never throw for an answer of the venue; unknown outcomes are values. */
export interface Venue {
  readonly info: ConnectorInfo;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** The machine slept, or its clock was set: connections may be dead, and what they told is old. */
  woke?(): void;
  status(): ConnectorStatus;
  onStatus(listener: (status: ConnectorStatus) => void): Unsubscribe;
  /** The venue's instruments, known after `start`; another array whenever one of them has changed. */
  instruments(): readonly Instrument[];
  /**
   * Tells that instruments were listed, delisted or changed; `instruments()` has them already. Missing: they stay as they
   * are while the gateway runs.
   */
  onInstruments?(listener: () => void): Unsubscribe;
  /** The first update that `listener` gets, synchronously, is the full state. */
  marketStream(listener: (update: MarketUpdate) => void): Unsubscribe;
  /** Paper only. */
  readonly faults?: PaperFaultDesk;
  accountStream(account: VenueAccount, listener: (event: AccountEvent) => void): Unsubscribe;
  /**
   * Live only: asks the venue whether the credentials are valid, and for its own name of their account. They match
   * `info.credentials`: all required fields are there, each of the right kind.
   */
  checkCredentials?(access: VenueAccess): Promise<Result<CredentialReport, CredentialRefusal>>;
  /** Live only, where a wallet's signature can make a trading key: makes one for the wallet to approve. */
  prepareWallet?(request: WalletRequest): Promise<Result<WalletApproval, CredentialRefusal>>;
  /**
   * Hands the wallet's signature to the venue and waits until the key may trade. Repeatable after `unknown`.
   * @param signature 65 bytes, `0x` and hex
   */
  completeWallet?(
    request: WalletRequest,
    approval: WalletApproval,
    signature: string,
  ): Promise<Result<CredentialReport, CredentialRefusal>>;
  /** Account set-up by the owner's wallet, where the venue has it (`exchange_setup`). */
  setup?(): Promise<ExchangeSetup>;
  /**
   * Makes the account known to the venue (paper: creates and funds it). Idempotent; new credentials replace the old
   * ones.
   * @param access of a live account, already checked
   */
  openAccount(account: VenueAccount, access?: VenueAccess): Promise<Result<void, VenueError>>;
  /**
   * Live only: looks whether everything works that trading needs, without an order, one step after the other. It ends
   * early where a step makes the next ones pointless, and never rejects for an answer of the venue.
   * @param target account to look at as well, with its credentials; null: only what needs no account
   */
  check?(
    target: { readonly account: VenueAccount; readonly access: VenueAccess } | null,
    tell: (step: VenueCheckStep) => void,
    record: (exchange: VenueExchange) => void,
    /** More to do while what is asked and answered is recorded, once these steps are done. */
    further?: () => Promise<void>,
  ): Promise<void>;
  /** Live only: fees of the account at its tier, as the venue told them within the last hour or two; null: not yet. */
  feeRates?(account: VenueAccount): FeeRates | null;
  /** Live only: how the account is, whatever its venue is; null: it is not open there. */
  accountStatus?(account: VenueAccount): AccountStatus | null;
  /** Live only: tells when `accountStatus` says something else than before. */
  onAccountStatus?(listener: (account: VenueAccount) => void): Unsubscribe;
  /** Live only: tells when the venue refuses the credentials of an open account. It may tell it again and again. */
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
   * Moves USD from the account's free margin into an isolated position, or back where `amount` is negative. Venues do
   * not detect repeated requests: after `unknown`, look at `positions` before asking again. Without the capability
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
   * What became of orders: one answer per order, in the same order. An order that the venue did not answer for is
   * `unknown`; an error is about all of them.
   */
  ordersByClientIds(
    account: VenueAccount,
    orders: readonly OrderRef[],
  ): Promise<Result<readonly OrderLookup[], VenueError>>;
  openOrders(account: VenueAccount): Promise<Result<readonly OrderOutcome[], VenueError>>;
  positions(account: VenueAccount): Promise<Result<readonly VenuePosition[], VenueError>>;
  /**
   * Balances and positions as the account's stream keeps them, while nothing is missing from it; null: they have to be
   * asked for. Missing: the venue's answers are immediate anyway.
   */
  accountState?(
    account: VenueAccount,
  ): { readonly balances: VenueBalances; readonly positions: readonly VenuePosition[] } | null;
  history(account: VenueAccount, cursor: string | null): Promise<Result<VenueHistory, VenueError>>;
  balances(account: VenueAccount): Promise<Result<VenueBalances, VenueError>>;
  /**
   * What the book holds for orders that take liquidity, one answer per order, in the same order; null: the venue knows no
   * book of the instrument. Nothing is placed. Missing: this venue's books are not read.
   */
  expectedFills?(
    orders: readonly ExpectedOrder[],
  ): Promise<Result<readonly (BookPreview | null)[], VenueError>>;
  /**
   * The best `levels` of each side of an instrument's book as it stands now, none that was kept; fewer where the venue tells
   * fewer; null: no book of the instrument is known now. Missing: this venue's books are not read.
   */
  book?(symbol: string, levels: number): Promise<Result<VenueBook | null, VenueError>>;
  /**
   * Simulated venues only: generates candles for a time without recorded ones. The same request gives the same
   * candles.
   */
  imaginePast?(request: ImagineRequest): readonly Candle[];
}

export interface Venues {
  get(connector: string): Venue | undefined;
  all(): readonly Venue[];
}
