/** Numbers as people paste them. */

/**
 * Removes thousands separators: `1,000.50` → `1000.50`. Only in a locale that groups by commas: in others `1,500` is
 * one and a half. Any other text stays as typed, and is refused beside its field.
 * @param locale BCP 47; undefined: the browser's
 */
export function withoutGroups(typed: string, locale: string | undefined): string {
  const parts = new Intl.NumberFormat(locale).formatToParts(1_234_567);
  const isComma = parts.some(({ type, value }) => type === 'group' && value === ',');
  return isComma && /^\s*[+-]?\d+(,\d{3})+(\.\d*)?\s*$/.test(typed) ? typed.replaceAll(',', '') : typed;
}

/** Size of a loss or gain whose sign is shown before its field: `-5` under `−` is 5. */
export function withoutSign(typed: string): string {
  return typed.replace(/^\s*[-+\u2212]\s*/, '');
}
