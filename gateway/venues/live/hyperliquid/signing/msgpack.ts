/**
 * MessagePack of an action, byte for byte as the venue packs it before hashing: maps keep the order of their keys,
 * every integer takes its shortest form, texts are UTF-8. There are no floats: prices and sizes travel as texts.
 */

export type Packable =
  | string
  | number
  | boolean
  | null
  | readonly Packable[]
  | { readonly [key: string]: Packable };

const UTF8 = new TextEncoder();
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are ASCII too
const ASCII = /^[\x00-\x7f]*$/;

/** Throws a TypeError for values that an action cannot hold: undefined, fractions, integers beyond a double. */
export function pack(value: Packable): Uint8Array {
  const bytes: number[] = [];
  write(bytes, value);
  return new Uint8Array(bytes);
}

function write(out: number[], value: Packable): void {
  if (value === null) out.push(0xc0);
  else if (value === true) out.push(0xc3);
  else if (value === false) out.push(0xc2);
  else if (typeof value === 'string') writeText(out, value);
  else if (typeof value === 'number') writeInteger(out, value);
  else if (Array.isArray(value)) writeArray(out, value);
  else if (typeof value === 'object') writeMap(out, value as { readonly [key: string]: Packable });
  else throw new TypeError(`an action cannot hold a value of type ${typeof value}`);
}

function writeText(out: number[], value: string): void {
  // Orders are all ASCII and wait for this: their texts are their own bytes.
  if (!ASCII.test(value)) {
    const bytes = UTF8.encode(value);
    writeTextHead(out, bytes.length);
    for (const byte of bytes) out.push(byte);
    return;
  }
  writeTextHead(out, value.length);
  for (let at = 0; at < value.length; at += 1) out.push(value.charCodeAt(at));
}

function writeTextHead(out: number[], length: number): void {
  if (length < 32) out.push(0xa0 | length);
  else if (length < 0x100) out.push(0xd9, length);
  else writeHead(out, 0xda, 2, length);
}

function writeArray(out: number[], values: readonly Packable[]): void {
  if (values.length < 16) out.push(0x90 | values.length);
  else writeHead(out, 0xdc, 2, values.length);
  for (const value of values) write(out, value);
}

function writeMap(out: number[], map: { readonly [key: string]: Packable }): void {
  const entries = Object.entries(map);
  if (entries.length < 16) out.push(0x80 | entries.length);
  else writeHead(out, 0xde, 2, entries.length);
  for (const [key, value] of entries) {
    writeText(out, key);
    write(out, value);
  }
}

function writeInteger(out: number[], value: number): void {
  if (!Number.isSafeInteger(value)) throw new TypeError(`an action holds integers only, not ${value}`);
  if (value >= 0) {
    if (value < 0x80) out.push(value);
    else if (value < 0x100) out.push(0xcc, value);
    else if (value < 0x1_0000) writeHead(out, 0xcd, 2, value);
    else if (value < 0x1_0000_0000) writeHead(out, 0xce, 4, value);
    else writeHead(out, 0xcf, 8, value);
  } else if (value >= -0x20) out.push(value & 0xff);
  else if (value >= -0x80) out.push(0xd0, value & 0xff);
  else if (value >= -0x8000) writeHead(out, 0xd1, 2, value);
  else if (value >= -0x8000_0000) writeHead(out, 0xd2, 4, value);
  else writeHead(out, 0xd3, 8, value);
}

/** `format`, then `value` as a big-endian integer of `width` bytes (two's complement). */
function writeHead(out: number[], format: number, width: 2 | 4 | 8, value: number): void {
  if (width < 8 && value >= 2 ** (8 * width)) throw new TypeError('the action is too large to pack');
  out.push(format);
  // Shifts of BigInt, because those of numbers end at 32 bits.
  const whole = BigInt.asUintN(8 * width, BigInt(value));
  for (let shift = 8 * (width - 1); shift >= 0; shift -= 8)
    out.push(Number((whole >> BigInt(shift)) & 0xffn));
}
