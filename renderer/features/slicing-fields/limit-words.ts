/**
 * What is wrong with a TWAP's limit as typed: one that would never hold a slice back, or hold back every one. A basket has a
 * price ratio, of which chart, head and triggers speak, and a weighted one: the two are easily mixed up.
 */
import { LIMIT_NAMES, type LimitMeasure } from './limit-measure.ts';

/** How far from now a limit may be before it is asked about, as a factor. */
const FAR = 1.25;
/** A typed value within this factor of the other ratio was likely meant to be that one. */
const NEAR = 1.5;

/**
 * In words; null: nothing is known against it. They are read out where they change, so the ratio of now, which changes many
 * times a second, is not among them: it stands beside the limit.
 * @param measure what the limit is of
 * @param now that ratio of the moment
 * @param otherNow the other ratio of the moment; null: not known, or the legs have only one side
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
  // Where the two are close to each other, a value near one says nothing about which was meant.
  const isFar = Math.max(room, 1 / room) > NEAR;
  const own = LIMIT_NAMES[measure];
  const other = LIMIT_NAMES[measure === 'PRICE_RATIO' ? 'WEIGHTED_RATIO' : 'PRICE_RATIO'];
  if (otherNow !== null && isFar && Math.max(level / otherNow, otherNow / level) < NEAR)
    return `${limit.trim()} is near the ${other}, but the limit is a ${own}: ${does}.`;
  return room < 1
    ? `The ${own} is ${kind === 'OPEN' ? 'above' : 'below'} it now: ${does}.`
    : `Far from the ${own} of now: ${does}. Is it a ${other}?`;
}
