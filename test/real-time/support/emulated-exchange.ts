/** Common part of emulated live venues, each in a process of its own that outlives the gateway. */
import type { StormRandom } from '../../support/storm-random.ts';
import type { RemoteVenue } from '../../support/venues/shared/remote.ts';
import type { AccountName, AnyScript, CommonState } from '../../support/venues/shared/venue-script.ts';
import type { VenueReading } from './storm-audit.ts';

/** An account at the venue, as it is connected, traded past the gateway, and looked at. */
export interface ExchangeAccount {
  readonly credentials: Readonly<Record<string, string | number>>;
  tradeElsewhere(ticker: string, side: string, usd: number): Promise<void>;
  look(): Promise<VenueReading>;
}

/** USD: the venues round what a fill realises, and each payment, to a millionth. */
const ROUNDED_PER_FILL = '0.000001';

/** Every venue's process with the calls of its script. */
type Emulator = RemoteVenue<Pick<AnyScript, 'markOf' | 'setMark' | 'tradeElsewhere' | 'cutStreams'>>;

/** Ways in which the answer to a request that places orders goes wrong. */
export const lostAnswers = <On extends string>(on: On) =>
  [
    { on, do: 'lose_answer' },
    { on, do: 'cut_before' },
    { on, do: 'status', code: 502 },
    { on, do: 'status', code: 502, execute: true },
    { on, do: 'truncate' },
    { on, do: 'delay', afterMs: 6_000 },
    { on, do: 'delay', beforeMs: 6_000 },
  ] as const;

/** The part of a reading that all venues state alike. */
export function commonReading(
  state: CommonState<string | number | null>,
): Omit<VenueReading, 'fills' | 'balance' | 'deposits'> {
  return {
    positions: state.positions.map(({ symbol, size, entry }) => ({
      ...{ symbol: `${symbol}-PERP`, quantity: size, entryPrice: entry },
    })),
    orders: state.orders.flatMap(({ client }) =>
      client === null ? [] : [{ clientOrderId: String(client) }],
    ),
    funding: [{ amount: state.funding }],
    roundedPerFill: ROUNDED_PER_FILL,
  };
}

export abstract class EmulatedExchange<Venue extends Emulator> {
  abstract readonly connector: string;
  readonly tickers = ['BTC', 'ETH', 'SOL', 'DOGE', 'XRP', 'AVAX'];
  protected readonly random: StormRandom;
  #emulator: Venue | null = null;

  constructor(random: StormRandom) {
    this.random = random;
  }

  protected abstract launchEmulator(): Promise<Venue>;
  /** Decimals of the venue's sizes, and a price as it takes it. */
  protected abstract sizeDecimals(ticker: string): number;
  protected abstract priceText(ticker: string, price: number): string;
  /** A new account with 1,000,000 USDC. */
  abstract account(): Promise<ExchangeAccount>;
  /** One leg of the next orders is refused. */
  abstract refuseLeg(): Promise<void>;
  /** One thing that goes wrong. */
  abstract fault(): Promise<void>;

  get pid(): number | null {
    return this.#emulator?.pid ?? null;
  }

  /** Environment of the gateway, set once the venue runs. */
  get env(): Readonly<Record<string, string>> {
    return { TANDEM_LIVE: 'on', [`TANDEM_${this.connector.toUpperCase()}_URL`]: this.#running.url };
  }

  async launch(): Promise<void> {
    this.#emulator = await this.launchEmulator();
  }

  /** Starts it with the limits of a storm. */
  start(): Promise<void> {
    return this.launch();
  }

  /** @param factor of the price as it is */
  async movePrice(ticker: string, factor: number): Promise<void> {
    const price = Number(await this.script.markOf(ticker)) * factor;
    await this.script.setMark(ticker, this.priceText(ticker, price));
  }

  /** Ends what goes wrong until it is ended. */
  calm(): Promise<void> {
    return Promise.resolve();
  }

  async cutStreams(): Promise<void> {
    await this.script.cutStreams();
  }

  async close(): Promise<void> {
    await this.#emulator?.close();
  }

  protected async tradeElsewhere(
    account: AccountName,
    ticker: string,
    side: string,
    usd: number,
  ): Promise<void> {
    const price = await this.script.markOf(ticker);
    const size = (usd / Number(price)).toFixed(this.sizeDecimals(ticker));
    if (Number(size) === 0) return;
    await this.script.tradeElsewhere(account, ticker, side === 'BUY' ? 'buy' : 'sell', size, price);
  }

  protected get script(): Venue['script'] {
    return this.#running.script;
  }

  get #running(): Venue {
    if (this.#emulator === null) throw new Error('there is no venue');
    return this.#emulator;
  }
}
