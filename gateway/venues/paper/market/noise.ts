/**
 * Random numbers by position: the number at a position of a sequence can be computed without those before it, so the
 * noise of an hour or a minute is the same whoever asks for it, in whatever order.
 */
import { hash32 } from './random.ts';

/** Name of one sequence. */
export interface NoiseStream {
  readonly radius: number;
  readonly angle: number;
}

export function noiseStream(...name: readonly number[]): NoiseStream {
  return { radius: hash32(...name, 1), angle: hash32(...name, 2) };
}

/**
 * Uniform on (0, 1), a function of `stream` and `at`. Two rounds of MurmurHash3's finaliser, since months have many
 * minutes.
 */
export function uniformAt(stream: number, at: number): number {
  let bits = stream ^ Math.imul(at, 0x9e3779b1);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  bits = Math.imul(bits ^ (bits >>> 16) ^ stream, 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return ((bits ^ (bits >>> 16)) >>> 0) / 4294967296 + 2 ** -33;
}

/** Standard normal after Box and Muller, "A note on the generation of random normal deviates" (1958). */
export function normalAt(stream: NoiseStream, at: number): number {
  return (
    Math.sqrt(-2 * Math.log(uniformAt(stream.radius, at))) *
    Math.cos(2 * Math.PI * uniformAt(stream.angle, at))
  );
}

/**
 * Standard normal at every position: between two supporting points, `length` positions apart, a weighted mean of
 * both.
 */
export function waveAt(stream: NoiseStream, at: number, length: number): number {
  const point = Math.floor(at / length);
  const share = at / length - point;
  if (share === 0) return normalAt(stream, point);
  const sum = (1 - share) * normalAt(stream, point) + share * normalAt(stream, point + 1);
  return sum / Math.sqrt((1 - share) ** 2 + share ** 2);
}

/** Two independent standard normals of one place, without making an object. */
export class NormalPair {
  first = 0;
  second = 0;

  at(stream: NoiseStream, at: number): void {
    const radius = Math.sqrt(-2 * Math.log(uniformAt(stream.radius, at)));
    const angle = 2 * Math.PI * uniformAt(stream.angle, at);
    this.first = radius * Math.cos(angle);
    this.second = radius * Math.sin(angle);
  }
}
