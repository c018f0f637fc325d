/**
 * A column of exact decimals in 16 bytes a row. A decimal is cut after its 15th significant digit, and each part is
 * stored as the nearest float: floats distinguish any 15 digits, so printing them restores the digits. A decimal of
 * more than 30 digits is stored as text beside the column.
 */
import { type Decimal, type DecimalString, dec } from '../../../domain/decimal.ts';
import { longerReals, real, roomier } from './columns.ts';

const FLOAT_DIGITS = 15;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO_DIGIT = 0x30;

export class PackedDecimals {
  #heads = new Float64Array(0);
  #tails = new Float64Array(0);
  readonly #long = new Map<number, DecimalString>();

  /** Reserves memory for rows 1 to `last`. */
  reserve(last: number): void {
    if (last < this.#heads.length) return;
    const room = roomier(last, this.#heads.length);
    this.#heads = longerReals(this.#heads, room);
    this.#tails = longerReals(this.#tails, room);
  }

  set(row: number, value: DecimalString): void {
    const cut = cutOf(value);
    if (this.#long.size > 0) this.#long.delete(row);
    this.#heads[row] = headOf(value, cut);
    if (digitsFrom(value, cut) <= FLOAT_DIGITS) this.#tails[row] = tailOf(value, cut);
    else this.#long.set(row, value);
  }

  /** Deletes the row's text, if it has one. */
  clear(row: number): void {
    this.#long.delete(row);
  }

  /** The float of the decimal's first 15 digits. */
  near(row: number): number {
    return real(this.#heads, row);
  }

  get(row: number): Decimal {
    const long = this.#long.get(row);
    return long === undefined ? dec(this.near(row)).plus(dec(real(this.#tails, row))) : dec(long);
  }

  equals(row: number, value: DecimalString): boolean {
    const cut = cutOf(value);
    if (this.near(row) !== headOf(value, cut)) return false;
    const long = this.#long.get(row);
    if (long !== undefined) return dec(long).eq(value);
    return digitsFrom(value, cut) <= FLOAT_DIGITS && real(this.#tails, row) === tailOf(value, cut);
  }
}

/** The float that `near` returns for this decimal. */
export function nearOf(value: DecimalString): number {
  return headOf(value, cutOf(value));
}

/** Index after the 15th significant digit; the text's length if there are no more. */
function cutOf(value: DecimalString): number {
  if (value.length <= FLOAT_DIGITS) return value.length;
  let digits = 0;
  for (let at = 0; at < value.length; at += 1) {
    const code = value.charCodeAt(at);
    if (code === MINUS || code === POINT || (digits === 0 && code === ZERO_DIGIT)) continue;
    digits += 1;
    if (digits === FLOAT_DIGITS) return at + 1;
  }
  return value.length;
}

function headOf(value: DecimalString, cut: number): number {
  if (cut === value.length) return Number(value);
  const point = value.indexOf('.');
  const integerEnd = point === -1 ? value.length : point;
  const head = value.slice(0, cut);
  return Number(cut < integerEnd ? `${head}e${integerEnd - cut}` : head);
}

/** Number of significant digits after the cut. */
function digitsFrom(value: DecimalString, cut: number): number {
  let digits = 0;
  for (let at = cut; at < value.length; at += 1) {
    const code = value.charCodeAt(at);
    if (code !== POINT && (digits > 0 || code !== ZERO_DIGIT)) digits += 1;
  }
  return digits;
}

function tailOf(value: DecimalString, cut: number): number {
  if (cut === value.length) return 0;
  const point = value.indexOf('.');
  const decimals = point === -1 ? 0 : value.length - point - 1;
  const digits = value.slice(cut).replace('.', '');
  const size = Number(`${digits}e-${decimals}`);
  return value.charCodeAt(0) === MINUS ? -size : size;
}
