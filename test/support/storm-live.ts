/**
 * The emulated Hyperliquid in a storm: it outlives the gateway, its market moves, other programs trade on its accounts, and
 * answers are lost, late and broken all the time.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf, toHex } from '../../gateway/venues/live/hyperliquid/signing/keys.ts';
import type { GatewayClient } from './gateway-client.ts';
import type { GatewayProcessOptions } from './gateway-process.ts';
import type { VenueReading } from './storm-audit.ts';
import { noPromises, type StormAccount } from './storm-load.ts';
import type { StormRandom } from './storm-random.ts';
import type { StormVenue } from './storm-venue.ts';
import { until } from './until.ts';
import type { Fault } from './venues/hyperliquid/faults.ts';
import { launchEmulator, type RemoteEmulator } from './venues/hyperliquid/remote.ts';
import { DEFAULT_UNIVERSE } from './venues/hyperliquid/state/universe.ts';

const ACCOUNTS = 2;
const COINS = ['BTC', 'ETH', 'SOL', 'DOGE', 'XRP', 'AVAX'] as const;
const MOVES_EVERY_MS = 400;
const LIMIT_AGAIN_MS = 40_000;
/** Of one step of the market, a fraction. */
const STEP = 0.0015;
/** A fault comes with one step of so many. */
const STEPS_PER_FAULT = 12;
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
];

export class LiveStorm implements StormVenue {
  readonly alwaysFails = true;
  readonly #random: StormRandom;
  readonly #addresses = new Map<StormAccount, string>();
  #emulator: RemoteEmulator | null = null;
  #isOver = false;
  #isResting = false;
  #market: Promise<void> = Promise.resolve();

  constructor(random: StormRandom) {
    this.#random = random;
  }

  get pid(): number | null {
    return this.#emulator?.pid ?? null;
  }

  get gatewayOptions(): Omit<GatewayProcessOptions, 'dataDir'> {
    return {
      flags: ['--allow-file-vault'],
      env: { TANDEM_LIVE: 'on', TANDEM_HYPERLIQUID_URL: this.#venue.url },
    };
  }

  async start(): Promise<void> {
    this.#emulator = await launchEmulator({ pulseMs: 500 });
    await this.#venue.script.setWeightPerMinute(null);
  }

  async connect(client: GatewayClient): Promise<readonly StormAccount[]> {
    const accounts: StormAccount[] = [];
    for (let index = 0; index < ACCOUNTS; index += 1) accounts.push(await this.#account(client, index));
    for (const { key, accountId } of accounts) {
      const headers = { 'x-api-key': key, 'x-trade-account-id': accountId };
      await until('the account is synchronised', async () => {
        const { status } = await client.request('POST', '/sync', { headers });
        return status === 200;
      });
    }
    // Connecting and checking takes nearly all that the venue lets an address ask in a minute.
    await sleep(LIMIT_AGAIN_MS);
    this.#market = this.#move();
    return accounts;
  }

  async #account(client: GatewayClient, index: number): Promise<StormAccount> {
    const main = randomBytes(32);
    const agent = randomBytes(32);
    const address = addressOf(main);
    const { script } = this.#venue;
    await script.addAccount({ address, deposit: '1000000' });
    await script.addAgent(address, addressOf(agent));
    await script.setRequests(address, 0, 1_000_000);
    const { accessToken } = (await client.register(`storm${index}@example.test`)) as unknown as {
      accessToken: string;
    };
    const call = async (method: string, path: string, body: object) => {
      const { status, json, text } = await client.request(method, path, {
        headers: { authorization: `Bearer ${accessToken}` },
        body,
      });
      if (status !== 200 && status !== 201) throw new Error(`${path}: ${status} ${text}`);
      return json;
    };
    const made = await call('POST', '/trade-accounts', {
      ...{ alias: 'Main', connector: 'hyperliquid' },
      credentials: { accountAddress: address, agentPrivateKey: toHex(agent) },
    });
    await call('PUT', `/trade-accounts/${made.id}/arming`, {
      ...{ alias: 'Main', perOrderUsd: '1000000', totalUsd: '9000000', allow: { apiKeys: true } },
    });
    const { key } = await call('POST', '/api-keys', { label: 'bot', scope: 'read_write' });
    const account: StormAccount = {
      ...{ key, accountId: made.id, connector: 'hyperliquid', tickers: COINS, promises: noPromises() },
      // Before the gateway knows the venue's instruments, a leg's ticker is its symbol.
      tradeOutside: (ticker, side, usd) =>
        this.#tradeElsewhere(address, ticker.replace('-PERP', ''), side, usd),
    };
    this.#addresses.set(account, address);
    return account;
  }

  async #tradeElsewhere(address: string, coin: string, side: string, usd: number): Promise<void> {
    const { script } = this.#venue;
    const decimals = DEFAULT_UNIVERSE.find(({ name }) => name === coin)?.szDecimals ?? 0;
    const price = await script.markOf(coin);
    const size = (usd / Number(price)).toFixed(decimals);
    if (Number(size) === 0) return;
    await script.tradeElsewhere(address, coin, side === 'BUY' ? 'buy' : 'sell', size, price);
  }

  /** The market goes up and down, and now and then something goes wrong. */
  async #move(): Promise<void> {
    const { script } = this.#venue;
    const random = this.#random;
    while (!this.#isOver) {
      try {
        for (const coin of COINS) {
          const price = Number(await script.markOf(coin)) * (1 + random.between(-STEP, STEP));
          await script.setMark(coin, String(Number(price.toPrecision(5))));
        }
        const [isFault, isCut] = [
          random.uniform() < 1 / STEPS_PER_FAULT,
          random.uniform() < 1 / (10 * STEPS_PER_FAULT),
        ];
        if (isFault && !this.#isResting) await script.fault(random.pick(FAULTS));
        if (isCut && !this.#isResting) await script.cutStreams();
      } catch (error) {
        // A venue that stands still answers late, and cuts what waited for it.
        const isAway = error instanceof TypeError && error.message === 'fetch failed';
        if (!isAway) throw error;
      }
      await sleep(MOVES_EVERY_MS);
    }
  }

  rest(isResting: boolean): void {
    this.#isResting = isResting;
  }

  async look(account: StormAccount): Promise<VenueReading> {
    const address = this.#addresses.get(account);
    if (address === undefined) throw new Error('an account of another storm');
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

  lookInside(): Promise<ReadonlyMap<StormAccount, VenueReading>> {
    return Promise.resolve(new Map());
  }

  isSilence(complaint: string): boolean {
    return /The venue did not answer|The venue takes no more requests|Not yet: /.test(complaint);
  }

  async close(): Promise<void> {
    this.#isOver = true;
    try {
      await this.#market;
    } finally {
      await this.#emulator?.close();
    }
  }

  get #venue(): RemoteEmulator {
    if (this.#emulator === null) throw new Error('there is no venue');
    return this.#emulator;
  }
}
