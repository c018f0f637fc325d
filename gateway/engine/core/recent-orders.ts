/** What holders of mandates have asked for within the last minute, so that the same order is not placed twice unseen. */
import type { DecimalString } from '../../domain/decimal.ts';
import { isSameOrder, type OrderPrint, SAME_ORDER_WITHIN_MS } from '../../domain/same-order.ts';
import type { Clock } from '../ports/system.ts';

interface Recent {
  readonly id: string;
  readonly print: OrderPrint;
  /** Uptime, ms. */
  readonly at: number;
}

export class RecentOrders {
  readonly #clock: Pick<Clock, 'uptime'>;
  /** Holder → its orders, oldest first. */
  readonly #byHolder = new Map<string, Recent[]>();

  constructor(clock: Pick<Clock, 'uptime'>) {
    this.#clock = clock;
  }

  /** @param ageMs how long ago it was asked for */
  note(holder: string, id: string, print: OrderPrint, ageMs = 0): void {
    const at = this.#clock.uptime() - ageMs;
    this.#byHolder.set(holder, [...this.#of(holder), { id, print, at }]);
  }

  /** It was not placed after all. */
  drop(id: string): void {
    for (const [holder, all] of this.#byHolder)
      if (all.some((one) => one.id === id))
        this.#byHolder.set(
          holder,
          all.filter((one) => one.id !== id),
        );
  }

  has(
    holders: readonly string[],
    print: OrderPrint,
    markOf: (symbol: string) => DecimalString | null,
  ): boolean {
    return holders.some((holder) => this.#of(holder).some((one) => isSameOrder(one.print, print, markOf)));
  }

  #of(holder: string): readonly Recent[] {
    const since = this.#clock.uptime() - SAME_ORDER_WITHIN_MS;
    return (this.#byHolder.get(holder) ?? []).filter(({ at }) => at > since);
  }
}
