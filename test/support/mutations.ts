/** Copies of a venue's message with one random place in it changed as venues change them: for tests of what reads them. */
import fc from 'fast-check';
import type { Json } from './json.ts';

export const MUTATIONS = [
  ...['drop', 'add', 'NaN', 'null', 'word', 'huge', 'text', 'cut', 'double', 'turn'],
] as const;

export interface Mutation {
  readonly kind: string;
  /** Picks the place. */
  readonly at: number;
}

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom(...MUTATIONS),
  at: fc.nat(),
});

/** @return the same value where it has no place of such a kind */
export function mutated(value: Json, { kind, at }: Mutation): Json {
  const copy = structuredClone(value);
  const places: { readonly holder: Json; readonly key: string | number }[] = [];
  const root = { value: copy };
  const walk = (holder: Json, key: string | number) => {
    places.push({ holder, key });
    const inner = holder[key];
    if (typeof inner !== 'object' || inner === null) return;
    for (const name of Array.isArray(inner) ? inner.keys() : Object.keys(inner)) walk(inner, name);
  };
  walk(root, 'value');
  const fits = places.filter(({ holder, key }) => canTake(holder, key, kind));
  const place = fits[at % Math.max(1, fits.length)];
  if (place !== undefined) change(place.holder, place.key, kind);
  return root.value;
}

function canTake(holder: Json, key: string | number, kind: string): boolean {
  const inner = holder[key];
  if (kind === 'drop') return !Array.isArray(holder) && key !== 'value';
  if (kind === 'add') return typeof inner === 'object' && inner !== null && !Array.isArray(inner);
  if (kind === 'cut' || kind === 'double' || kind === 'turn') return Array.isArray(inner);
  return typeof inner !== 'object';
}

function change(holder: Json, key: string | number, kind: string): void {
  const inner = holder[key];
  if (kind === 'drop') delete holder[key];
  else if (kind === 'add') inner.somethingNew = { deep: [1, 'x'] };
  else if (kind === 'cut') inner.length = Math.floor(inner.length / 2);
  else if (kind === 'double') inner.push(...structuredClone(inner));
  else if (kind === 'turn') inner.reverse();
  else
    holder[key] = { NaN: 'NaN', null: null, word: 'somethingNew', huge: '9e400', text: 'x'.repeat(300) }[
      kind
    ];
}
