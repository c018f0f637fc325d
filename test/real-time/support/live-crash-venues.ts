/** Emulated venues for gateways that are killed: how the one account there is connected, and what is true of it. */
import { StormRandom } from '../../support/storm-random.ts';
import type { ExchangeAccount } from './emulated-exchange.ts';
import type { VenueReading } from './storm-audit.ts';
import { HyperliquidInStorm } from './storm-hyperliquid.ts';
import { LighterInStorm } from './storm-lighter.ts';

export class CrashVenue {
  readonly #exchange: HyperliquidInStorm | LighterInStorm;
  #account: ExchangeAccount | null = null;

  constructor(exchange: HyperliquidInStorm | LighterInStorm) {
    this.#exchange = exchange;
  }

  get connector(): string {
    return this.#exchange.connector;
  }

  get env(): Readonly<Record<string, string>> {
    return this.#exchange.env;
  }

  get credentials(): ExchangeAccount['credentials'] {
    return this.#opened.credentials;
  }

  async begin(): Promise<void> {
    await this.#exchange.launch();
    this.#account = await this.#exchange.account();
  }

  refuseLeg(): Promise<void> {
    return this.#exchange.refuseLeg();
  }

  /** The venue's own records of the account. */
  truth(): Promise<VenueReading> {
    return this.#opened.look();
  }

  end(): Promise<void> {
    return this.#exchange.close();
  }

  get #opened(): ExchangeAccount {
    if (this.#account === null) throw new Error('there is no venue');
    return this.#account;
  }
}

export const crashHyperliquid = () => new CrashVenue(new HyperliquidInStorm(new StormRandom(0)));
export const crashLighter = () => new CrashVenue(new LighterInStorm(new StormRandom(0)));
