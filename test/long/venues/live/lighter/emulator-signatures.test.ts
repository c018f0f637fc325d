/** The emulator's own arithmetic beside the recorded vectors of the venue's. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'chai';
import {
  inverse as inverseOf,
  mod,
  power as powerOf,
} from '../../../../support/venues/lighter/curve/field.ts';
import {
  add as addPoints,
  decode,
  doublesOf,
  encode,
  times,
} from '../../../../support/venues/lighter/curve/point.ts';
import { hash, hashToQuintic, permute } from '../../../../support/venues/lighter/curve/poseidon.ts';
import {
  add,
  fromBytes,
  inverse,
  mul,
  neg,
  power,
  type Quintic,
  sub,
  toBytes,
  words,
} from '../../../../support/venues/lighter/curve/quintic.ts';
import { isSignedBy, publicKeyOf, scalarOf, sign } from '../../../../support/venues/lighter/curve/schnorr.ts';
import type { Answer } from '../../../../support/venues/lighter/trader.ts';
import { readToken } from '../../../../support/venues/lighter/wire/auth-token.ts';
import { changePubKeyText, transferText } from '../../../../support/venues/lighter/wire/l1-messages.ts';
import { readTx } from '../../../../support/venues/lighter/wire/tx.ts';

function vectors(file: string): Answer {
  const folder = resolve(import.meta.dirname, '../../../../data/live/lighter/signing');
  return JSON.parse(readFileSync(resolve(folder, `${file}.json`), 'utf8')).vectors;
}

const bytes = (hex: string) => Buffer.from(hex, 'hex');
const word = (hex: string) => words(bytes(hex))[0] ?? 0n;
const hexOf = (list: readonly bigint[]) => {
  const buffer = Buffer.alloc(list.length * 8);
  for (const [at, value] of list.entries()) buffer.writeBigUInt64LE(value, at * 8);
  return buffer.toString('hex');
};

function quintic(hex: string): Quintic {
  const read = fromBytes(bytes(hex));
  if (read === null) throw new Error(`${hex} is no element`);
  return read;
}

const text = (element: Quintic) => toBytes(element).toString('hex');

describe('emulated Lighter: arithmetic', () => {
  it('counts in Goldilocks as recorded', () => {
    for (const vector of vectors('field_goldilocks_vectors')) {
      const [a, b] = [word(vector.a), word(vector.b)];
      const ours = [mod(a + b), mod(a - b), mod(a * b), mod(-a), inverseOf(a), powerOf(a, BigInt(vector.e))];
      const { add: sum, sub: difference, mul: product, neg_a, inv_a, pow_a_e } = vector;
      expect(ours.map((one) => hexOf([one]))).to.deep.equal([
        sum,
        difference,
        product,
        neg_a,
        inv_a,
        pow_a_e,
      ]);
    }
  });

  it('counts in the quintic field as recorded', () => {
    for (const vector of vectors('field_quintic_vectors')) {
      const [a, b] = [quintic(vector.a), quintic(vector.b)];
      const ours = [add(a, b), sub(a, b), mul(a, b), neg(a), inverse(a), power(a, BigInt(vector.e))];
      const { add: sum, sub: difference, mul: product, neg_a, inv_a, pow_a_e } = vector;
      expect(ours.map(text)).to.deep.equal([sum, difference, product, neg_a, inv_a, pow_a_e]);
    }
  });

  it('hashes as recorded', () => {
    const { permute: permutations, sponge, hash_to_quintic } = vectors('hash_poseidon2_vectors');
    for (const { input, output } of permutations)
      expect(hexOf(permute(words(bytes(input))))).to.equal(output);
    for (const { input, num_outputs, output } of sponge) {
      expect(hexOf(hash(words(bytes(input)), num_outputs))).to.equal(output);
    }
    for (const { input, output } of hash_to_quintic) {
      expect(text(hashToQuintic(words(bytes(input))))).to.equal(output);
    }
  });

  it('decodes, adds and multiplies points as recorded', () => {
    const curve = vectors('curve_ecgfp5_vectors');
    const point = (hex: string) => {
      const found = decode(quintic(hex));
      if (found === undefined) throw new Error(`${hex} is no point`);
      return found;
    };
    for (const { w, decodes, is_neutral, encoded_back } of curve.decode) {
      const found = decode(quintic(w));
      expect(found !== undefined, w).to.equal(decodes);
      if (found === undefined) continue;
      expect(found === null).to.equal(is_neutral);
      expect(text(encode(found))).to.equal(encoded_back);
    }
    for (const { a_w, b_w, sum_w, a_double_w } of curve.add) {
      expect(text(encode(addPoints(point(a_w), point(b_w))))).to.equal(sum_w);
      expect(text(encode(addPoints(point(a_w), point(a_w))))).to.equal(a_double_w);
    }
    for (const { base_w, scalar_le, out_w } of curve.scalar_mul) {
      expect(text(encode(times(scalarOf(bytes(scalar_le)), doublesOf(point(base_w)))))).to.equal(out_w);
    }
  });

  it('makes the recorded keys and signatures, and takes them', () => {
    const schnorr = vectors('schnorr_vectors');
    for (const { sk, pk } of schnorr.keygen) expect(publicKeyOf(bytes(sk)).toString('hex')).to.equal(pk);
    for (const { sk, hashed_msg, k, sig } of schnorr.sign) {
      const message = quintic(hashed_msg);
      expect(sign(bytes(sk), message, scalarOf(bytes(k))).toString('hex')).to.equal(sig);
      expect(isSignedBy(publicKeyOf(bytes(sk)), message, bytes(sig))).to.equal(true);
    }
  });

  it('takes no signature of another key, message or number, nor one that is cut or out of range', () => {
    const [{ sk, hashed_msg, sig }, other] = vectors('schnorr_vectors').sign;
    const key = publicKeyOf(bytes(sk));
    const message = quintic(hashed_msg);
    const changed = (at: number) => {
      const copy = Buffer.from(sig, 'hex');
      copy[at] = (copy[at] ?? 0) ^ 1;
      return copy;
    };
    expect(isSignedBy(publicKeyOf(bytes(other.sk)), message, bytes(sig))).to.equal(false);
    expect(isSignedBy(key, quintic(other.hashed_msg), bytes(sig))).to.equal(false);
    for (const at of [0, 39, 40, 79]) expect(isSignedBy(key, message, changed(at)), `${at}`).to.equal(false);
    expect(isSignedBy(key, message, bytes(sig).subarray(0, 79))).to.equal(false);
    expect(isSignedBy(key, message, Buffer.alloc(80, 255))).to.equal(false);
    expect(isSignedBy(Buffer.alloc(40, 255), message, bytes(sig))).to.equal(false);
  });
});

describe('emulated Lighter: transactions of the venue’s own signers', () => {
  const all = [...vectors('tx_oracle'), ...vectors('wasm')].filter(({ kind }) => kind !== 'auth_token');

  for (const vector of all) {
    it(`hashes as recorded and finds the signature: ${vector.kind} ${vector.nonce ?? vector.tx_hash}`, () => {
      const network = vector.chain_id === 304 ? 'mainnet' : 'testnet';
      const tx = readTx(network, vector.tx_type, vector.tx_info);
      if (typeof tx === 'string') throw new Error(`unreadable ${tx}`);
      const key = publicKeyOf(bytes(vector.sk));
      expect(tx.hash).to.equal(vector.tx_hash);
      expect(tx.isSignedBy(key)).to.equal(true);
      // The other network's transactions are others.
      const elsewhere = readTx(network === 'mainnet' ? 'testnet' : 'mainnet', vector.tx_type, vector.tx_info);
      expect(typeof elsewhere !== 'string' && elsewhere.isSignedBy(key)).to.equal(false);
      // Transfer messages of that signer contain a chain of 0.
      if (tx.kind === 'transfer') expect(transferText(tx.fields, 0)).to.equal(vector.message_to_sign);
      if (tx.kind === 'changePubKey') expect(changePubKeyText(tx.fields)).to.equal(vector.message_to_sign);
    });
  }

  it('finds the signatures of tokens', () => {
    const tokens = [
      ...vectors('auth_token_oracle'),
      ...vectors('wasm').filter(({ kind }: Answer) => kind === 'auth_token'),
    ];
    for (const { sk, token, account_index, api_key_index, deadline } of tokens) {
      const read = readToken(token);
      expect(read).to.deep.include({ account: account_index, apiKey: api_key_index, deadline });
      expect(read?.isSignedBy(publicKeyOf(bytes(sk)))).to.equal(true);
      const later = readToken(token.replace(`${deadline}`, `${deadline + 1}`));
      expect(later?.isSignedBy(publicKeyOf(bytes(sk)))).to.equal(false);
    }
    expect(readToken('1:2:3:zz')).to.equal(null);
  });
});
