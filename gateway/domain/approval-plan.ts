/** The figures of an order that waits for a person, at the prices of a moment. Pure. */
import type { ApprovalPlan, ShownLeg } from './approval.ts';
import { type DecimalString, dec, sum, text, textRounded } from './decimal.ts';

/** Decimals of a quantity, price or amount shown to a person; the order is sized again before it leaves. */
const SHOWN_DECIMALS = 12;

/**
 * @param exposureUsd gross notional of the account's positions at their marks
 * @param loosens protection that would be lost, in words
 */
export function planOf(
  at: number,
  legs: readonly ShownLeg[],
  worstUsd: DecimalString,
  exposureUsd: DecimalString,
  loosens: readonly string[] = [],
): ApprovalPlan {
  return {
    at,
    legs,
    worstUsd,
    feeUsd: text(sum(legs.map((leg) => dec(leg.feeUsd)))),
    exposureBeforeUsd: exposureUsd,
    exposureAfterUsd: text(dec(exposureUsd).plus(worstUsd)),
    ...(loosens.length === 0 ? {} : { loosens }),
  };
}

/**
 * The legs at the present marks. A leg in USD keeps its notional, one in base units its quantity; the worst price keeps
 * its distance from the mark. A leg without a price then or now stays as it was.
 */
export function repriced(
  legs: readonly ShownLeg[],
  markOf: (symbol: string) => DecimalString | undefined,
  isInBase: (leg: ShownLeg) => boolean,
): readonly ShownLeg[] {
  return legs.map((leg) => {
    const now = markOf(leg.symbol);
    if (now === undefined || leg.mark === null) return leg;
    const moved = dec(now).div(leg.mark);
    const amount = isInBase(leg)
      ? { quantity: dec(1), notional: moved }
      : { quantity: moved.pow(-1), notional: dec(1) };
    const times = (value: DecimalString, factor: typeof moved) =>
      textRounded(dec(value).mul(factor), SHOWN_DECIMALS);
    return {
      ...leg,
      mark: now,
      quantity: leg.quantity === null ? null : times(leg.quantity, amount.quantity),
      worstPrice: leg.worstPrice === null ? null : times(leg.worstPrice, moved),
      worstUsd: times(leg.worstUsd, amount.notional),
      feeUsd: times(leg.feeUsd, amount.notional),
    };
  });
}

/** Worst-price notional of the opening legs, USD; null: there are none, and the reservation stays. */
export function worstOf(legs: readonly ShownLeg[]): DecimalString | null {
  const opening = legs.filter(({ reduces }) => reduces !== true);
  return opening.length === 0 ? null : text(sum(opening.map((leg) => dec(leg.worstUsd))));
}
