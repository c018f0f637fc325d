/** Parsing of typed limits. An empty field means no limit. */
import { withoutGroups } from '../../features/draft-fields/typed-number.ts';

/**
 * @param locale BCP 47; undefined: the browser's
 * @returns a decimal string, null for no limit, or the error
 */
export function readUsdLimit(
  text: string,
  locale: string | undefined,
): { readonly value: string | null } | { readonly error: string } {
  const plain = withoutGroups(text.replace(/[\s$]/g, ''), locale);
  if (plain === '') return { value: null };
  if (!/^\d{1,20}(\.\d{1,18})?$/.test(plain) || /^[0.]*$/.test(plain))
    return { error: 'An amount such as 25000, or empty' };
  return { value: plain };
}

const HIGHEST = 1_000;

export function readLeverageLimit(
  text: string,
): { readonly value: number | null } | { readonly error: string } {
  const plain = text.trim().replace(/(?<=\d)[x×]$/i, '');
  if (plain === '') return { value: null };
  const value = Number(plain);
  if (!/^\d{1,4}$/.test(plain) || value < 1 || value > HIGHEST)
    return { error: `A whole number from 1 to ${HIGHEST}, or empty` };
  return { value };
}
