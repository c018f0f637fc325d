/** Size of an order: by a share of the free margin, or by the loss allowed at its stop. */
import Big from 'big.js';
import { type Basket, inOrder, weightText } from '../../features/basket/basket.ts';
import { normalise, ONE } from '../../features/basket-weights/basket-weights.ts';
import { bracketOutcome } from '../../features/brackets-form/bracket-outcome.ts';
import type { EntryFacts } from '../../features/ratio-chart/levels.ts';
import { type Plan, ticketFacts } from './chart-lines.ts';
import type { TicketDraft } from './ticket.ts';

export const SHARES = [10, 25, 50, 75, 100] as const;

/** Share of the free margin used at most, since prices move between the ticket and the order. */
const LEFT_OVER = '0.998';

/**
 * Largest order that the free margin allows, USD in whole cents, with margin and fee of each leg at its worst price;
 * null: the plan does not tell.
 */
export function largestOrder(basket: Basket, plan: Plan | null): Big | null {
  if (plan === null || plan.legs.length !== basket.legs.length) return null;
  let cost = new Big(0);
  for (const [index, { id, weight }] of inOrder(basket).entries()) {
    const leg = plan.legs[index];
    if (leg?.symbol !== id || !new Big(leg.notional).gt(0)) return null;
    cost = cost.plus(new Big(leg.margin).plus(leg.fee).div(leg.notional).times(weight).div(ONE));
  }
  // Reduce-only orders need no margin, so no share of it is a size.
  if (!cost.gt(0)) return null;
  return new Big(plan.freeMargin).times(LEFT_OVER).div(cost).round(2, Big.roundDown);
}

/** Order that needs no margin because it only reduces the holdings: the typed order, or a small one. */
export type Free = 'ORDER' | 'SMALL';

/** @param typed plan of the order, null: none @param basis plan from which sizes are measured */
export function freeOf(basket: Basket, typed: Plan | null, basis: Plan | null): Free | null {
  if (takesNoMargin(basket, typed)) return 'ORDER';
  return typed === null && takesNoMargin(basket, basis) ? 'SMALL' : null;
}

function takesNoMargin(basket: Basket, plan: Plan | null): boolean {
  if (plan === null || plan.legs.length !== basket.legs.length) return false;
  return plan.legs.every(({ notional }) => new Big(notional).gt(0)) && new Big(plan.marginRequired).eq(0);
}

/**
 * Trade of an order for `usd` USD of an instrument: base units in whole steps, rounded down as the gateway does, and
 * their value in USD; null: there is no price.
 */
export function legSize(
  usd: string,
  price: string,
  step: string,
): { readonly quantity: string; readonly notional: string } | null {
  if (!(Number(price) > 0) || !(Number(step) > 0)) return null;
  const quantity = new Big(usd).div(price).div(step).round(0, Big.roundDown).times(step);
  return { quantity: quantity.toFixed(), notional: quantity.times(price).toFixed() };
}

/** Exact part of `totalUsd` USD. @param weight millionths */
export const partOf = (totalUsd: string, weight: number): string =>
  new Big(totalUsd).times(weightText(weight)).toFixed();

/** Exact notional of each leg, USD, in the gateway's order; null: the total is not a number. */
export function legAmounts(basket: Basket, totalUsd: string | null): readonly string[] | null {
  if (totalUsd === null) return null;
  return inOrder(basket).map(({ weight }) => partOf(totalUsd, weight));
}

const LEG_USD = /^\d{1,12}(\.\d{1,8})?$/;

/** True: the text is an amount of dollars for a leg. */
export const isLegUsd = (usd: string): boolean => LEG_USD.test(usd.trim()) && Number(usd) > 0;

/** Puts USD into a leg; null: restores the order from before typing began. */
export type WriteUsd = (usd: string | null) => void;

/**
 * Basket and total with `usd` USD in one leg. The other legs keep their USD, and total and weights follow; if no size
 * is typed, weights stay and the total follows. The total is in whole cents, so a leg may differ from the typed USD by
 * half a millionth of the total and a cent. null: unreadable dollars, or a leg without weight.
 * @param totalUsd USD; null: none is typed
 */
export function withLegUsd(
  basket: Basket,
  totalUsd: string | null,
  id: string,
  usd: string,
): { readonly basket: Basket; readonly totalUsd: string } | null {
  const own = basket.legs.find((leg) => leg.id === id);
  if (own === undefined || !isLegUsd(usd)) return null;
  const typed = new Big(usd.trim());
  if (totalUsd === null) {
    if (own.weight === 0) return null;
    return { basket, totalUsd: typed.times(ONE).div(own.weight).round(2).toFixed() };
  }
  const amounts = basket.legs.map((leg) => (leg.id === id ? typed : new Big(partOf(totalUsd, leg.weight))));
  const sum = amounts.reduce((all, amount) => all.plus(amount), new Big(0));
  const weights = normalise(amounts.map((amount) => amount.div(sum).toNumber()));
  return {
    basket: {
      isWeighted: true,
      legs: basket.legs.map((leg, index) => ({ ...leg, weight: weights[index] ?? 0 })),
    },
    totalUsd: sum.round(2).toFixed(),
  };
}

/** @param percent 0 to 100 */
export function shareOf(largest: Big, percent: number): string {
  const amount = largest.times(percent).div(100);
  // From a hundred on, whole dollars suffice.
  return amount.round(amount.gte(100) ? 0 : 2, Big.roundDown).toFixed();
}

/** Taker fee of the order, a fraction of its notional; 0 until it is known. */
function feeShare(plan: Plan | null): number {
  if (plan === null || !(Number(plan.grossNotional) > 0)) return 0;
  return Number(plan.totalFee) / Number(plan.grossNotional);
}

/**
 * Order that loses `risk` USD at the stop, with the fees of both ways, USD in whole cents; null: the stop has no known
 * distance. A gap or slippage can make the loss larger.
 */
export function sizeByRisk(risk: string, stop: number | null, plan: Plan | null): string | null {
  if (!/^\s*\d{1,12}(\.\d{1,8})?\s*$/.test(risk) || !(Number(risk) > 0)) return null;
  if (stop === null || !(stop < 0)) return null;
  const each = -stop + 2 * feeShare(plan);
  return new Big(risk.trim()).div(each).round(2, Big.roundDown).toFixed();
}

/** Loss share at the ticket's stop; null for a stop in dollars, whose share depends on the size. */
export function stopShare(ticket: TicketDraft, facts: EntryFacts): number | null {
  const { stopLoss } = ticket;
  if (stopLoss.type === 'DOLLAR' || stopLoss.type === 'POSITION_VALUE') return null;
  return bracketOutcome('stopLoss', stopLoss, facts)?.share ?? null;
}

/** Ticket with the notional that follows from its risk. A ticket that is not sized by risk stays as it is. */
export function sizedByRisk(ticket: TicketDraft, basket: Basket, plan: Plan | null): TicketDraft {
  if (ticket.risk === null) return ticket;
  const facts = ticketFacts({ ticket, basket, plan, held: null }, ticket.stopLoss.type);
  const notional = sizeByRisk(ticket.risk, stopShare(ticket, facts), plan);
  return { ...ticket, notional: notional ?? '' };
}
