/**
 * An emulated live venue in a storm: it outlives the gateway, its market moves, other programs trade on its accounts, and
 * answers are lost, late and broken all the time.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { GatewayClient } from '../../support/gateway-client.ts';
import type { GatewayProcessOptions } from '../../support/gateway-process.ts';
import type { StormRandom } from '../../support/storm-random.ts';
import type { ExchangeAccount } from './emulated-exchange.ts';
import { type StormAccount, StormPromises } from './storm-account.ts';
import type { VenueReading } from './storm-audit.ts';
import type { HyperliquidInStorm } from './storm-hyperliquid.ts';
import type { LighterInStorm } from './storm-lighter.ts';
import type { StormVenue } from './storm-venue.ts';
import { until } from './until.ts';

const ACCOUNTS = 2;
const MOVES_EVERY_MS = 400;
const LIMIT_AGAIN_MS = 40_000;
/** Largest change of a price in one step of the market, as a fraction. */
const STEP = 0.0015;
/** A fault comes with one step of so many. */
const STEPS_PER_FAULT = 12;

type StormExchange = HyperliquidInStorm | LighterInStorm;

export class LiveStorm implements StormVenue {
  readonly alwaysFails = true;
  readonly #exchange: StormExchange;
  readonly #random: StormRandom;
  readonly #accounts = new Map<StormAccount, ExchangeAccount>();
  #isOver = false;
  #isResting = false;
  #market: Promise<void> = Promise.resolve();

  constructor(exchange: StormExchange, random: StormRandom) {
    this.#exchange = exchange;
    this.#random = random;
  }

  get pid(): number | null {
    return this.#exchange.pid;
  }

  get gatewayOptions(): Omit<GatewayProcessOptions, 'dataDir'> {
    return { flags: ['--allow-file-vault'], env: this.#exchange.env };
  }

  start(): Promise<void> {
    return this.#exchange.start();
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
    const { connector, tickers } = this.#exchange;
    const there = await this.#exchange.account();
    const { accessToken } = await client.register(`storm${index}@example.test`);
    const call = async (method: string, path: string, body: object) => {
      const { status, json, text } = await client.request(method, path, {
        headers: { authorization: `Bearer ${accessToken}` },
        body,
      });
      if (status !== 200 && status !== 201) throw new Error(`${path}: ${status} ${text}`);
      return json;
    };
    const { credentials } = there;
    const made = await call('POST', '/trade-accounts', { alias: 'Main', connector, credentials });
    await call('PUT', `/trade-accounts/${made.id}/arming`, {
      ...{ alias: 'Main', perOrderUsd: '1000000', totalUsd: '9000000', allow: { apiKeys: true } },
    });
    const { key } = await call('POST', '/api-keys', { label: 'bot', scope: 'read_write' });
    const account: StormAccount = {
      ...{ key, accountId: made.id, connector, tickers, promises: new StormPromises() },
      // Before the gateway knows the venue's instruments, a leg's ticker is its symbol.
      tradeOutside: (ticker, side, usd) => there.tradeElsewhere(ticker.replace('-PERP', ''), side, usd),
    };
    this.#accounts.set(account, there);
    return account;
  }

  /** The market goes up and down, and now and then something goes wrong. */
  async #move(): Promise<void> {
    const exchange = this.#exchange;
    const random = this.#random;
    while (!this.#isOver) {
      try {
        for (const ticker of exchange.tickers)
          await exchange.movePrice(ticker, 1 + random.between(-STEP, STEP));
        const [isFault, isCut] = [
          random.uniform() < 1 / STEPS_PER_FAULT,
          random.uniform() < 1 / (10 * STEPS_PER_FAULT),
        ];
        if (this.#isResting) await exchange.calm();
        if (isFault && !this.#isResting) await exchange.fault();
        if (isCut && !this.#isResting) await exchange.cutStreams();
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
    const there = this.#accounts.get(account);
    if (there === undefined) throw new Error('an account of another storm');
    return there.look();
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
      await this.#exchange.close();
    }
  }
}
