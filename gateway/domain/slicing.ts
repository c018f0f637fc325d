/**
 * Amounts that the slices of a schedule trade.
 *
 *   target    = total − outside
 *   remaining = target − settled − dropped − forgone
 *   slice     = remaining ÷ slices left, rounded down to the step; the last takes all that remains
 *   at most     3 × total ÷ slice count
 *   and         no further than the other legs allow (`legs-in-step.ts`)
 *
 * The rest that rounding, a partial fill or a failed slice leaves stays in `remaining`, so it goes into the next
 * slices and the sum is exact. Steps: whole cents for USD, the instrument's quantity step for base units.
 */
import { ceilTo, Decimal, dec, floorTo, ONE, rounded, sum, text, textRounded, ZERO } from './decimal.ts';
import { USD_STEP } from './exact-split.ts';
import type { Instrument, Side, TradeLeg } from './model.ts';
import { otherSide } from './position.ts';
import { limitPrice } from './price-rules.ts';
import { weightedRatio } from './ratio.ts';
import type { LegLedger, Slice, SliceLeg } from './schedule.ts';

/** Maximum size of a catch-up slice, in multiples of a normal slice, however many slices were missed. */
const MAX_CATCH_UP = 3;
/** Decimal places at which a quotient that stands for a whole number of steps is that number. */
export const SHARE_PLACES = 40;

/**
 * @param totalUsd needed by WEIGHT legs
 * @param markOf mark price of an instrument, USD
 */
export function openLedger(
  legs: readonly TradeLeg[],
  totalUsd: string | null,
  markOf: (symbol: string) => string,
): readonly LegLedger[] {
  return legs.map(({ symbol, side, mode, amount }) => ({
    symbol,
    side,
    unit: mode === 'BASE' ? 'BASE' : 'USD',
    total: mode === 'WEIGHT' ? text(dec(amount).mul(totalUsd ?? 0)) : amount,
    settled: '0',
    dropped: '0',
    usdPerUnit: mode === 'BASE' ? markOf(symbol) : '1',
    quantity: '0',
    notional: '0',
  }));
}

export function remainingOf(ledger: LegLedger): Decimal {
  return Decimal.max(targetOf(ledger).minus(progressOf(ledger)).minus(ledger.dropped), ZERO);
}

/** Amount by which legs are compared: filled, or no longer made up for. */
export function progressOf({ settled, forgone = '0' }: LegLedger): Decimal {
  return dec(settled).plus(forgone);
}

/** Amount that the slices trade in the end: the requested one, less trades outside Tandem, at least the filled one. */
export function targetOf({ total, settled, outside = '0' }: LegLedger): Decimal {
  return Decimal.max(dec(total).minus(outside), settled);
}

/** Smallest increment of the ledger's amounts: of USD, or of base units the instrument's step size. */
export function unitStep(ledger: Pick<LegLedger, 'unit'>, stepSize: string): Decimal {
  return ledger.unit === 'USD' ? USD_STEP : dec(stepSize);
}

/**
 * One leg's amount of the next slice, in the ledger's unit.
 * @param left slices not yet done, this one and the missed ones included (≥ 1)
 * @param missed slices whose part this one takes over (CATCH_UP), else 0
 */
export function sliceAmount(
  ledger: LegLedger,
  plan: { readonly sliceCount: number; readonly left: number; readonly missed: number },
  step: Decimal,
): Decimal {
  const remaining = remainingOf(ledger);
  const parts = plan.missed + 1;
  const asked = parts >= plan.left ? remaining : floorTo(remaining.mul(parts).div(plan.left), step);
  const most = dec(ledger.total).mul(MAX_CATCH_UP).div(plan.sliceCount);
  return asked.lte(most) ? asked : floorTo(most, step);
}

/**
 * Gives up the parts of `missed` slices (policy SKIP): of each leg the same share of its target, that of the leg which has
 * least left. So a leg that is behind is still made up for.
 * @param left slices not yet done, the missed ones included; all of them missed: all that remains is dropped
 * @param stepOf smallest increment of a leg's amounts
 */
