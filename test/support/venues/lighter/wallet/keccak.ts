/** Keccak-256 as Ethereum has it: a sponge over 25 lanes of 64 bits. Slow and plain. Source: keccak.team, "Keccak specs summary". */

const LANES = 25;
const RATE_BYTES = 136;
const ROUNDS = 24;
const DIGEST_BYTES = 32;
const MASK = (1n << 64n) - 1n;

const rotate = (lane: bigint, by: number) => ((lane << BigInt(by)) | (lane >> BigInt(64 - by))) & MASK;
const at = (lanes: readonly bigint[], x: number, y: number) => lanes[(x % 5) + 5 * (y % 5)] ?? 0n;

/** Constants of the rounds: bits of a shift register over x⁸ + x⁶ + x⁵ + x⁴ + 1. */
function roundConstants(): readonly bigint[] {
  let register = 1;
  return Array.from({ length: ROUNDS }, () => {
    let constant = 0n;
    for (let bit = 0; bit <= 6; bit += 1) {
      if (register & 1) constant |= 1n << BigInt(2 ** bit - 1);
      register = register & 0x80 ? ((register << 1) ^ 0x171) & 0xff : register << 1;
    }
    return constant;
  });
}
const CONSTANTS = roundConstants();

function permuted(before: readonly bigint[]): readonly bigint[] {
  let lanes = [...before];
  for (const constant of CONSTANTS) {
    // θ
    const columns = [0, 1, 2, 3, 4].map((x) => [0, 1, 2, 3, 4].reduce((sum, y) => sum ^ at(lanes, x, y), 0n));
    lanes = lanes.map((lane, index) => {
      const x = index % 5;
      return lane ^ (columns[(x + 4) % 5] ?? 0n) ^ rotate(columns[(x + 1) % 5] ?? 0n, 1);
    });
    // ρ and π
    const moved = [...lanes];
    let [x, y] = [1, 0];
    for (let step = 0; step < LANES - 1; step += 1) {
      const next = (2 * x + 3 * y) % 5;
      moved[y + 5 * next] = rotate(at(lanes, x, y), (((step + 1) * (step + 2)) / 2) % 64);
      [x, y] = [y, next];
    }
    // χ and ι
    lanes = moved.map((lane, index) => {
      const [column, row] = [index % 5, Math.floor(index / 5)];
      return lane ^ (~at(moved, column + 1, row) & MASK & at(moved, column + 2, row));
    });
    lanes[0] = (lanes[0] ?? 0n) ^ constant;
  }
  return lanes;
}

export function keccak256(message: Uint8Array): Buffer {
  const padded = Buffer.alloc((Math.floor(message.length / RATE_BYTES) + 1) * RATE_BYTES);
  padded.set(message);
  padded[message.length] = 0x01;
  padded[padded.length - 1] = (padded[padded.length - 1] ?? 0) | 0x80;
  let lanes: readonly bigint[] = Array.from({ length: LANES }, () => 0n);
  for (let block = 0; block < padded.length; block += RATE_BYTES) {
    lanes = permuted(
      lanes.map((lane, index) =>
        index * 8 < RATE_BYTES ? lane ^ padded.readBigUInt64LE(block + index * 8) : lane,
      ),
    );
  }
  const digest = Buffer.alloc(DIGEST_BYTES);
  for (let index = 0; index < DIGEST_BYTES / 8; index += 1)
    digest.writeBigUInt64LE(lanes[index] ?? 0n, index * 8);
  return digest;
}
