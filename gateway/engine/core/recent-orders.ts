/** Requests under mandates of the last minute, to detect that the same order is placed twice. */
import type { DecimalString } from '../../domain/decimal.ts';
import type { MandateEffect } from '../../domain/mandate-judgement.ts';
import type { TradeAccount } from '../../domain/model.ts';
import { isSameOrder, type OrderPrint, orderPrint, SAME_ORDER_WITHIN_MS } from '../../domain/same-order.ts';
import type { BoundMandate } from '../ports/mandate-book.ts';
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

  /** @param ageMs time since the request, ms */
  note(holder: string, id: string, print: OrderPrint, ageMs = 0): void {
    const at = this.#clock.uptime() - ageMs;
    this.#byHolder.set(holder, [...this.#of(holder), { id, print, at }]);
  }

  /** Forgets an order that was not placed after all. */
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

/** Fingerprint that identifies an order in the duplicate check; null: the order needs no such check. */
export function printedFor(
  { mandate }: Pick<BoundMandate, 'mandate'>,
  asked: {
    readonly account: Pick<TradeAccount, 'id'>;
    readonly trades: Parameters<typeof orderPrint>[1];
    readonly takesOut?: Parameters<typeof orderPrint>[1][number] | undefined;
    readonly effect: MandateEffect;
    readonly isRequest: boolean;
  },
): OrderPrint | null {
  const { account, trades, takesOut, effect, isRequest } = asked;
  if (mandate.approval.duplicates !== 'ask' || !isRequest || effect !== 'OPENS') return null;
  return orderPrint(account.id, takesOut === undefined ? trades : [...trades, takesOut]);
}
