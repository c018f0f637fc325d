/**
 * One text for one value, so that a hash of the text stands for the value: the JSON Canonicalization Scheme (RFC 8785)
 * for values that JSON can hold. Members are sorted by the UTF-16 code units of their names; numbers and strings are
 * written as ECMAScript's `JSON.stringify` writes them, which is what the RFC asks for.
 */

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue | undefined };

/** Members that are `undefined` are left out. Throws for a number that JSON cannot hold. */
export function canonicalJson(value: JsonValue): string {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError('JSON has no such number');
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, inner]) =>
      inner === undefined ? [] : [`${JSON.stringify(name)}:${canonicalJson(inner)}`],
    );
  return `{${members.join(',')}}`;
}

function isList(value: object): value is readonly JsonValue[] {
  return Array.isArray(value);
}
