/**
 * Multiples of the generator, which make a signature ten times as fast: for each of the 80 digits of a scalar, its
 * place's power of 16 times 1 … 8, in affine coordinates. Built in pieces, since orders of other venues wait behind it.
 */
import { setImmediate } from 'node:timers/promises';
import {
  addAffine,
  copy,
  double,
  GENERATOR,
  MULTIPLES,
  multiplyPoint,
  neutral,
  nextMultiple,
  type Point,
  signedDigits,
} from './curve.ts';
import { invert, type Quintic, quintic, times } from './quintic.ts';

const PLACES = 80;
/** A piece begins no further step after this long. */
const PIECE_MS = 1;

interface Affine {
  readonly x: Quintic;
  readonly u: Quintic;
}

const places: Affine[][] = [];
let building: Promise<void> | null = null;

export const isTableReady = (): boolean => places.length === PLACES;

/** Builds the table once, for all callers. */
export function buildTable(): Promise<void> {
  building ??= build();
  return building;
}

async function build(): Promise<void> {
  const steps = allPlaces();
  let done = false;
  while (!done) {
    await setImmediate();
    const start = performance.now();
    do done = steps.next().done === true;
    while (!done && performance.now() - start < PIECE_MS);
  }
}

/** In steps of one or two point additions: before they are compiled, a whole place of them takes several ms. */
function* allPlaces(): Generator<void, void> {
  const base = copy(GENERATOR);
  while (!isTableReady()) {
    const multiples = [copy(base)];
    while (multiples.length < MULTIPLES) {
      multiples.push(nextMultiple(multiples, base));
      yield;
    }
    places.push(yield* toAffine(multiples));
    for (let turn = 0; turn < 4; turn += 1) double(base);
    yield;
  }
}

/** One inversion for all of them. (Montgomery.) */
function* toAffine(points: readonly Point[]): Generator<void, Affine[]> {
  const before: Quintic[] = [];
  const product = quintic(1n);
  for (const { z, t } of points) {
    before.push(product.slice());
    times(product, product, z);
    times(product, product, t);
  }
  yield;
  invert(product, product);
  const affine: Affine[] = [];
  for (const [index, { x, z, u, t }] of [...points.entries()].reverse()) {
    yield;
    const both = quintic();
    times(both, product, before[index] ?? product);
    const point = { x: quintic(), u: quintic() };
    times(point.x, x, t);
    times(point.x, point.x, both);
    times(point.u, u, z);
    times(point.u, point.u, both);
    affine.unshift(point);
    times(product, product, z);
    times(product, product, t);
  }
  return affine;
}

/** The generator times `scalar`, by the table if it is built. @param scalar below 2^319 */
export function multiplyGenerator(scalar: bigint): Point {
  if (!isTableReady()) return multiplyPoint(GENERATOR, scalar);
  const sum = neutral();
  for (const [index, digit] of signedDigits(scalar).entries()) {
    const multiple = places[index]?.[Math.abs(digit) - 1];
    if (multiple !== undefined) addAffine(sum, multiple.x, multiple.u, digit < 0);
  }
  return sum;
}
