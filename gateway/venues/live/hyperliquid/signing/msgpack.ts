/**
 * MessagePack of an action, byte for byte as the venue packs it before hashing: maps keep the order of their keys, and
 * every integer takes its shortest form. There are no floats: prices and sizes travel as texts.
 */
import { encode } from '@msgpack/msgpack';

export type Packable =
  | string
  | number
  | boolean
  | null
  | readonly Packable[]
  | { readonly [key: string]: Packable };

/** Throws a TypeError for values that an action cannot hold: undefined, fractions, integers beyond a double. */
export function pack(value: Packable): Uint8Array {
  check(value);
  return encode(value);
}

/** The library packs a fraction as a float and `undefined` as null, which the venue would hash to another action. */
function check(value: unknown): void {
  if (typeof value === 'number' ? !Number.isSafeInteger(value) : value === undefined)
    throw new TypeError(`an action cannot hold ${value}`);
  if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) check(part);
}
