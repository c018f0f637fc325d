/** Changes of positions by trades and funding. */
import { type Decimal, ZERO } from '../../../../../gateway/domain/decimal.ts';
import { marginOf, open, share } from './margin.ts';
import type { Account, FundingPayment, Market, Position } from './parts.ts';

/** Amounts of money are kept to a millionth of a USD. */
export function micros(amount: Decimal): Decimal {
  return amount.toDecimalPlaces(6);
}

/** Changes the position by `signed` and answers the result of what it closed. */
export function changePosition<M extends Market>(
  account: Account<M>,
  market: M,
  signed: Decimal,
  price: Decimal,
): Decimal {
  const held = account.positions.get(market.index);
  if (held === undefined || held.size.isZero() || held.size.isPositive() === signed.isPositive()) {
    enlarge(account, market, signed, price);
    return ZERO;
  }
  const closing = signed.abs().lt(held.size.abs()) ? signed.abs() : held.size.abs();
  const isWhole = closing.eq(held.size.abs());
  const cost = isWhole ? held.cost : held.cost.mul(closing).div(held.size.abs());
  const freed = isWhole ? held.allocated : micros(held.allocated.mul(closing).div(held.size.abs()));
  const worth = closing.mul(price).mul(held.size.isPositive() ? 1 : -1);
  const left = signed.abs().minus(closing);
  const pnl = micros(worth.minus(cost));
  held.size = held.size.plus(signed.isPositive() ? closing : closing.neg());
  held.cost = held.cost.minus(cost);
  held.allocated = held.allocated.minus(freed);
  held.realised = held.realised.plus(pnl);
  account.cash = account.cash.plus(freed).plus(pnl);
  if (!left.isZero()) enlarge(account, market, signed.isPositive() ? left : left.neg(), price);
  return pnl;
}

function enlarge<M extends Market>(account: Account<M>, market: M, signed: Decimal, price: Decimal): void {
  const margin = marginOf(account, market);
  const held: Position<M> = account.positions.get(market.index) ?? {
    ...{ market, margin, size: ZERO, cost: ZERO, allocated: ZERO, realised: ZERO, fundingPaid: ZERO },
  };
  const allocated = margin.isCross ? ZERO : micros(share(signed.abs().mul(price), margin.initial));
  held.margin = margin;
  held.size = held.size.plus(signed);
  held.cost = held.cost.plus(signed.mul(price));
  held.allocated = held.allocated.plus(allocated);
  account.cash = account.cash.minus(allocated);
  account.positions.set(market.index, held);
}

/** Every position of the account pays or receives one hour's funding. @param nextId of the payments */
export function payFunding<M extends Market>(
  account: Account<M>,
  at: number,
  priceOf: (market: M) => Decimal,
  nextId: () => number,
): readonly FundingPayment<M>[] {
  const payments = open(account).map((position): FundingPayment<M> => {
    const { market, size, margin } = position;
    const change = micros(size.mul(priceOf(market)).mul(market.fundingRate).neg());
    position.fundingPaid = position.fundingPaid.minus(change);
    if (margin.isCross) account.cash = account.cash.plus(change);
    else position.allocated = position.allocated.plus(change);
    return { id: nextId(), time: at, market, change, rate: market.fundingRate, size };
  });
  account.funding.push(...payments);
  return payments;
}
