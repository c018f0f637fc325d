/** A plain client of Hyperliquid for tests: it signs with the gateway's signer, sends, and answers what came back. */
import type { Clock } from '../../../../gateway/engine/ports/system.ts';
import { addressOf, type Hex } from '../../../../gateway/venues/live/hyperliquid/signing/keys.ts';
import {
  type Action,
  exchangeBody,
  type Network,
  signL1Action,
} from '../../../../gateway/venues/live/hyperliquid/signing/l1-action.ts';
import type { Packable } from '../../../../gateway/venues/live/hyperliquid/signing/msgpack.ts';
import { type Answer, SocketListener } from '../shared/socket-listener.ts';

export interface SendOptions {
  readonly nonce?: number;
  readonly expiresAfter?: number | null;
  readonly vaultAddress?: string | null;
  readonly network?: Network;
}

export interface Leg {
  readonly asset?: number;
  readonly isBuy?: boolean;
  readonly px: string;
  readonly sz: string;
  readonly reduceOnly?: boolean;
  readonly tif?: 'Ioc' | 'Gtc' | 'Alo';
  readonly cloid?: string;
}

export class Trader {
  readonly address: Hex;
  readonly #url: string;
  readonly #privateKey: Hex;
  readonly #clock: Clock;
  #lastNonce = 0;

  /** @param clock the venue's */
  constructor(url: string, privateKey: Hex, clock: Clock) {
    this.#clock = clock;
    this.#url = url;
    this.#privateKey = privateKey;
    this.address = addressOf(privateKey);
  }

  async info(type: string, asked: Record<string, unknown> = {}): Promise<Answer> {
    return (await this.post('/info', { type, ...asked })).json();
  }

  async act(action: Action, options: SendOptions = {}): Promise<Answer> {
    return (await this.post('/exchange', this.signed(action, options))).json();
  }

  signed(action: Action, options: SendOptions = {}): { readonly [key: string]: Packable } {
    this.#lastNonce = options.nonce ?? Math.max(this.#lastNonce + 1, this.#clock.now());
    const { vaultAddress = null, expiresAfter = null, network = 'mainnet' } = options;
    const l1 = { action, nonce: this.#lastNonce, vaultAddress, expiresAfter };
    return exchangeBody(l1, signL1Action({ ...l1, privateKey: this.#privateKey, network }));
  }

  post(path: string, body: unknown): Promise<Response> {
    const headers = { 'content-type': 'application/json' };
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return fetch(`${this.#url}${path}`, { method: 'POST', headers, body: text });
  }

  /** Statuses of the legs, or the venue's words where it refused the whole request. */
  async order(legs: readonly Leg[], options: SendOptions = {}): Promise<Answer> {
    const answer = await this.act(orderAction(legs), options);
    return answer.status === 'ok' ? answer.response.data.statuses : answer.response;
  }
}

export function orderAction(legs: readonly Leg[]): Action {
  const orders = legs.map(({ asset = 0, isBuy = true, px, sz, reduceOnly = false, tif = 'Ioc', cloid }) => ({
    ...{ a: asset, b: isBuy, p: px, s: sz, r: reduceOnly, t: { limit: { tif } } },
    ...(cloid === undefined ? {} : { c: cloid }),
  }));
  return { type: 'order', orders, grouping: 'na' };
}

export function cloidOf(number: number): string {
  return `0x${number.toString(16).padStart(32, '0')}`;
}

/** A socket whose messages are kept. */
export class Listener extends SocketListener {
  static open(wsUrl: string): Promise<Listener> {
    return new Listener(wsUrl).opened();
  }

  async subscribe(subscription: object): Promise<void> {
    const before = this.of('subscriptionResponse').length;
    this.send({ method: 'subscribe', subscription });
    await this.untilMessages(() => this.of('subscriptionResponse').length > before);
  }

  of(channel: string): Answer[] {
    return this.messages.filter((message) => message.channel === channel).map(({ data }) => data);
  }
}
