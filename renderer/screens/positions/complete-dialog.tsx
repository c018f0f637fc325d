/** Trades the legs that a basket should hold and does not, as much of each as fits what is held: after an order of which a leg failed. */
import Big from 'big.js';
import { type Instrument, useInstruments } from '../../api/market.ts';
import { AdjustDialog } from './adjust-dialog.tsx';
import { type AdjustDraft, NO_ADJUSTMENT } from './close-draft.ts';
import { sumOf } from './position-sums.ts';
import type { PositionDialogProps, PositionLeg } from './use-position-data.ts';

export function CompleteDialog(props: PositionDialogProps) {
  const instruments = useInstruments();
  // Without their steps no quantity would be one.
  if (instruments.length === 0) return null;
  const start: AdjustDraft = {
    ...NO_ADJUSTMENT,
    by: 'targets',
    targets: missingTargets(props.position.legs, instruments),
  };
  return <AdjustDialog {...props} start={start} />;
}

/**
 * Quantity of each leg that is not held, base units in whole steps, at the weights that were asked for; without one whose
 * price is not known.
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
