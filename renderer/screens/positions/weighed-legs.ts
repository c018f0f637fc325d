/** The legs of a position as charts and conditions want them: weights in whole millionths, for drawing only. */
import type { WeighedLeg } from '../../features/ratio-chart/subject.ts';
import type { Position } from './use-position-data.ts';

const MILLION = 1_000_000;

export function weighedLegs({ legs }: Pick<Position, 'legs'>): readonly WeighedLeg[] {
  return legs.map((leg) => ({
    id: leg.symbol,
    side: leg.side,
    weight: Math.round(Number(leg.targetWeight) * MILLION),
  }));
}

/** Exactly one long and one short leg: only then there is a price ratio. */
export function isPair({ legs }: Pick<Position, 'legs'>): boolean {
  return legs.length === 2 && new Set(legs.map(({ side }) => side)).size === 2;
}
