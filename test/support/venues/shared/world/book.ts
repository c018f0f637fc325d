/** One instrument's book: the script's levels, in front of the orders of accounts that rest at the same price. */
import type { Decimal } from '../../../../../gateway/domain/decimal.ts';

/** An order that rests: those with lower numbers have waited longer. */
export interface Resting {
  readonly oid: number;
  readonly isBuy: boolean;
  readonly limitPx: Decimal;
  /** Quantity left to fill. */
  readonly sz: Decimal;
}

export interface Level {
  readonly px: Decimal;
  readonly sz: Decimal;
}

export class Book<Order extends Resting> {
  readonly resting: Order[] = [];
  #bids: Level[] = [];
  #asks: Level[] = [];
  #stated: { readonly bids: readonly Level[]; readonly asks: readonly Level[] } = { bids: [], asks: [] };
  #refill = false;

  /** @param refill true: the script's levels are whole again after each order */
  state(bids: readonly Level[], asks: readonly Level[], refill: boolean): void {
    this.#bids = bids.toSorted((a, b) => b.px.cmp(a.px));
    this.#asks = asks.toSorted((a, b) => a.px.cmp(b.px));
    this.#stated = { bids: [...this.#bids], asks: [...this.#asks] };
    this.#refill = refill;
  }

  refill(): void {
    if (!this.#refill) return;
    this.#bids = [...this.#stated.bids];
    this.#asks = [...this.#stated.asks];
  }

  /** The script's best level that a buyer (`isBuy`) or seller would take. */
  bestScripted(isBuy: boolean): Level | undefined {
    return (isBuy ? this.#asks : this.#bids)[0];
  }

  /** Takes `sz` from the script's best level. */
  takeScripted(isBuy: boolean, sz: Decimal): void {
    const levels = isBuy ? this.#asks : this.#bids;
    const [best] = levels;
    if (best === undefined) throw new Error('the book has no such level');
    const left = best.sz.minus(sz);
    if (left.isPositive() && !left.isZero()) levels[0] = { px: best.px, sz: left };
    else levels.shift();
  }

  /** The order that has waited longest at the best price on the side which a buyer or seller would take. */
  bestResting(isBuy: boolean): Order | undefined {
    return this.#side(!isBuy)[0];
  }

  add(order: Order): void {
    this.resting.push(order);
  }

  remove(order: Order): void {
    const at = this.resting.indexOf(order);
    if (at >= 0) this.resting.splice(at, 1);
  }

  /** Levels with the number of orders at each, best first. */
  levels(isBid: boolean): { readonly px: Decimal; readonly sz: Decimal; readonly n: number }[] {
    const merged = new Map<string, { px: Decimal; sz: Decimal; n: number }>();
    const add = (px: Decimal, sz: Decimal) => {
      const level = merged.get(px.toFixed()) ?? { px, sz: px.minus(px), n: 0 };
      merged.set(px.toFixed(), { px, sz: level.sz.plus(sz), n: level.n + 1 });
    };
    for (const { px, sz } of isBid ? this.#bids : this.#asks) add(px, sz);
    for (const order of this.#side(isBid)) add(order.limitPx, order.sz);
    return [...merged.values()].sort((a, b) => (isBid ? b.px.cmp(a.px) : a.px.cmp(b.px)));
  }

  #side(isBid: boolean): Order[] {
    return this.resting
      .filter((order) => order.isBuy === isBid)
      .sort((a, b) => {
        const better = isBid ? b.limitPx.cmp(a.limitPx) : a.limitPx.cmp(b.limitPx);
        return better !== 0 ? better : a.oid - b.oid;
      });
  }
}
