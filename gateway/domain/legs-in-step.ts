/** Keeps the legs of a schedule in step: how far each may get ahead of the others, and what one is behind. */
import { ceilTo, Decimal, dec, ONE, rounded, text, ZERO } from './decimal.ts';
import type { Position } from './model.ts';
import type { LegLedger } from './schedule.ts';
import { progressOf, remainingOf, SHARE_PLACES, targetOf } from './slicing.ts';

const FORGONE_PLACES = 18;

/** Quantities of a position by leg. */
type Held = { readonly legs: readonly Pick<Position['legs'][number], 'symbol' | 'quantity'>[] };

/** A leg's amount of a slice. */
export interface SlicePart {
  readonly leg: LegLedger;
  /** In the ledger's unit. */
  readonly amount: Decimal;
  /** Smallest increment of the amount. */
  readonly step: Decimal;
  /** Smallest amount that the venue takes as an order of its own. */
  readonly smallest: Decimal;
  /** One quantity step of the instrument, in the ledger's unit. */
  readonly lot: Decimal;
}

/**
 * Amounts with which no leg gets further than the slowest one, if everything fills, and no more than one plain slice
 * ahead of another, whatever fills:
 *
 *   level legs   up to the smallest share that one of them reaches with its part
 *   legs apart   the leg furthest behind up to the leg furthest ahead, and at least a plain slice; legs ahead of it up to
 *                its present share plus a plain slice
 *
 * Legs closer to each other than one quantity step are level. An amount that is then too small for an order is left out,
 * unless the leg is ahead by less than half its part.
 */
export function keptInStep(parts: readonly SlicePart[], sliceCount: number): readonly SlicePart[] {
  const shares = parts.map(({ leg }) => shareOf(leg, progressOf(leg)));
  const [first = ZERO, ...others] = shares;
  const behind = Decimal.min(first, ...others);
  const ahead = Decimal.max(first, ...others);
  const lot = largestLot(parts);
  const isLevel = (share: Decimal) => share.eq(behind) || share.minus(behind).lt(lot);
  const level = parts.filter((_, index) => isLevel(shares[index] ?? ZERO));
  const reached = level.map(({ leg, amount }) => shareOf(leg, progressOf(leg).plus(amount)));
  const [reach = behind, ...reaches] = reached;
  const all = Decimal.min(reach, ...reaches);
  if (level.length === parts.length) return parts.flatMap((part) => upTo(part, all));
  const slice = behind.plus(ONE.div(sliceCount));
  return parts.flatMap((part) =>
    level.includes(part)
      ? atLeastAnOrder(part, Decimal.min(all, Decimal.max(ahead, slice)))
      : upTo(part, Decimal.min(all, slice)),
  );
}

/** The part, reduced so that its leg gets no further than `share`; empty: too little for an order is left. */
function upTo(part: SlicePart, share: Decimal): readonly SlicePart[] {
  const { amount, smallest, lot } = part;
  const follows = amountUpTo(part, share);
  if (follows.gte(amount)) return [part];
  // A rest below one quantity step could never be traded.
  if (amount.gte(smallest) && amount.minus(follows).lt(lot)) return [part];
  if (follows.gte(smallest)) return [{ ...part, amount: follows }];
  return follows.mul(2).gte(amount) ? [part] : [];
}

/** As `upTo`, but never left out: the other legs wait for this one. */
function atLeastAnOrder(part: SlicePart, share: Decimal): readonly SlicePart[] {
  const { amount, smallest, lot } = part;
  const follows = Decimal.max(amountUpTo(part, share), smallest);
  return [amount.minus(follows).lt(lot) ? part : { ...part, amount: follows }];
}

/** Rounded up: the share of another leg is seldom a whole number of steps, and the sum of the parts must stay exact. */
function amountUpTo({ leg, step }: SlicePart, share: Decimal): Decimal {
  const exact = rounded(share.mul(targetOf(leg)).minus(progressOf(leg)), SHARE_PLACES);
  return ceilTo(exact, step);
}

