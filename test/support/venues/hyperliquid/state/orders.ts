/** Orders as the venue remembers them: all that it ever gave a number, by number and by client id. */
import type { Decimal } from '../../../../../gateway/domain/decimal.ts';
import type { Asset } from './universe.ts';

export type TimeInForce = 'Gtc' | 'Ioc' | 'Alo';

export interface Order {
  readonly oid: number;
  readonly cloid: string | null;
  readonly user: string;
  readonly asset: Asset;
  readonly isBuy: boolean;
  readonly limitPx: Decimal;
  readonly origSz: Decimal;
  readonly reduceOnly: boolean;
  readonly tif: TimeInForce;
  readonly timestamp: number;
  /** Quantity left to fill. */
  sz: Decimal;
  filledNtl: Decimal;
  status: string;
  statusTimestamp: number;
}

/** A state that an order had. */
export interface OrderState {
  readonly order: Order;
  readonly status: string;
  readonly at: number;
  readonly sz: Decimal;
}

export class Orders {
  readonly #byOid = new Map<number, Order>();
  readonly #byCloid = new Map<string, Order>();
  readonly #byUser = new Map<string, Order[]>();
  readonly #open = new Set<Order>();
  readonly #states = new Map<string, OrderState[]>();

  add(order: Order): void {
    this.#byOid.set(order.oid, order);
    if (order.cloid !== null) this.#byCloid.set(`${order.user} ${order.cloid}`, order);
    const known = this.#byUser.get(order.user) ?? [];
    known.push(order);
    this.#byUser.set(order.user, known);
  }

  /** Sets the order's state. */
  mark(order: Order, status: string, at: number): void {
    order.status = status;
    order.statusTimestamp = at;
    if (status === 'open') this.#open.add(order);
    else this.#open.delete(order);
    const states = this.#states.get(order.user) ?? [];
    states.push({ order, status, at, sz: order.sz });
    this.#states.set(order.user, states);
  }

  byOid(user: string, oid: number): Order | undefined {
    const order = this.#byOid.get(oid);
    return order?.user === user ? order : undefined;
  }

  byCloid(user: string, cloid: string): Order | undefined {
    return this.#byCloid.get(`${user} ${cloid.toLowerCase()}`);
  }

  of(user: string): readonly Order[] {
    return this.#byUser.get(user) ?? [];
  }

  open(user: string): Order[] {
    return [...this.#open].filter((order) => order.user === user);
  }

  /** Oldest first. */
  states(user: string): readonly OrderState[] {
    return this.#states.get(user) ?? [];
  }
}
