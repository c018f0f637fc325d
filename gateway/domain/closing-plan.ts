/**
 * Plan of closing baskets for one moment and one account: how much of each leg goes to lots that were traded against
 * the leg outside, how much two closing baskets give each other, how much becomes dust, and how much is sent to the
 * venue.
 *
 * Invariants, per instrument, with V the venue's net position, B the sum of the baskets, Z the sum of the lots in no
 * basket:
 * - an order moves V towards B′ + Z′ (as they are after the plan) and never past it: nothing here opens or enlarges a
 *   position that no basket and no lot explains;
 * - transferred quantities sum to zero; quantities sent, transferred, left over and left alone sum to the quantity
 *   wanted;
 * - where V is not explained by B + Z and the orders on their way, only the certain part is sent.
 *
 * A leg that cannot be closed does not keep the others from closing: all or nothing is a rule for opening only.
 */

import {
  belowOneStep,
  currentMark,
  refuseWithoutMargin,
  type Sending,
  sizeOrders,
} from './closing-orders.ts';
import type {
  ClosingAccount,
  ClosingInstrument,
  ClosingLeg,
  ClosingPlan,
  Draft,
  LegsMatched,
} from './closing-terms.ts';
import { Decimal, dec, floorTo, sum, text, ZERO } from './decimal.ts';
import type { Side } from './model.ts';
import { netOfLots } from './unassigned.ts';

/** @param instruments by symbol, with the instrument of every leg */
export function planClosing(
  legs: readonly ClosingLeg[],
  instruments: ReadonlyMap<string, ClosingInstrument>,
  account: ClosingAccount,
): ClosingPlan {
  const drafts = legs.map(
    (leg): Draft => ({
      leg,
      taken: [],
      matched: ZERO,
      dust: null,
      adjusted: null,
      left: ZERO,
      order: null,
      problem: null,
    }),
  );
  const matches: LegsMatched[] = [];
  const sending: Sending[] = [];
  for (const [symbol, facts] of instruments) {
    const own = drafts.filter(({ leg }) => leg.symbol === symbol);
    if (own.length === 0) continue;
    takeLots(own, facts);
    for (const draft of own) {
      draft.left = wantedOf(draft.leg, sum(draft.taken.map(({ quantity }) => dec(quantity))));
      if (!draft.leg.isWhole && dec(draft.leg.wanted).lte(0)) draft.problem = belowOneStep(draft.leg, facts);
    }
    matches.push(...match(own, facts));
    sending.push(...sizeOrders(own, facts, account));
  }
  refuseWithoutMargin(sending, account);
  return {
    legs: drafts.map(({ leg, taken, matched, dust, adjusted, order, problem }) => ({
      leg,
      taken,
      matched: text(matched),
      dust,
      adjusted,
      order,
      problem,
    })),
    matches,
    sending: sending
      .filter(({ draft }) => draft.order !== null)
      .sort((a, b) => a.growth.comparedTo(b.growth))
      .map(({ draft }) => draft.leg.key),
  };
}

/**
 * Base units still to be closed after lots have taken `taken` of the leg. A partial close is a share of the remainder:
 * if lots have taken half of the leg, closing a half means a quarter of the original leg. If the trader named the
 * quantity to keep, only the part above it is closed.
 */
export function wantedOf(
  leg: Pick<ClosingLeg, 'held' | 'wanted' | 'isWhole' | 'target' | 'step'>,
  taken: Decimal,
): Decimal {
  const stays = dec(leg.held).minus(taken);
  if (leg.isWhole) return Decimal.min(stays, leg.wanted);
  if (leg.target !== null) return Decimal.min(Decimal.max(stays.minus(leg.target), ZERO), leg.wanted);
  const share = dec(leg.wanted).mul(stays).div(leg.held);
  // Another basket may take it: a quantity between two steps could never be traded.
  return leg.step === null || taken.isZero() ? share : floorTo(share, dec(leg.step));
}

/**
 * Assigns lots on the opposite side to the legs: only lots younger than the leg's basket, oldest first, at most the net
 * quantity of the lots. Dust goes first, whatever its age, because dust is the gateway's own.
 */
function takeLots(drafts: readonly Draft[], { lots }: ClosingInstrument): void {
  for (const source of ['DUST', 'OUTSIDE'] as const) {
    const own = lots.filter((lot) => lot.source === source);
    let net = netOfLots(own);
    const left = new Map(own.map((lot) => [lot.id, dec(lot.quantity)]));
    for (const { leg, taken } of drafts) {
      const isAgainst = (quantity: Decimal) => (leg.side === 'SELL' ? quantity.lt(0) : quantity.gt(0));
      let open = dec(leg.held).minus(sum(taken.map(({ quantity }) => dec(quantity))));
      for (const lot of own) {
        const there = left.get(lot.id) ?? ZERO;
        if (!isAgainst(net) || !isAgainst(there)) continue;
        if (source === 'OUTSIDE' && lot.timestamp < leg.heldSince) continue;
        const quantity = Decimal.min(open, there.abs(), net.abs());
        if (quantity.lte(0)) continue;
        const signed = leg.side === 'SELL' ? quantity.neg() : quantity;
        taken.push({ lot, quantity: text(quantity) });
        left.set(lot.id, there.minus(signed));
        net = net.minus(signed);
        open = open.minus(quantity);
      }
    }
  }
}

/**
 * Matches one basket's sales with another's purchases, which then need not go to the venue: min(longs, shorts), the
 * largest first.
 */
function match(drafts: readonly Draft[], facts: ClosingInstrument): readonly LegsMatched[] {
  const mark = currentMark(facts);
  if (mark === null) return [];
  const of = (side: Side) =>
    drafts
      .filter(({ leg, left }) => leg.side === side && left.gt(0))
      .sort((a, b) => b.left.comparedTo(a.left));
  const found: LegsMatched[] = [];
  const buyers = of('BUY');
  for (const seller of of('SELL')) {
    for (const buyer of buyers) {
      const quantity = Decimal.min(seller.left, buyer.left);
      if (quantity.lte(0)) continue;
      for (const draft of [seller, buyer]) {
        draft.left = draft.left.minus(quantity);
        draft.matched = draft.matched.plus(quantity);
      }
      found.push({
        sell: seller.leg.key,
        buy: buyer.leg.key,
        symbol: seller.leg.symbol,
        quantity: text(quantity),
        price: mark,
      });
    }
  }
  return found;
}
