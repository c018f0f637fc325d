/** Values at random out of JSON Schema: mostly good ones, some broken in one place. */
import type { Json } from './json.ts';

export type Random = () => number;

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const BROKEN: readonly unknown[] = [
  null,
  -1,
  1e308,
  0.1,
  '',
  '\u0000',
  '𝕏'.repeat(50),
  'x'.repeat(5_000),
  [],
  {},
  true,
  '-0',
  '1e9',
  '__proto__',
  '99999999999999999999',
];
const TEXTS = ['BTC-PERP', 'ETH-PERP', 'paper', 'BTC', '250', '0.5', 'x', '2026-01-31T12:00:00.000Z', '20'];
const DEEPEST = 6;

export class SchemaFuzz {
  readonly #random: Random;
  readonly #named: Readonly<Record<string, Json>>;
  constructor(random: Random, named: Readonly<Record<string, Json>>) {
    this.#random = random;
    this.#named = named;
  }

  /** A value of the schema; one in twenty, at any depth, is something else. */
  value(schema: Json, depth = 0): Json {
    if (this.#random() < 0.05) return this.#one(BROKEN);
    if (depth > DEEPEST) return null;
    if (schema.$ref !== undefined)
      return this.value(this.#named[String(schema.$ref).split('/').at(-1) ?? ''] ?? {}, depth + 1);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum !== undefined) return this.#one(schema.enum);
    const variants = schema.anyOf ?? schema.oneOf;
    if (variants !== undefined) return this.value(this.#one(variants), depth + 1);
    if (schema.allOf !== undefined) return this.value(this.#one(schema.allOf), depth + 1);
    if (schema.example !== undefined && this.#random() < 0.5) return structuredClone(schema.example);
    const type = Array.isArray(schema.type) ? this.#one(schema.type) : schema.type;
    if (type === 'object') return this.#object(schema, depth);
    if (type === 'array') {
      const length = Math.floor(this.#random() * 4);
      return Array.from({ length }, () => this.value(schema.items ?? {}, depth + 1));
    }
    if (type === 'integer' || type === 'number') {
      const [least, most] = [schema.minimum ?? 0, Math.min(schema.maximum ?? 1_000, 1_000_000)];
      return Math.floor(least + this.#random() * (most - least + 1));
    }
    if (type === 'boolean') return this.#random() < 0.5;
    if (type === 'null') return null;
    if (schema.format === 'uuid') return '018f0000-0000-7000-8000-000000000000';
    return this.#one(TEXTS);
  }

  #object(schema: Json, depth: number): Json {
    const made: Record<string, Json> = {};
    for (const [name, inner] of Object.entries<Json>(schema.properties ?? {})) {
      const needed = schema.required?.includes(name) === true;
      if (needed ? this.#random() < 0.98 : this.#random() < 0.4) made[name] = this.value(inner, depth + 1);
    }
    if (this.#random() < 0.03) made['unknown'] = this.#one(BROKEN);
    return made;
  }

  #one<T>(values: readonly T[]): T {
    return values[Math.floor(this.#random() * values.length)] as T;
  }
}
