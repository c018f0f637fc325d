/**
 * A paper venue in another process, as a `Venue`. If the connection ends before a request is answered, the answer is
 * `unknown`, never a failure: the order may have executed. While the connection is cut the venue is DOWN; once it is
 * back the full market is sent again, accounts are subscribed again, and each account is told `reconnected`.
 */
import type { Instrument } from '../../../domain/model.ts';
import type { Result } from '../../../domain/result.ts';
import type { Clock, Logger, Unsubscribe } from '../../../engine/ports/system.ts';
import type {
  AccountEvent,
  ConnectorInfo,
  MarketUpdate,
  OrderOutcome,
  PlaceOrder,
  Venue,
  VenueAccount,
  VenueError,
} from '../../../engine/ports/venue.ts';
import { type Backoff, createBackoff } from '../../../system/backoff.ts';
import { StatusBoard } from '../accounts/status-board.ts';
import { paperConnectorInfo } from '../market/connectors.ts';
import type { PaperConnector } from '../market/instruments.ts';
import { MarketMirror } from '../market/market-mirror.ts';
import type { PaperProfile } from '../market/market-types.ts';
import { unanswered, unansweredOrder } from '../venue/refused-answers.ts';
import { connectSim, type SimConnection, type SimPush } from './sim-connection.ts';
import type { SimMethod, SimMethods } from './sim-protocol.ts';

const FIRST_RETRY_MS = 50;
const MAX_RETRY_MS = 2_000;
const REQUEST_TIMEOUT_MS = 10_000;
/** How long `start` waits for the venue; attempts to connect continue afterwards. */
const START_PATIENCE_MS = 5_000;

export interface RemotePaperVenueOptions {
  readonly host: string;
  readonly port: number;
  readonly connector: PaperConnector;
  /** Fee profile to assume until the venue has sent its own. */
  readonly profile: PaperProfile;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly requestTimeoutMs?: number;
  /** Uniform in [0, 1), for the jitter between attempts to connect. */
  readonly random?: () => number;
}

export type RemotePaperVenue = Venue & Required<Pick<Venue, 'resetAccount' | 'changeMargin'>>;

export function createRemotePaperVenue(options: RemotePaperVenueOptions): RemotePaperVenue {
  return new RemoteVenue(options);
}

interface Listened {
  readonly account: VenueAccount;
  readonly listeners: Set<(event: AccountEvent) => void>;
}

class RemoteVenue implements RemotePaperVenue {
  private readonly options: RemotePaperVenueOptions;
  private readonly board: StatusBoard;
  private readonly market: MarketMirror;
  private readonly accounts = new Map<string, Listened>();
  private saidInfo: ConnectorInfo;
  private listed: readonly Instrument[] = [];
  private connection: SimConnection | null = null;
  private wanted = false;
  /** `start` gave up waiting for a connection, so events before the first connection were missed. */
  private gaveUp = false;
  private readonly backoff: Backoff;
  private cancelRetry: Unsubscribe = () => undefined;
  private onFirst: () => void = () => undefined;

  constructor(options: RemotePaperVenueOptions) {
    this.options = options;
    this.board = new StatusBoard(options.clock);
    this.saidInfo = paperConnectorInfo(options.connector, options.profile);
    this.market = new MarketMirror(options.connector);
    this.backoff = createBackoff({
      baseMs: FIRST_RETRY_MS,
      maxMs: MAX_RETRY_MS,
      random: options.random ?? Math.random,
    });
  }

  get info(): ConnectorInfo {
    return this.saidInfo;
  }

  async start(): Promise<void> {
    if (this.wanted) return;
    this.wanted = true;
    const first = new Promise<void>((resolve) => {
      this.onFirst = resolve;
    });
    const giveUp = this.options.clock.after(START_PATIENCE_MS, () => {
      this.gaveUp = true;
      this.onFirst();
    });
    this.tryConnect();
    await first;
    giveUp();
  }

  async stop(): Promise<void> {
    this.wanted = false;
    this.cancelRetry();
    this.connection?.close();
    this.connection = null;
    this.board.set('DOWN', 'stopped');
  }

  status() {
    return this.board.current;
  }

  onStatus(listener: Parameters<Venue['onStatus']>[0]): Unsubscribe {
    return this.board.listen(listener);
  }

  instruments() {
    return this.listed;
  }

