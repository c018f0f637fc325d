/** Trades the missing legs of a basket in proportion to the held ones, after an order with a failed leg. */
import Big from 'big.js';
import { type Instrument, useInstruments } from '../../api/market.ts';
import { AdjustDialog } from './adjust-dialog.tsx';
import { type AdjustDraft, NO_ADJUSTMENT } from './close-draft.ts';
import { sumOf } from './position-sums.ts';
import type { PositionDialogProps, PositionLeg } from './use-position-data.ts';

export function CompleteDialog(props: PositionDialogProps) {
  const instruments = useInstruments();
  // Quantities cannot be computed without the instruments' steps.
  if (instruments.length === 0) return null;
  const start: AdjustDraft = {
    ...NO_ADJUSTMENT,
    by: 'targets',
    targets: missingTargets(props.position.legs, instruments),
  };
  return <AdjustDialog {...props} start={start} />;
}

/**
 * Quantity of each leg that is not held, base units in whole steps, at the requested weights. Legs without a known
 * price are left out.
 */
function missingTargets(
  legs: readonly PositionLeg[],
  instruments: readonly Instrument[],
): AdjustDraft['targets'] {
  const isHeld = ({ quantity }: PositionLeg) => !new Big(quantity).eq(0);
  const held = legs.filter(isHeld);
  const weight = sumOf(held, ({ targetWeight }) => targetWeight);
  const notional = sumOf(held, (leg) => leg.notional);
  if (new Big(weight).eq(0)) return {};
  return Object.fromEntries(
    legs.flatMap((leg) => {
      const step = instruments.find(({ id }) => id === leg.symbol)?.stepSize;
      if (isHeld(leg) || step === undefined || leg.markPrice === null) return [];
      const exact = new Big(notional).times(leg.targetWeight).div(weight).div(leg.markPrice);
      return [[leg.symbol, exact.div(step).round(0, Big.roundDown).times(step).toFixed()]];
    }),
  );
}
