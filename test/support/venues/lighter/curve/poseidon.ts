/** Poseidon2 over Goldilocks: 12 wide, of which 8 are written and read, with 4 + 22 + 4 rounds. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { mod, P } from './field.ts';
import type { Quintic } from './quintic.ts';

const WIDTH = 12;
const RATE = 8;

interface Constants {
  readonly external: readonly (readonly bigint[])[];
  readonly internal: readonly bigint[];
  readonly diag: readonly bigint[];
}

const FILE = '../../../../data/live/lighter/signing/poseidon2-goldilocks-constants.json';

function read(): Constants {
  const file = JSON.parse(readFileSync(resolve(import.meta.dirname, FILE), 'utf8'));
  const list = (texts: readonly string[]) => texts.map(BigInt);
  return { external: file.external.map(list), internal: list(file.internal), diag: list(file.diag) };
}

const { external, internal, diag } = read();

/** The matrix that mixes four, as of the paper, and the sums of every fourth. */
const M4 = [
  [2n, 3n, 1n, 1n],
  [1n, 2n, 3n, 1n],
  [1n, 1n, 2n, 3n],
  [3n, 1n, 1n, 2n],
];

function mixOutside(state: readonly bigint[]): bigint[] {
  const mixed = state.map((_, at) => {
    const from = at - (at % 4);
    return (M4[at % 4] ?? []).reduce(
      (total, factor, column) => total + factor * (state[from + column] ?? 0n),
      0n,
    );
  });
  const sums = [0, 1, 2, 3].map((k) => (mixed[k] ?? 0n) + (mixed[k + 4] ?? 0n) + (mixed[k + 8] ?? 0n));
  return mixed.map((value, at) => (value + (sums[at % 4] ?? 0n)) % P);
}

function mixInside(state: readonly bigint[]): bigint[] {
  const total = state.reduce((all, value) => all + value, 0n);
  return state.map((value, at) => (value * (diag[at] ?? 0n) + total) % P);
}

function seventh(value: bigint): bigint {
  const square = (value * value) % P;
  const cube = (square * value) % P;
  return (((cube * cube) % P) * value) % P;
}

export function permute(input: readonly bigint[]): bigint[] {
  let state = mixOutside(input.map(mod));
  const half = external.length / 2;
  const full = (constants: readonly bigint[]) => {
    state = mixOutside(state.map((value, at) => seventh((value + (constants[at] ?? 0n)) % P)));
  };
  for (const constants of external.slice(0, half)) full(constants);
  for (const constant of internal) {
    state[0] = seventh(((state[0] ?? 0n) + constant) % P);
    state = mixInside(state);
  }
  for (const constants of external.slice(half)) full(constants);
  return state;
}

/** A sponge without padding; each block is written over the last one's beginning. */
export function hash(input: readonly bigint[], outputs: number): bigint[] {
  let state: bigint[] = new Array(WIDTH).fill(0n);
  for (let at = 0; at < input.length; at += RATE) {
    const block = input.slice(at, at + RATE);
    state = permute([...block, ...state.slice(block.length)]);
  }
  const out: bigint[] = [];
  while (out.length < outputs) {
    if (out.length > 0) state = permute(state);
    out.push(...state.slice(0, RATE));
  }
  return out.slice(0, outputs);
}

export function hashToQuintic(input: readonly bigint[]): Quintic {
  const [a = 0n, b = 0n, c = 0n, d = 0n, e = 0n] = hash(input, 5);
  return [a, b, c, d, e];
}
