/** Orders as the venue remembers them, by its own number and by the client's. */
import type { Decimal } from '../../../../../gateway/domain/decimal.ts';
import type { Market } from './markets.ts';

export const TYPES = [
  'limit',
  'market',
  'stop-loss',
  'stop-loss-limit',
  'take-profit',
  'take-profit-limit',
  'twap',
];
export const TIMES_IN_FORCE = ['immediate-or-cancel', 'good-till-time', 'post-only'];

export interface Order {
  /** The venue's number of it. */
  readonly oid: number;
  /** 0: none. */
  readonly clientIndex: number;
  readonly account: number;
  readonly market: Market;
  readonly isBuy: boolean;
  readonly reduceOnly: boolean;
  /** Places in `TYPES` and `TIMES_IN_FORCE`. */
  readonly type: number;
  readonly timeInForce: number;
  /** Epoch ms; 0: none. */
  readonly expiry: number;
  readonly createdAt: number;
  readonly integrator: number;
  readonly integratorFees: readonly [taker: number, maker: number];
  limitPx: Decimal;
  origSz: Decimal;
  /** Quantity left to fill. */
  sz: Decimal;
  filledBase: Decimal;
  filledQuote: Decimal;
  status: string;
  updatedAt: number;
  /** Number of the last change, rising over all of the venue. */
  nonce: number;
  block: number;
}

export class Orders {
  readonly #byOid = new Map<number, Order>();
  readonly #byClient = new Map<string, Order>();
  readonly #byAccount = new Map<number, Order[]>();
  readonly #open = new Set<Order>();

  add(order: Order): void {
    this.#byOid.set(order.oid, order);
    if (order.clientIndex !== 0) this.#byClient.set(`${order.account} ${order.clientIndex}`, order);
    const known = this.#byAccount.get(order.account) ?? [];
    known.push(order);
    this.#byAccount.set(order.account, known);
  }

  mark(
    order: Order,
    status: string,
    at: { readonly now: number; readonly nonce: number; readonly block: number },
  ) {
    order.status = status;
    order.updatedAt = at.now;
    order.nonce = at.nonce;
    order.block = at.block;
    if (status === 'open') this.#open.add(order);
    else this.#open.delete(order);
  }

  /** By either number: the client's end where the venue's begin. */
  find(account: number, index: number): Order | undefined {
    const order = this.#byClient.get(`${account} ${index}`) ?? this.#byOid.get(index);
    return order?.account === account ? order : undefined;
  }

  byClient(account: number, clientIndex: number): Order | undefined {
    return this.#byClient.get(`${account} ${clientIndex}`);
  }

  /** Oldest first. */
  of(account: number): readonly Order[] {
    return this.#byAccount.get(account) ?? [];
  }

  open(account: number): Order[] {
    return [...this.#open].filter((order) => order.account === account);
  }

  allOpen(): Order[] {
    return [...this.#open];
  }
}
