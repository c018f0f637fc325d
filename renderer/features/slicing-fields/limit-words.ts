/**
 * Problem of a TWAP's typed limit: it would never hold a slice back, or hold back every one. A basket has a price
 * ratio, shown by chart, header and triggers, and a weighted ratio: the two are easily mixed up.
 */
import { LIMIT_NAMES, type LimitMeasure } from './limit-measure.ts';

/** Factor between limit and present ratio from which the user is warned. */
const FAR = 1.25;
/** A typed value within this factor of the other ratio was likely meant to be that one. */
const NEAR = 1.5;

/**
 * Problem in words; null: none is known. Screen readers announce each change of the text. So it leaves out the present
 * ratio, which changes many times a second and is shown beside the limit.
 * @param measure ratio that the limit is about
 * @param now present value of that ratio
 * @param otherNow present value of the other ratio; null: not known, or the legs have only one side
 */
export function limitWords(
  limit: string,
  kind: 'OPEN' | 'CLOSE',
  measure: LimitMeasure,
  now: number | null,
  otherNow: number | null,
): string | null {
  const level = Number(limit);
  if (now === null || !(level > 0)) return null;
  const room = kind === 'OPEN' ? level / now : now / level;
  if (room >= 1 && room <= FAR) return null;
  const does = room < 1 ? 'no slice would be sent before that changes' : 'it would hold nothing back';
  // If the two ratios are close, a value near one does not tell which was meant.
  const isFar = Math.max(room, 1 / room) > NEAR;
  const own = LIMIT_NAMES[measure];
  const other = LIMIT_NAMES[measure === 'PRICE_RATIO' ? 'WEIGHTED_RATIO' : 'PRICE_RATIO'];
  if (otherNow !== null && isFar && Math.max(level / otherNow, otherNow / level) < NEAR)
    return `${limit.trim()} is near the ${other}, but the limit is a ${own}: ${does}.`;
  return room < 1
    ? `The ${own} is ${kind === 'OPEN' ? 'above' : 'below'} it now: ${does}.`
    : `Far from the ${own} of now: ${does}. Is it a ${other}?`;
}
