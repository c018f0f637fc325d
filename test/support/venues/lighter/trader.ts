/** A plain client of Lighter for tests: it signs with the emulator's own slow signer, sends, and answers what came back. */
import type { Clock } from '../../../../gateway/engine/ports/system.ts';
import { type Answer, SocketListener } from '../shared/socket-listener.ts';
import { hashToQuintic } from './curve/poseidon.ts';
import { publicKeyOf, sign } from './curve/schnorr.ts';
import { signToken } from './wire/auth-token.ts';
import { messageOf, type Network } from './wire/tx.ts';
import { SHAPES, type TxKind } from './wire/tx-shapes.ts';

export interface Key {
  /** 80 hexadecimal digits each. */
  readonly privateKey: string;
  readonly publicKey: string;
}

/** @param seed any text: the same one makes the same key */
export function makeKey(seed: string): Key {
  const [a, b, c, d] = hashToQuintic([...seed].map((letter) => BigInt(letter.codePointAt(0) ?? 0)));
  const bytes = Buffer.alloc(40);
  for (const [at, word] of [a, b, c, d].entries()) bytes.writeBigUInt64LE(word, at * 8);
  return { privateKey: bytes.toString('hex'), publicKey: publicKeyOf(bytes).toString('hex') };
}

export interface TraderOptions {
  readonly account: number;
  readonly apiKey?: number;
  readonly key: Key;
  readonly network?: Network;
  /** The venue's. */
  readonly clock: Clock;
}

export interface OrderTerms {
  readonly market?: number;
  readonly client?: number;
  /** As on the wire: integers of the market's steps. */
  readonly base: number;
  readonly price: number;
  readonly isAsk?: boolean;
  readonly reduceOnly?: boolean;
  /** 0 limit, 1 market. */
  readonly type?: number;
  /** 0 immediate or cancel, 1 good till time, 2 post only. */
  readonly timeInForce?: number;
  readonly expiry?: number;
}

export interface SendOptions {
  readonly nonce?: number;
  readonly expiredAt?: number;
  readonly attributes?: Readonly<Record<string, number>>;
}

const MONTH_MS = 28 * 86_400_000;
const SOON_MS = 60_000;

export class Trader {
  readonly account: number;
  readonly apiKey: number;
  readonly key: Key;
  readonly #url: string;
  readonly #network: Network;
  readonly #clock: Clock;
  #nonce = 0;
  #clients = 0;

  constructor(url: string, { account, apiKey = 4, key, network = 'mainnet', clock }: TraderOptions) {
    this.#url = url;
    this.#network = network;
    this.#clock = clock;
    this.account = account;
    this.apiKey = apiKey;
    this.key = key;
  }

  async get(route: string, asked: Readonly<Record<string, string | number>> = {}): Promise<Answer> {
    const query = new URLSearchParams(
      Object.entries(asked).map(([name, value]): [string, string] => [name, `${value}`]),
    );
    return (await fetch(`${this.#url}/api/v1/${route}?${query}`)).json();
  }

  /** A question that only bearers of a token may ask; about this account, unless it is said otherwise. */
  async own(route: string, asked: Readonly<Record<string, string | number>> = {}): Promise<Answer> {
    return this.get(route, { account_index: this.account, auth: this.token(), ...asked });
  }

  async post(
    route: string,
    fields: Readonly<Record<string, string>>,
  ): Promise<{ readonly status: number; readonly json: Answer }> {
    const body = new URLSearchParams(fields);
    const response = await fetch(`${this.#url}/api/v1/${route}`, { method: 'POST', body });
    return { status: response.status, json: await response.json() };
  }

  token(deadline = Math.floor(this.#clock.now() / 1000) + 600): string {
    return signToken(Buffer.from(this.key.privateKey, 'hex'), deadline, this.account, this.apiKey);
  }

  /** A signed transaction as it is sent; the number rises with each. @param key another key than this trader's */
  signed(
    kind: TxKind,
    fields: Readonly<Record<string, unknown>>,
    options: SendOptions = {},
    key = this.key,
  ): string {
    const nonce = options.nonce ?? this.#nonce;
    this.#nonce = nonce + 1;
    const owner = kind === 'transfer' ? 'FromAccountIndex' : 'AccountIndex';
    const body = {
      ...{ [owner]: this.account, ApiKeyIndex: this.apiKey, ...fields },
      ...{ ExpiredAt: options.expiredAt ?? this.#clock.now() + SOON_MS, Nonce: nonce },
      ...(options.attributes === undefined ? {} : { L2TxAttributes: options.attributes }),
    };
    const message = messageOf(this.#network, kind, body);
    const signature = sign(Buffer.from(key.privateKey, 'hex'), message);
    return JSON.stringify({ ...body, Sig: signature.toString('base64') });
  }

  async send(
    kind: TxKind,
    fields: Readonly<Record<string, unknown>>,
    options: SendOptions = {},
  ): Promise<Answer> {
    const tx_info = this.signed(kind, fields, options);
    const { json } = await this.post('sendTx', { tx_type: `${SHAPES[kind].type}`, tx_info });
    // A transaction that the API refuses uses no number.
    if (json.code !== 200) this.#nonce -= 1;
    return json;
  }

  order(terms: OrderTerms, options: SendOptions = {}): Promise<Answer> {
    return this.send('createOrder', this.orderFields(terms), options);
  }

  orderFields(terms: OrderTerms): Readonly<Record<string, number>> {
    const { market = 0, base, price, isAsk = false, reduceOnly = false, type = 0, timeInForce = 0 } = terms;
    this.#clients += 1;
    return {
      ...{
        MarketIndex: market,
        ClientOrderIndex: terms.client ?? this.#clients,
        BaseAmount: base,
        Price: price,
      },
      ...{ IsAsk: isAsk ? 1 : 0, Type: type, TimeInForce: timeInForce, ReduceOnly: reduceOnly ? 1 : 0 },
      ...{
        TriggerPrice: 0,
        OrderExpiry: terms.expiry ?? (timeInForce === 0 ? 0 : this.#clock.now() + MONTH_MS),
      },
    };
  }

  cancel(client: number, market = 0): Promise<Answer> {
    return this.send('cancelOrder', { MarketIndex: market, Index: client });
  }

  /** The order as the venue tells it; undefined: it tells none. */
  async lookUp(client: number): Promise<Answer> {
    return (await this.own('accountOrders', { client_order_indexes: client })).orders[0];
  }
}

/** A socket whose messages are kept. */
export class Listener extends SocketListener {
  static open(wsUrl: string): Promise<Listener> {
    return new Listener(wsUrl).opened();
  }

  /** @param channel with slashes */
  async subscribe(channel: string, auth?: string): Promise<Answer> {
    const name = `subscribed/${channel.split('/')[0]}`;
    const before = this.of(name).length;
    this.send({ type: 'subscribe', channel, ...(auth === undefined ? {} : { auth }) });
    await this.untilMessages(() => this.of(name).length > before);
    return this.of(name)[before];
  }

  /** Messages of a type, as `update/trade`. */
  of(type: string): Answer[] {
    return this.messages.filter((message) => message.type === type);
  }
}
