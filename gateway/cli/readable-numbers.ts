/**
 * Decimal strings for the eye: rounded and grouped by thousands. For display only: `--json` passes every digit through.
 * Works on the digits, because money is never a float.
 */

type Decimal = string | null | undefined;

const MONEY_PLACES = 2;
/** Fees of small baskets are below a cent, an hour's funding far below. */
const FINE_PLACES = 4;
const TINY_PLACES = 6;
const PRICE_DIGITS = 7;
const PERCENT_PLACES = 3;

/** `1234.5678` → `1,234.57`. */
export function usd(value: Decimal): string | null {
  return shown(value, MONEY_PLACES);
}

/** As `usd` with four decimals. */
export function fineUsd(value: Decimal): string | null {
  return shown(value, FINE_PLACES);
}

/** As `usd` with six decimals. */
export function tinyUsd(value: Decimal): string | null {
  return shown(value, TINY_PLACES);
}

/** As `tinyUsd`, with `+` above zero. */
export function signedTinyUsd(value: Decimal): string | null {
  return signed(tinyUsd(value));
}

/** A profit or loss: as `usd`, with `+` above zero. */
export function signedUsd(value: Decimal): string | null {
  return signed(usd(value));
}

/** `1.23456` → `+1.23%`; the value is in percent already. */
export function signedPercent(value: Decimal): string | null {
  const text = signed(shown(value, MONEY_PLACES));
  return text === null ? null : `${text}%`;
}

/** `1.23456` → `1.23%`; the value is in percent already. */
export function plainPercent(value: string): string {
  return `${shown(value, MONEY_PLACES)}%`;
}

/** A fraction: `0.00123` → `0.123%`. */
export function percent(fraction: string): string {
  const [, whole = '0', digits = ''] = /^(\d+)(?:\.(\d+))?$/.exec(fraction) ?? [];
  const shifted = `${whole}${digits.slice(0, 2).padEnd(2, '0')}.${digits.slice(2).padEnd(1, '0')}`;
  return `${shown(shifted.replace(/^0+(?=\d)/, ''), PERCENT_PLACES) ?? ''}%`;
}

/**
 * A price with at least seven significant digits and a whole integer part: averages of many fills have dozens of
 * digits.
 */
export function price(value: Decimal): string | null {
  const [, whole = '', fraction = ''] = /^-?0*(\d*)(?:\.(\d+))?$/.exec(value ?? '') ?? [];
  const leadingZeros = whole === '' ? (/^0*/.exec(fraction)?.[0].length ?? 0) : 0;
  const places = Math.max(0, PRICE_DIGITS - whole.length + leadingZeros);
  return shown(value, Math.min(places, fraction.length), true);
}

/** Every digit, grouped by thousands. */
export function quantity(value: Decimal): string | null {
  const [, fraction = ''] = /\.(\d+)$/.exec(value ?? '') ?? [];
  return shown(value, fraction.length);
}

export function isZero(value: Decimal): boolean {
  return /^-?0*(\.0*)?$/.test(value ?? '0');
}

/** The value without its sign. */
export function magnitude(value: string): string {
  return value.replace(/^-/, '');
}

function signed(text: string | null): string | null {
  return text === null || text.startsWith('-') || isZero(text) ? text : `+${text}`;
}

/**
 * Rounded half away from zero to `places`; null stays null, a text that is no decimal is shown as it came.
 */
function shown(value: Decimal, places: number, trimmed = false): string | null {
  if (value === null || value === undefined) return null;
  const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value) ?? [];
  if (whole === undefined) return value;
  const kept = BigInt(whole + fraction.slice(0, places).padEnd(places, '0'));
  const digits = String((fraction[places] ?? '0') >= '5' ? kept + 1n : kept).padStart(places + 1, '0');
  const before = digits.slice(0, digits.length - places).replace(/\B(?=(\d{3})+$)/g, ',');
  const after = digits.slice(digits.length - places);
  const point = trimmed ? after.replace(/0+$/, '') : after;
  const text = point === '' ? before : `${before}.${point}`;
  return sign === '-' && !/^[0.,]*$/.test(text) ? `-${text}` : text;
}
