/**
 * Decimals without loss, of the tests' own: an auditor that computes with the product's arithmetic would repeat its mistakes.
 * A number is `units` × 10^−`scale`; sums and products are exact, and nothing is ever divided.
 */
export interface Exact {
  readonly units: bigint;
  readonly scale: number;
}

export const NOUGHT: Exact = { units: 0n, scale: 0 };

/** Reads `-12.50`. Throws where the text is no plain decimal. */
export function exact(text: string): Exact {
  const read = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (read === null) throw new Error(`'${text}' is not a plain decimal`);
  const [, sign = '', whole = '', part = ''] = read;
  const units = BigInt(whole + part);
  return { units: sign === '-' ? -units : units, scale: part.length };
}

/** Canonical: no zeros at the end, no minus before nought. */
export function exactText({ units, scale }: Exact): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const part = digits.slice(digits.length - scale).replace(/0+$/, '');
  return `${units < 0n ? '-' : ''}${whole}${part === '' ? '' : `.${part}`}`;
}

export function plus(one: Exact, other: Exact): Exact {
  const scale = Math.max(one.scale, other.scale);
  return { units: raised(one, scale) + raised(other, scale), scale };
}

export function times(one: Exact, other: Exact): Exact {
  return { units: one.units * other.units, scale: one.scale + other.scale };
}

export const opposite = ({ units, scale }: Exact): Exact => ({ units: -units, scale });
export const minus = (one: Exact, other: Exact): Exact => plus(one, opposite(other));
export const size = (one: Exact): Exact => (one.units < 0n ? opposite(one) : one);
export const isNought = ({ units }: Exact): boolean => units === 0n;

/** Negative, 0 or positive, as one is below, equal to or above the other. */
export function compare(one: Exact, other: Exact): number {
  const { units } = minus(one, other);
  return units < 0n ? -1 : units > 0n ? 1 : 0;
}

export const total = (all: readonly Exact[]): Exact => all.reduce(plus, NOUGHT);

function raised({ units, scale }: Exact, to: number): bigint {
  return units * 10n ** BigInt(to - scale);
}