export function dropMissed(
  ledger: readonly LegLedger[],
  plan: { readonly left: number; readonly missed: number },
  stepOf: (leg: LegLedger) => Decimal,
): readonly LegLedger[] {
  const shares = ledger.flatMap((leg) => {
    const target = targetOf(leg);
    return target.isZero() ? [] : [remainingOf(leg).div(target)];
  });
  const isAll = plan.missed >= plan.left;
  const share = Decimal.min(ONE, ...shares)
    .mul(plan.missed)
    .div(plan.left);
  return ledger.map((leg) => {
    const remaining = remainingOf(leg);
    const part = Decimal.min(rounded(targetOf(leg).mul(share), SHARE_PLACES), remaining);
    const dropped = isAll ? remaining : floorTo(part, stepOf(leg));
    return { ...leg, dropped: text(dec(leg.dropped).plus(dropped)) };
  });
}

/** Sent amount at `mark`: in base units, rounded down to the quantity step. */
export function sizeSliceLeg(ledger: LegLedger, amount: Decimal, mark: string, stepSize: string): SliceLeg {
  const base = ledger.unit === 'USD' ? amount.div(mark) : amount;
  return {
    symbol: ledger.symbol,
    side: ledger.side,
    amount: text(amount),
    quantity: text(floorTo(base, dec(stepSize))),
    mark,
  };
}

/** A fill of a slice's leg, base units. `quantity` is negative if it was closed again. */
export interface LegFill {
  readonly quantity: string;
  /** Quantity that trades outside Tandem took out of the position with the slice. */
  readonly outside: string;
  /** Null: nothing filled. */
  readonly price: string | null;
}

/** Splits the filled quantity of a leg's order. A closing order also takes in trades outside Tandem. */
export function legFill(
  kind: 'OPEN' | 'CLOSE',
  leg: SliceLeg,
  filled: Pick<LegFill, 'quantity' | 'price'>,
): LegFill {
  const beyond = kind === 'OPEN' ? ZERO : Decimal.max(dec(filled.quantity).minus(leg.quantity), ZERO);
  return { ...filled, quantity: text(dec(filled.quantity).minus(beyond)), outside: text(beyond) };
}

/** Takes a slice's fill into the ledger. */
export function settleLeg(ledger: LegLedger, leg: SliceLeg, filled: LegFill): LegLedger {
  const outside = dec(ledger.outside ?? 0).plus(settledUnits(ledger, leg, filled.outside));
  return {
    ...ledger,
    ...(outside.isZero() ? {} : { outside: text(outside) }),
    settled: text(dec(ledger.settled).plus(settledUnits(ledger, leg, filled.quantity))),
    quantity: text(dec(ledger.quantity).plus(filled.quantity)),
    notional: textRounded(dec(ledger.notional).plus(dec(filled.quantity).mul(filled.price ?? 0)), 18),
  };
}

/**
 * USD that a slice's fill counts for, at the ledger's own prices, so that these amounts add up to the schedule's
 * `filledUsd`.
 */
export function settledUsd(ledger: LegLedger, leg: SliceLeg, filledQuantity: string): Decimal {
  return settledUnits(ledger, leg, filledQuantity).mul(ledger.usdPerUnit);
}

/**
 * Progress in USD. `filledUsd + remainingUsd = totalUsd` exactly; dropped and forgone amounts count as remaining, and
 * trades outside Tandem reduce the total.
 */
export function scheduleProgress(ledger: readonly LegLedger[]): {
  readonly totalUsd: string;
  readonly filledUsd: string;
  readonly remainingUsd: string;
} {
  const usd = (of: (leg: LegLedger) => Decimal) => sum(ledger.map((leg) => of(leg).mul(leg.usdPerUnit)));
  const total = usd(targetOf);
  const filled = usd((leg) => dec(leg.settled));
  return { totalUsd: text(total), filledUsd: text(filled), remainingUsd: text(total.minus(filled)) };
}

/**
 * The smallest amount of a leg, in its ledger's unit, that the venue accepts as an order of its own: the minimum notional
 * must be met at the worse of mark and limit price (as `sizing.ts` decides). `isWaived`: the venue asks for no notional,
 * only for the smallest quantity.
 */
