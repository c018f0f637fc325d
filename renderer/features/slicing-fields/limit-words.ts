/**
 * What is wrong with a TWAP's limit as typed: one that would never hold a slice back, or hold back every one. Chart, head
 * and triggers of a pair speak of its price ratio, but this limit is a weighted ratio: the two are easily mixed up.
 */

/** How far from now a limit may be before it is asked about, as a factor. */
const FAR = 1.25;
/** A typed value within this factor of the price ratio was likely meant to be one. */
const NEAR = 1.5;

/**
 * In words; null: nothing is known against it. They are read out where they change, so the ratio of now, which changes many
 * times a second, is not among them: it stands beside the limit.
 * @param now weighted ratio of the moment
 * @param price price ratio of the moment; null: not known, or the legs have only one side
 */
export function limitWords(
  limit: string,
  kind: 'OPEN' | 'CLOSE',
  now: number | null,
  price: number | null,
): string | null {
  const level = Number(limit);
  if (now === null || !(level > 0)) return null;
  const room = kind === 'OPEN' ? level / now : now / level;
  if (room >= 1 && room <= FAR) return null;
  const does = room < 1 ? 'no slice would be sent before that changes' : 'it would hold nothing back';
  // Where the two are close to each other, a value near one says nothing about which was meant.
  const isFar = Math.max(room, 1 / room) > NEAR;
  if (price !== null && isFar && Math.max(level / price, price / level) < NEAR)
    return `${limit.trim()} is near the price ratio, but the limit is a weighted ratio: ${does}.`;
  return room < 1
    ? `The weighted ratio is ${kind === 'OPEN' ? 'above' : 'below'} it now: ${does}.`
    : `Far from the weighted ratio of now: ${does}. Is it a price ratio?`;
}
