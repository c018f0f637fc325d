/**
 * basketKey: the name of a basket on every venue. Lowercase hex SHA-256 of the UTF-8 string
 * `L:` + sorted long ids joined by `,` + `|S:` + sorted short ids joined by `,` (code-unit order). Weights are no part of it.
 */
import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';

/**
 * The text whose SHA-256 is the basket key, for callers with a hash function of their own.
 * @throws RangeError when no id is given or one repeats
 */
export function basketKeyText(
  longInstrumentIds: readonly string[],
  shortInstrumentIds: readonly string[],
): string {
  const ids = [...longInstrumentIds, ...shortInstrumentIds];
  if (ids.length === 0) throw new RangeError('A basket needs at least one leg');
  // A basket has few legs: comparing their ids costs less than filling a set.
  if (ids.some((id, index) => ids.indexOf(id) !== index))
    throw new RangeError('An instrument may stand in a basket only once');
  return `L:${sideText(longInstrumentIds)}|S:${sideText(shortInstrumentIds)}`;
}

/** One side's ids in code-unit order: `<` and a sort without a comparator both compare UTF-16 code units. */
function sideText(ids: readonly string[]): string {
  const [first = '', second] = ids;
  if (second === undefined) return first;
  // Nearly every basket has at most two legs per side; calling a sort would cost more than all the rest of the key.
  if (ids.length === 2) return first < second ? `${first},${second}` : `${second},${first}`;
  return [...ids].sort().join(',');
}

/**
 * @param longInstrumentIds instrument ids (`BTC-PERP`), any order
 * @param shortInstrumentIds instrument ids, any order
 * @returns 64 lowercase hex characters
 * @throws RangeError when no id is given or one repeats
 */
export function deriveBasketKey(
  longInstrumentIds: readonly string[],
  shortInstrumentIds: readonly string[],
): string {
  return bytesToHex(sha256(utf8ToBytes(basketKeyText(longInstrumentIds, shortInstrumentIds))));
}
