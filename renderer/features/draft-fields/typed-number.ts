/** Numbers as people paste them. */

/**
 * The number without the separators of its thousands: `1,000.50` → `1000.50`. Only in a locale that groups by commas: in
 * another `1,500` is one and a half. Anything else stays as it was typed, and is refused beside its field.
 * @param locale BCP 47; undefined: the browser's
 */
export function withoutGroups(typed: string, locale: string | undefined): string {
  const parts = new Intl.NumberFormat(locale).formatToParts(1_234_567);
  const isComma = parts.some(({ type, value }) => type === 'group' && value === ',');
  return isComma && /^\s*[+-]?\d+(,\d{3})+(\.\d*)?\s*$/.test(typed) ? typed.replaceAll(',', '') : typed;
}

/** The size of a loss or gain whose sign stands before its field: `-5` under `−` is 5. */
export function withoutSign(typed: string): string {
  return typed.replace(/^\s*[-+\u2212]\s*/, '');
}
