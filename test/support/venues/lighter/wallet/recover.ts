/**
 * Which wallet signed a text (EIP-191, `personal_sign`): secp256k1 in affine coordinates by the rules of school. The gateway
 * asks a library; the venue must not believe the same one. Source: SEC 1, section 4.1.6.
 */
import { keccak256 } from './keccak.ts';

const P = 2n ** 256n - 2n ** 32n - 977n;
const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const GENERATOR: Point = [
  0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
  0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
];

/** null: the neutral one. */
type Point = readonly [x: bigint, y: bigint] | null;

function mod(value: bigint, m: bigint): bigint {
  const rest = value % m;
  return rest < 0n ? rest + m : rest;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = mod(base, P);
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * square) % P;
    square = (square * square) % P;
  }
  return result;
}

/** By Euclid. */
function inverse(value: bigint, m: bigint): bigint {
  let [a, b] = [mod(value, m), m];
  let [x, y] = [1n, 0n];
  while (a > 1n) {
    const times = b / a;
    [a, b] = [b - times * a, a];
    [x, y] = [y - times * x, x];
  }
  return mod(x, m);
}

function add(one: Point, other: Point): Point {
  if (one === null || other === null) return one ?? other;
  const [x1, y1] = one;
  const [x2, y2] = other;
  if (x1 === x2 && mod(y1 + y2, P) === 0n) return null;
  const slope =
    x1 === x2 ? mod(3n * x1 * x1 * inverse(2n * y1, P), P) : mod((y2 - y1) * inverse(x2 - x1, P), P);
  const x = mod(slope * slope - x1 - x2, P);
  return [x, mod(slope * (x1 - x) - y1, P)];
}

function times(scalar: bigint, point: Point): Point {
  let sum: Point = null;
  let double = point;
  for (let left = scalar; left > 0n; left >>= 1n) {
    if (left & 1n) sum = add(sum, double);
    double = add(double, double);
  }
  return sum;
}

const numberOf = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`);
const bytesOf = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');

function digestOf(text: string): Buffer {
  const message = Buffer.from(text, 'utf8');
  return keccak256(Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${message.length}`), message]));
}

/**
 * @param signature 0x and 130 hexadecimal digits: r, s and 27 or 28
 * @return the address in lower case; null: no key can have signed this
 */
export function signerOfText(text: string, signature: string): string | null {
  if (!/^0x[0-9a-fA-F]{130}$/.test(signature)) return null;
  const bytes = Buffer.from(signature.slice(2), 'hex');
  const [r, s] = [numberOf(bytes.subarray(0, 32)), numberOf(bytes.subarray(32, 64))];
  const parity = (bytes[64] ?? 0) - 27;
  if ((parity !== 0 && parity !== 1) || r === 0n || r >= N || s === 0n || s >= N) return null;
  const square = mod(r * r * r + 7n, P);
  const root = power(square, (P + 1n) / 4n);
  if (mod(root * root, P) !== square) return null;
  const y = (root & 1n) === BigInt(parity) ? root : P - root;
  const byR = inverse(r, N);
  const hash = numberOf(digestOf(text));
  const key = add(times(mod(-hash * byR, N), GENERATOR), times(mod(s * byR, N), [r, y]));
  if (key === null) return null;
  const address = keccak256(Buffer.concat([bytesOf(key[0]), bytesOf(key[1])])).subarray(12);
  return `0x${address.toString('hex')}`;
}