  marketStream(listener: (update: MarketUpdate) => void): Unsubscribe {
    return this.market.listen(listener);
  }

  accountStream(account: VenueAccount, listener: (event: AccountEvent) => void): Unsubscribe {
    const key = account.exchangeIdentifier;
    let listened = this.accounts.get(key);
    if (listened === undefined) {
      listened = { account, listeners: new Set() };
      this.accounts.set(key, listened);
      // The subscription is sent before any later request, so it is active before that request causes events.
      this.connection?.call('subscribe', [account]).catch(() => undefined);
    }
    const { listeners } = listened;
    const own = (event: AccountEvent) => listener(event);
    listeners.add(own);
    return () => listeners.delete(own);
  }

  async placeBatch(account: VenueAccount, orders: readonly PlaceOrder[]): Promise<readonly OrderOutcome[]> {
    const outcomes = await this.connection?.call('placeBatch', [account, orders]);
    return outcomes ?? orders.map(unansweredOrder);
  }

  readonly openAccount = this.asking('openAccount');
  readonly resetAccount = this.asking('resetAccount');
  readonly setLeverage = this.asking('setLeverage');
  readonly changeMargin = this.asking('changeMargin');
  readonly cancel = this.asking('cancel');
  readonly ordersByClientIds = this.asking('ordersByClientIds');
  readonly openOrders = this.asking('openOrders');
  readonly positions = this.asking('positions');
  readonly history = this.asking('history');
  readonly balances = this.asking('balances');
  readonly expectedFills = this.asking('expectedFills');
  readonly book = this.asking('book');

  /** Makes a function that calls this method at the remote venue. */
  private asking<M extends AnsweredMethod>(method: M) {
    return async (...params: SimMethods[M]['params']): Promise<SimMethods[M]['result']> => {
      const answer = await this.connection?.call(method, params);
      return answer ?? unanswered();
    };
  }

  private tryConnect(): void {
    this.connect().catch((error: unknown) => {
      this.options.logger.debug({ error, port: this.options.port }, 'the simulated venue cannot be reached');
      this.retry();
    });
  }

  private async connect(): Promise<void> {
    const { host, port, clock, requestTimeoutMs } = this.options;
    const connection = await connectSim({
      host,
      port,
      clock,
      requestTimeoutMs: requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
      onPush: (message) => this.take(message),
      onClose: () => this.lost(connection),
    });
    if (!this.wanted) return connection.close();
    this.connection = connection;
    const hello = await connection.call('hello', []);
    if (hello === null) return connection.close();
    if (hello.info.id !== this.options.connector) {
      this.options.logger.error({ port, connector: hello.info.id }, 'another venue answers on this port');
      return connection.close();
    }
    for (const { account } of this.accounts.values()) await connection.call('subscribe', [account]);
    if (this.connection !== connection) return;
    const isBack = this.listed.length > 0 || this.gaveUp;
    this.saidInfo = hello.info;
    this.listed = hello.instruments;
    this.backoff.reset();
    this.board.set(hello.status.status, hello.status.reason);
    if (isBack)
      for (const { account } of this.accounts.values()) this.tell(account.exchangeIdentifier, RECONNECTED);
    this.onFirst();
  }

  private lost(connection: SimConnection): void {
    if (this.connection !== connection) return;
    this.connection = null;
    if (!this.wanted) return;
    this.board.set('DOWN', 'connection lost');
    this.retry();
  }

  private retry(): void {
    if (!this.wanted) return;
    this.cancelRetry = this.options.clock.after(this.backoff.nextDelayMs(), () => this.tryConnect());
  }

  private take(message: SimPush): void {
    switch (message.kind) {
      case 'market':
        this.market.take(message.update);
        break;
      case 'status':
        this.board.set(message.status.status, message.status.reason);
        break;
      case 'account':
        this.tell(message.exchangeIdentifier, message.event);
        break;
    }
  }

  private tell(exchangeIdentifier: string, event: AccountEvent): void {
    for (const listener of [...(this.accounts.get(exchangeIdentifier)?.listeners ?? [])]) listener(event);
  }
}

/** Methods that are answered with a `Result`. */
type AnsweredMethod = {
  [M in SimMethod]: SimMethods[M]['result'] extends Result<unknown, VenueError> ? M : never;
}[SimMethod];

const RECONNECTED: AccountEvent = { kind: 'reconnected' };
