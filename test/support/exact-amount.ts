/** Exact decimals of a test's own: whole numbers of 10⁻⁶⁰. It shares nothing with the gateway's arithmetic. */

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

export function words(value: Exact): string {
  const size = value < 0n ? -value : value;
  const fraction = (size % UNIT).toString().padStart(PLACES, '0').replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}${size / UNIT}${fraction === '' ? '' : `.${fraction}`}`;
}

export function totalOf<Row>(rows: readonly Row[], of: (row: Row) => string | Exact): Exact {
  return rows.reduce((total, row) => {
    const value = of(row);
    return total + (typeof value === 'string' ? exact(value) : value);
  }, 0n);
}
