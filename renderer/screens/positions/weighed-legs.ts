/** The legs of a position in the form of charts and conditions: weights in whole millionths, for drawing only. */
import { millionthsOf } from '../../features/basket-weights/basket-weights.ts';
import type { WeighedLeg } from '../../features/ratio-chart/subject.ts';
import type { Position } from './use-position-data.ts';

export function weighedLegs({ legs }: Pick<Position, 'legs'>): readonly WeighedLeg[] {
  return legs.map((leg) => ({
    id: leg.symbol,
    side: leg.side,
    weight: millionthsOf(Number(leg.targetWeight)).millionths,
  }));
}
