// Selects mutants by a seed, and finds the mutants of a saved list in other sources.
import { isParsable, mutated, mutationsOf } from './operators.mjs';

const MOST_IN_A_FILE = 2;

/** Random numbers in [0, 1). https://gist.github.com/tommyettinger/46a874533244883189143505d203312c */
export function mulberry32(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** FNV-1a. A file's mutants depend on its name, so another file beside it changes few of them. */
function hash(text) {
  let value = 0x811c9dc5;
  for (const unit of new TextEncoder().encode(text)) value = Math.imul(value ^ unit, 0x01000193) >>> 0;
  return value;
}

/**
 * `count` mutants, as many from each folder, in turn. A folder's files come in random order, one mutant each; a second
 * mutant of a file comes only when no file is left without one. Operators that were used least come first.
 * @param folders lists of `{ file, text }`
 */
export function selectMutants(folders, { seed, count }) {
  const used = new Map();
  const lists = folders.map((sources) => mutantsOf(sources, { seed, used }));
  const selected = [];
  while (selected.length < count) {
    const before = selected.length;
    for (const list of lists) {
      const { value } = list.next();
      if (value !== undefined && selected.length < count) selected.push(value);
    }
    if (selected.length === before) break;
  }
  return selected;
}

function* mutantsOf(sources, { seed, used }) {
  const files = sources
    .map(({ file, text }) => {
      const random = mulberry32((seed ^ hash(file)) >>> 0);
      return { file, text, random, rank: random(), left: null };
    })
    .sort((a, b) => a.rank - b.rank || a.file.localeCompare(b.file));
  for (let round = 0; round < MOST_IN_A_FILE; round++)
    for (const source of files) {
      source.left ??= mutationsOf(source.text);
      const mutation = take(source, used);
      if (mutation === null) continue;
      used.set(mutation.operator, (used.get(mutation.operator) ?? 0) + 1);
      yield { file: source.file, ...record(mutation) };
    }
}

/** Takes a mutation out of those that are left of a file; null if there is none. */
function take(source, used) {
  while (source.left.length > 0) {
    const least = Math.min(...source.left.map(({ operator }) => used.get(operator) ?? 0));
    const next = source.left.filter(({ operator }) => (used.get(operator) ?? 0) === least);
    const operators = [...new Set(next.map(({ operator }) => operator))];
    const operator = operators[Math.floor(source.random() * operators.length)];
    const places = next.filter((mutation) => mutation.operator === operator);
    const mutation = places[Math.floor(source.random() * places.length)];
    source.left = source.left.filter((other) => other !== mutation);
    if (isParsable(mutated(source.text, mutation))) return mutation;
  }
  return null;
}

const record = ({ line, column, operator, from, to, code }) => ({ line, column, operator, from, to, code });

/** The mutation of a saved mutant in a text whose lines may have moved; null if its line is not there any more. */
export function findMutation(text, mutant) {
  const distance = ({ line, column }) =>
    Math.abs(line - mutant.line) * 1_000 + Math.abs(column - mutant.column);
  const [nearest] = mutationsOf(text)
    .filter(
      ({ operator, from, code }) =>
        operator === mutant.operator && from === mutant.from && code === mutant.code,
    )
    .sort((a, b) => distance(a) - distance(b));
  return nearest ?? null;
}
