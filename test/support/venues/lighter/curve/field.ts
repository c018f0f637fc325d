/** Arithmetic modulo 2^64 − 2^32 + 1 (Goldilocks). Slow and plain: the gateway's signer must not be its own judge. */

export const P = 0xffffffff00000001n;

export function mod(value: bigint): bigint {
  const rest = value % P;
  return rest < 0n ? rest + P : rest;
}

export function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = mod(base);
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * square) % P;
    square = (square * square) % P;
  }
  return result;
}

/** 0 for 0. */
export function inverse(value: bigint): bigint {
  return power(value, P - 2n);
}

export function isSquare(value: bigint): boolean {
  return value === 0n || power(value, (P - 1n) / 2n) === 1n;
}

/** A square root by Tonelli and Shanks; null where there is none. */
export function root(value: bigint): bigint | null {
  if (value === 0n) return 0n;
  if (!isSquare(value)) return null;
  // p − 1 is 2^32 times an odd number, and 7 is no square.
  const odd = (P - 1n) >> 32n;
  let order = 32;
  let c = power(7n, odd);
  let t = power(value, odd);
  let r = power(value, (odd + 1n) / 2n);
  while (t !== 1n) {
    let least = 0;
    for (let square = t; square !== 1n; square = (square * square) % P) least += 1;
    const b = power(c, 1n << BigInt(order - least - 1));
    order = least;
    c = (b * b) % P;
    t = (t * c) % P;
    r = (r * b) % P;
  }
  return r;
}
