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
  /** What is left to fill. */
  sz: Decimal;
  filledNtl: Decimal;
  status: string;
  statusTimestamp: number;
}

export class Orders {
  readonly #byOid = new Map<number, Order>();
  readonly #byCloid = new Map<string, Order>();

  add(order: Order): void {
    this.#byOid.set(order.oid, order);
    if (order.cloid !== null) this.#byCloid.set(`${order.user} ${order.cloid}`, order);
  }

  byOid(user: string, oid: number): Order | undefined {
    const order = this.#byOid.get(oid);
    return order?.user === user ? order : undefined;
  }

  byCloid(user: string, cloid: string): Order | undefined {
    return this.#byCloid.get(`${user} ${cloid.toLowerCase()}`);
  }

  of(user: string): Order[] {
    return [...this.#byOid.values()].filter((order) => order.user === user);
  }

  open(user: string): Order[] {
    return this.of(user).filter(({ status }) => status === 'open');
  }
}