/** Share of the leg's target; of a target of 0: all of it. */
function shareOf(leg: LegLedger, amount: Decimal): Decimal {
  const target = targetOf(leg);
  return target.isZero() ? ONE : amount.div(target);
}

/** One quantity step of each leg, as a share of its target: the largest of them. */
function largestLot(legs: readonly Pick<SlicePart, 'leg' | 'lot'>[]): Decimal {
  return legs.reduce((most, { leg, lot }) => Decimal.max(most, shareOf(leg, lot)), ZERO);
}

/** True: `leg` has a smaller share of progress than `other`; multiplied out. */
function isBehind(leg: LegLedger, other: LegLedger): boolean {
  return progressOf(leg)
    .mul(targetOf(other))
    .lt(progressOf(other).mul(targetOf(leg)));
}

/**
 * The leg that is furthest behind, and by how much of its own total the leg that is furthest ahead has passed it.
 * @param open the legs of `ledger` that have something left to trade; at least one
 */
export function furthestBehind(
  ledger: readonly LegLedger[],
  open: readonly LegLedger[],
): { readonly leg: LegLedger; readonly by: Decimal } | null {
  const [first, ...others] = open;
  if (first === undefined) return null;
  const leg = others.reduce((low, one) => (isBehind(one, low) ? one : low), first);
  return { leg, by: gapTo(furthestAhead(ledger, leg), leg) };
}

function furthestAhead(ledger: readonly LegLedger[], from: LegLedger): LegLedger {
  return ledger.reduce((high, one) => (isBehind(high, one) ? one : high), from);
}

/** Amount of `leg` that brings it to the share of `ahead`. */
function gapTo(ahead: LegLedger, leg: LegLedger): Decimal {
  const target = targetOf(ahead);
  if (target.isZero()) return ZERO;
  return progressOf(ahead).mul(targetOf(leg)).div(target).minus(progressOf(leg));
}

/**
 * Gives up making up for legs that are behind, in the proportion in which something other than the schedule has reduced
 * the position: gap × (1 − quantity after ÷ quantity before). The quantity is that of the leg that holds the gap: the one
 * furthest ahead while the schedule opens, the one behind while it closes. The same ledger: nothing is given up.
 * @param lotOf one quantity step of a leg, in its ledger's unit: legs closer than the largest of them are level
 */
export function forgoReduced(
  kind: 'OPEN' | 'CLOSE',
  ledger: readonly LegLedger[],
  before: Held,
  after: Held,
  lotOf: (leg: LegLedger) => Decimal,
): readonly LegLedger[] {
  const [first] = ledger;
  if (first === undefined) return ledger;
  const ahead = furthestAhead(ledger, first);
  const lot = largestLot(ledger.map((leg) => ({ leg, lot: lotOf(leg) })));
  const changed = ledger.map((leg) => {
    if (shareOf(leg, gapTo(ahead, leg)).lt(lot)) return leg;
    const holder = kind === 'OPEN' ? ahead.symbol : leg.symbol;
    const given = rounded(
      Decimal.min(gapTo(ahead, leg).mul(reducedShare(holder, before, after)), remainingOf(leg)),
      FORGONE_PLACES,
    );
    return given.gt(0) ? { ...leg, forgone: text(given.plus(leg.forgone ?? 0)) } : leg;
  });
  return changed.some((leg, index) => leg !== ledger[index]) ? changed : ledger;
}

/** Share of a leg's quantity that the position has lost, 0 to 1. */
function reducedShare(symbol: string, ...[before, after]: readonly Held[]): Decimal {
  const [was, is] = [before, after].map((position) =>
    dec(position?.legs.find((leg) => leg.symbol === symbol)?.quantity ?? 0),
  );
  if (was === undefined || is === undefined || was.lte(is)) return ZERO;
  return ONE.minus(is.div(was));
}
