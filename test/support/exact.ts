/**
 * Decimals without loss, of the tests' own: whole numbers of 10⁻⁶⁰. An auditor that computes with the product's arithmetic
 * would repeat its mistakes.
 */

const PLACES = 60;
const UNIT = 10n ** BigInt(PLACES);

export type Exact = bigint;

export function exact(text: string): Exact {
  const found = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (found === null) throw new Error(`not a decimal: ${text}`);
  const [, sign, whole = '0', fraction = ''] = found;
  if (fraction.length > PLACES) throw new Error(`too many decimals: ${text}`);
  const value = BigInt(whole) * UNIT + BigInt(fraction.padEnd(PLACES, '0'));
  return sign === '-' ? -value : value;
}

/** @throws where the product has more decimals than there is room for */
export function times(a: Exact, b: Exact): Exact {
  const product = a * b;
  if (product % UNIT !== 0n) throw new Error('a product is not exact');
  return product / UNIT;
}

/** Without its sign. */
export const size = (value: Exact): Exact => (value < 0n ? -value : value);

/** Canonical: no zeros at the end, no minus before 0. */
export function exactText(value: Exact): string {
  const fraction = (size(value) % UNIT).toString().padStart(PLACES, '0').replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}${size(value) / UNIT}${fraction === '' ? '' : `.${fraction}`}`;
}

export function totalOf<Row>(rows: readonly Row[], of: (row: Row) => string | Exact): Exact {
  return rows.reduce((total, row) => {
    const value = of(row);
    return total + (typeof value === 'string' ? exact(value) : value);
  }, 0n);
}
