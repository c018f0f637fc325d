/**
 * basketKey: the name of a basket on every venue. Lowercase hex SHA-256 of the UTF-8 string
 * `L:` + sorted long ids joined by `,` + `|S:` + sorted short ids joined by `,` (code-unit order). Weights are no part of it.
 */
import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';

/**
 * The text that is hashed, for callers with a hash of their own.
 * @throws RangeError when no id is given or one repeats
 */
export function basketKeyText(
  longInstrumentIds: readonly string[],
  shortInstrumentIds: readonly string[],
): string {
  const ids = [...longInstrumentIds, ...shortInstrumentIds];
  if (ids.length === 0) throw new RangeError('A basket needs at least one leg');
  // A basket is small: comparing is less work than hashing.
  if (ids.some((id, index) => ids.indexOf(id) !== index))
    throw new RangeError('An instrument may stand in a basket only once');
  // Array.prototype.sort without a comparator orders by UTF-16 code units, as the definition asks.
  const side = (of: readonly string[]) => (of.length < 2 ? of : [...of].sort()).join(',');
  return `L:${side(longInstrumentIds)}|S:${side(shortInstrumentIds)}`;
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