export function minimumAmount(
  leg: { readonly unit: LegLedger['unit']; readonly side: Side; readonly isWaived: boolean },
  instrument: Instrument,
  mark: string,
  slippage: string,
): Decimal {
  const step = dec(instrument.stepSize);
  const limit = limitPrice(dec(mark), leg.side, dec(slippage), instrument);
  const lowest = limit.gt(0) && limit.lt(mark) ? limit : dec(mark);
  const needed = leg.isWaived ? step : ceilTo(dec(instrument.minNotional).div(lowest), step);
  const least = ceilTo(dec(instrument.minQuantity), step);
  const quantity = needed.lt(least) ? least : needed;
  return leg.unit === 'BASE' ? quantity : ceilTo(quantity.mul(mark), USD_STEP);
}

/**
 * Largest number of slices that keeps every slice of every leg at its minimum or above; 0: a single slice would be
 * below. All in ledger units.
 */
export function largestSliceCount(
  legs: readonly { readonly total: Decimal; readonly minimum: Decimal; readonly step: Decimal }[],
): number {
  const counts = legs.map(({ total, minimum, step }) => {
    // A single slice takes the whole amount unrounded. With several, each is rounded down to the step, so each must
    // hold the minimum in whole steps.
    const several = total.div(ceilTo(minimum, step)).floor().toNumber();
    return several > 1 ? several : Number(total.gte(minimum));
  });
  return Math.min(...counts);
}

/**
 * Outcome of a schedule, null while a slice is still to come or on its way. COMPLETED: no leg has as much as `dust`
 * left. FAILED: nothing was filled.
 * @param dust per leg, in its ledger's unit: an amount below this (one quantity step) cannot be traded
 */
export function scheduleOutcome(
  slices: readonly Pick<Slice, 'status'>[],
  ledger: readonly LegLedger[],
  dust: readonly Decimal[],
): 'complete' | 'complete_partly' | 'fail' | null {
  if (slices.some(({ status }) => status === 'PENDING' || status === 'EXECUTING')) return null;
  if (ledger.every((leg) => dec(leg.settled).isZero())) return 'fail';
  const done = ledger.every((leg, index) =>
    targetOf(leg)
      .minus(leg.settled)
      .lt(dust[index] ?? ZERO),
  );
  const exact = ledger.every((leg) => targetOf(leg).lte(leg.settled));
  return done || exact ? 'complete' : 'complete_partly';
}

/**
 * True while the basket's weightRatio is no worse than the limit: an opening schedule buys the ratio and wants it
 * low, a closing one sells it and wants it high. An unknown ratio counts as outside the limit.
 */
export function isWithinLimit(
  kind: 'OPEN' | 'CLOSE',
  limitRatio: string | null,
  ratio: string | null,
): boolean {
  if (limitRatio === null) return true;
  if (ratio === null) return false;
  return kind === 'OPEN' ? dec(ratio).lte(limitRatio) : dec(ratio).gte(limitRatio);
}

/**
 * weightRatio of the average fill prices: each leg's price is its quantity-weighted average, its weight its share of the
 * schedule's total, as for `limitRatio`. Null: a leg has filled nothing. A closing schedule's legs count with their side
 * in the position.
 */
export function averageRatio(kind: 'OPEN' | 'CLOSE', ledger: readonly LegLedger[]): string | null {
  if (!ledger.every((leg) => dec(leg.quantity).gt(0))) return null;
  return weightedRatio(
    ledger.map((leg) => ({
      side: basketSide(kind, leg.side),
      price: textRounded(dec(leg.notional).div(leg.quantity), 18),
      notional: plannedUsd(leg),
    })),
  );
}

/** The leg's whole amount in USD, which makes its weight in the plan. */
export function plannedUsd({ total, usdPerUnit }: LegLedger): string {
  return text(dec(total).mul(usdPerUnit));
}

/** Side of a leg in the basket: closing orders are on the opposite side. */
export function basketSide(kind: 'OPEN' | 'CLOSE', side: Side): Side {
  return kind === 'OPEN' ? side : otherSide(side);
}

function settledUnits(ledger: LegLedger, leg: SliceLeg, filledQuantity: string): Decimal {
  return ledger.unit === 'USD' ? dec(filledQuantity).mul(leg.mark) : dec(filledQuantity);
}
