/** Poseidon2 as a sponge that overwrites 8 of its 12 lanes: the hash of everything that is signed. */
import { LIMBS, multiply, put, settle, settleProduct } from './goldilocks.ts';
import { DIAGONAL, FULL_ROUNDS, PARTIAL_ROUNDS } from './poseidon2-constants.ts';
import { type Quintic, quintic } from './quintic.ts';

const WIDTH = 12;
const RATE = 8;
const SIZE = WIDTH * LIMBS;

/** 12 lanes. */
type State = Float64Array;

const fullRounds = FULL_ROUNDS.map(lanes);
const partialRounds = lanes(PARTIAL_ROUNDS);
const diagonal = lanes(DIAGONAL);

/** Five lanes of the hash as an element of the extension. @param elements each below 2^64 */
export function hashToQuintic(elements: readonly bigint[]): Quintic {
  const state = lanes(new Array<bigint>(WIDTH).fill(0n));
  for (const [index, element] of elements.entries()) {
    put(state, (index % RATE) * LIMBS, element);
    if (index % RATE === RATE - 1 || index === elements.length - 1) permute(state);
  }
  const out = quintic();
  out.set(state.subarray(0, out.length));
  return out;
}

/** Hash of ASCII text: every 8 characters are an element, little-endian, the last ones filled up with zeros. */
export function hashOfText(text: string): Quintic {
  const bytes = Buffer.alloc(Math.ceil(text.length / 8) * 8);
  bytes.write(text, 'latin1');
  const elements: bigint[] = [];
  for (let at = 0; at < bytes.length; at += 8) elements.push(bytes.readBigUInt64LE(at));
  return hashToQuintic(elements);
}

/** @param state twelve settled lanes, which are replaced */
export function permute(state: State): void {
  mixAll(state);
  const half = fullRounds.length / 2;
  for (const constants of fullRounds.slice(0, half)) fullRound(state, constants);
  for (let at = 0; at < partialRounds.length; at += LIMBS) {
    for (let limb = 0; limb < LIMBS; limb += 1) {
      state[limb] = (state[limb] ?? 0) + (partialRounds[at + limb] ?? 0);
    }
    seventhPower(state, 0);
    mixDiagonal(state);
  }
  for (const constants of fullRounds.slice(half)) fullRound(state, constants);
}

function lanes(values: readonly bigint[]): State {
  const out = new Float64Array(values.length * LIMBS);
  for (const [index, value] of values.entries()) put(out, index * LIMBS, value);
  return out;
}

function fullRound(state: State, constants: State): void {
  for (let index = 0; index < SIZE; index += 1) state[index] = (state[index] ?? 0) + (constants[index] ?? 0);
  for (let at = 0; at < SIZE; at += LIMBS) seventhPower(state, at);
  mixAll(state);
}

const square = new Float64Array(LIMBS);
const cube = new Float64Array(LIMBS);

function seventhPower(state: State, at: number): void {
  multiply(square, 0, state, at, state, at);
  multiply(cube, 0, square, 0, state, at);
  multiply(square, 0, square, 0, square, 0);
  multiply(state, at, square, 0, cube, 0);
}

const mixed = new Float64Array(SIZE);

/** Every four lanes by the circulant of 2, 3, 1, 1; then every lane gets the sum of those at its place of a four. */
function mixAll(state: State): void {
  for (let four = 0; four < SIZE; four += 4 * LIMBS) {
    for (let at = four; at < four + LIMBS; at += 1) {
      const a = state[at] ?? 0;
      const b = state[at + LIMBS] ?? 0;
      const c = state[at + 2 * LIMBS] ?? 0;
      const d = state[at + 3 * LIMBS] ?? 0;
      const all = a + b + c + d;
      mixed[at] = all + a + b + b;
      mixed[at + LIMBS] = all + b + c + c;
      mixed[at + 2 * LIMBS] = all + c + d + d;
      mixed[at + 3 * LIMBS] = all + d + a + a;
    }
  }
  for (let at = 0; at < 4 * LIMBS; at += 1) {
    const sum = (mixed[at] ?? 0) + (mixed[at + 4 * LIMBS] ?? 0) + (mixed[at + 8 * LIMBS] ?? 0);
    for (let lane = at; lane < SIZE; lane += 4 * LIMBS) mixed[lane] = (mixed[lane] ?? 0) + sum;
  }
  for (let at = 0; at < SIZE; at += LIMBS) {
    settle(state, at, mixed[at] ?? 0, mixed[at + 1] ?? 0, mixed[at + 2] ?? 0);
  }
}

/** Every lane times its number of the diagonal, and the sum of all to each. */
function mixDiagonal(state: State): void {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  for (let at = 0; at < SIZE; at += LIMBS) {
    s0 += state[at] ?? 0;
    s1 += state[at + 1] ?? 0;
    s2 += state[at + 2] ?? 0;
  }
  for (let at = 0; at < SIZE; at += LIMBS) {
    const a0 = state[at] ?? 0;
    const a1 = state[at + 1] ?? 0;
    const a2 = state[at + 2] ?? 0;
    const b0 = diagonal[at] ?? 0;
    const b1 = diagonal[at + 1] ?? 0;
    const b2 = diagonal[at + 2] ?? 0;
    settleProduct(
      state,
      at,
      s0 + a0 * b0,
      s1 + a0 * b1 + a1 * b0,
      s2 + a0 * b2 + a1 * b1 + a2 * b0,
      a1 * b2 + a2 * b1,
      a2 * b2,
    );
  }
}
