/** The emulated Hyperliquid in a storm. */
import { randomBytes } from 'node:crypto';
import { addressOf, toHex } from '../../../gateway/venues/live/hyperliquid/signing/keys.ts';
import type { StormRandom } from '../../support/storm-random.ts';
import type { Fault } from '../../support/venues/hyperliquid/faults.ts';
import { launchEmulator, type RemoteEmulator } from '../../support/venues/hyperliquid/remote.ts';
import { DEFAULT_UNIVERSE } from '../../support/venues/hyperliquid/state/universe.ts';
import type { VenueReading } from './storm-audit.ts';
import type { ExchangeAccount, StormExchange } from './storm-live.ts';

/** The venue rounds what a fill realises to a millionth of a USD. */
const ROUNDED_PER_FILL = '0.000001';

const FAULTS: readonly Fault[] = [
  { on: 'order', do: 'lose_answer' },
  { on: 'order', do: 'cut_before' },
  { on: 'order', do: 'status', code: 502 },
  { on: 'order', do: 'status', code: 502, execute: true },
  { on: 'order', do: 'truncate' },
  { on: 'order', do: 'delay', afterMs: 6_000 },
  { on: 'order', do: 'delay', beforeMs: 6_000 },
  { on: 'orderStatus', do: 'status', code: 503 },
  { on: 'userFillsByTime', do: 'status', code: 503 },
  { on: 'clearinghouseState', do: 'delay', beforeMs: 3_000 },
  { on: '*', do: 'status', code: 429 },
  { on: 'order', do: 'refuse_leg', leg: 0, text: 'Insufficient margin to place order. asset=0' },
  { on: 'order', do: 'refuse_leg', leg: 1, text: 'Order would increase open interest too quickly. asset=1' },
  { on: 'order', do: 'refuse_leg', leg: 1, text: 'Order price too far from oracle. asset=1', times: 3 },
];

export class HyperliquidInStorm implements StormExchange {
  readonly connector = 'hyperliquid';
  readonly tickers = ['BTC', 'ETH', 'SOL', 'DOGE', 'XRP', 'AVAX'];
  readonly #random: StormRandom;
  #emulator: RemoteEmulator | null = null;

  constructor(random: StormRandom) {
    this.#random = random;
  }

  get pid(): number | null {
    return this.#emulator?.pid ?? null;
  }

  get env(): Readonly<Record<string, string>> {
    return { TANDEM_HYPERLIQUID_URL: this.#venue.url };
  }

  async start(): Promise<void> {
    this.#emulator = await launchEmulator({ pulseMs: 500 });
    await this.#venue.script.setWeightPerMinute(null);
  }

  async account(): Promise<ExchangeAccount> {
    const main = randomBytes(32);
    const agent = randomBytes(32);
    const address = addressOf(main);
    const { script } = this.#venue;
    await script.addAccount({ address, deposit: '1000000' });
    await script.addAgent(address, addressOf(agent));
    await script.setRequests(address, 0, 1_000_000);
    return {
      credentials: { accountAddress: address, agentPrivateKey: toHex(agent) },
      tradeElsewhere: (ticker, side, usd) => this.#tradeElsewhere(address, ticker, side, usd),
      look: () => this.#look(address),
    };
  }

  async #tradeElsewhere(address: string, coin: string, side: string, usd: number): Promise<void> {
    const { script } = this.#venue;
    const decimals = DEFAULT_UNIVERSE.find(({ name }) => name === coin)?.szDecimals ?? 0;
    const price = await script.markOf(coin);
    const size = (usd / Number(price)).toFixed(decimals);
    if (Number(size) === 0) return;
    await script.tradeElsewhere(address, coin, side === 'BUY' ? 'buy' : 'sell', size, price);
  }

  async movePrice(ticker: string, factor: number): Promise<void> {
    const { script } = this.#venue;
    const price = Number(await script.markOf(ticker)) * factor;
    await script.setMark(ticker, String(Number(price.toPrecision(5))));
  }

  async fault(): Promise<void> {
    await this.#venue.script.fault(this.#random.pick(FAULTS));
  }

  calm(): Promise<void> {
    return Promise.resolve();
  }

  async cutStreams(): Promise<void> {
    await this.#venue.script.cutStreams();
  }

  async #look(address: string): Promise<VenueReading> {
    const state = await this.#venue.script.state(address);
    return {
      positions: state.positions.map(({ coin, size, entry }) => ({
        ...{ symbol: `${coin}-PERP`, quantity: size, entryPrice: entry },
      })),
      fills: state.fills.map(({ tid, coin, side, sz, px, fee }) => ({
        ...{ tradeId: String(tid), symbol: `${coin}-PERP`, side: side === 'B' ? 'BUY' : 'SELL' },
        ...{ quantity: sz, price: px, fee },
      })),
      orders: state.orders.flatMap(({ cloid }) => (cloid === null ? [] : [{ clientOrderId: cloid }])),
      ...{ balance: state.cash, deposits: state.deposits, funding: [{ amount: state.funding }] },
      roundedPerFill: ROUNDED_PER_FILL,
    };
  }

  async close(): Promise<void> {
    await this.#emulator?.close();
  }

  get #venue(): RemoteEmulator {
    if (this.#emulator === null) throw new Error('there is no venue');
    return this.#emulator;
  }
}
