/** Parts of the held position that a chart of the builder's weights can show. */
import type { Row } from '../../../gateway/client/client.ts';
import type { Basket } from '../../features/basket/basket.ts';
import { BRACKET_SIDES } from '../../features/brackets-form/bracket-text.ts';
import { factsOnChart } from '../../features/leg-weights/leg-weights.ts';
import { NAMES } from '../../features/level-moves/proposals.ts';
import { type EntryFacts, isByGain } from '../../features/ratio-chart/levels.ts';
import { amongOf, type ChartSubject } from '../../features/ratio-chart/subject.ts';

type HeldPosition = Row<'GET /positions'>;
type Legs = Pick<Basket, 'legs'>;

/** null: there is no position, or not all of it is held. */
export function heldFacts(
  held: HeldPosition | null,
  subject: ChartSubject,
  { legs }: Legs,
): EntryFacts | null {
  return held === null ? null : factsOnChart(held, subject, legs);
}

/** True: the chart's ratio is the one that the position's brackets are compared with. */
export function isOfChart(held: HeldPosition | null, subject: ChartSubject, basket: Legs): boolean {
  const facts = heldFacts(held, subject, basket);
  return facts !== null && facts.weights === undefined;
}

/** Names of the lines that a chart of the position's weights would add. */
export function leftOut(held: HeldPosition | null, subject: ChartSubject, basket: Legs): readonly string[] {
  if (held === null) return [];
  const facts = heldFacts(held, subject, basket);
  if (facts === null) return ['entry', ...BRACKET_SIDES.map((side) => NAMES[side])];
  const { weights } = facts;
  if (weights === undefined) return [];
  const among = amongOf(subject);
  return BRACKET_SIDES.filter((side) => {
    const bracket = held[side];
    if (bracket === null) return false;
    if (bracket.type === 'WEIGHTED_RATIO') return bracket.transform === among?.transform;
    return weights === 'far' && among === null && isByGain(bracket.type);
  }).map((side) => NAMES[side]);
}
