/**
 * Signer of a text: the gateway asks viem, the emulated venue its own arithmetic. They are two implementations that
 * share nothing, and agree on what is right and on what is wrong.
 */
import { expect } from 'chai';
import { type Hex, keccak256 as keccakOfViem, recoverMessageAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { keccak256 } from '../../../../support/venues/lighter/wallet/keccak.ts';
import { signerOfText } from '../../../../support/venues/lighter/wallet/recover.ts';

const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const WALLETS = 8;
const MESSAGE = 'Register Lighter Account\n\npubkey: 0xab\nOnly sign this message for a trusted client!';

const word = (value: bigint) => value.toString(16).padStart(64, '0');
const parts = (signature: string) => ({
  r: BigInt(`0x${signature.slice(2, 66)}`),
  s: BigInt(`0x${signature.slice(66, 130)}`),
  v: Number.parseInt(signature.slice(130), 16),
});
const whole = ({ r, s, v }: ReturnType<typeof parts>) =>
  `0x${word(r)}${word(s)}${v.toString(16).padStart(2, '0')}`;

/** Lower case; null: it throws. */
async function byViem(message: string, signature: string): Promise<string | null> {
  try {
    return (await recoverMessageAddress({ message, signature: signature as Hex })).toLowerCase();
  } catch {
    return null;
  }
}

describe('who signed for a wallet', () => {
  it('hashes as viem does, whatever the length', () => {
    for (const length of [0, 1, 31, 135, 136, 137, 271, 272, 1_000]) {
      const message = Buffer.from(Array.from({ length }, (_, at) => (at * 31 + length) % 256));
      expect(`0x${keccak256(message).toString('hex')}`, `${length} bytes`).to.equal(keccakOfViem(message));
    }
    // "Keccak code package", known answers: the empty message.
    expect(keccak256(Buffer.alloc(0)).toString('hex')).to.equal(
      'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
    );
  });

  it('finds the wallet of a right signature, and of no other message', async () => {
    for (let nth = 0; nth < WALLETS; nth += 1) {
      const wallet = privateKeyToAccount(generatePrivateKey());
      const message = `${MESSAGE} ${nth} ü`;
      const signature = await wallet.signMessage({ message });
      expect(signerOfText(message, signature)).to.equal(wallet.address.toLowerCase());
      expect(await byViem(message, signature)).to.equal(wallet.address.toLowerCase());
      const other = signerOfText(`${message}.`, signature);
      expect(other).not.to.equal(wallet.address.toLowerCase());
      expect(other).to.equal(await byViem(`${message}.`, signature));
    }
  });

  it('agree on signatures that were changed, digit by digit', async () => {
    const wallet = privateKeyToAccount(generatePrivateKey());
    const signature = await wallet.signMessage({ message: MESSAGE });
    for (let at = 2; at < 130; at += 7) {
      const digit = ((Number.parseInt(signature[at] ?? '', 16) + 5) % 16).toString(16);
      const changed = `${signature.slice(0, at)}${digit}${signature.slice(at + 1)}`;
      const found = signerOfText(MESSAGE, changed);
      expect(found).not.to.equal(wallet.address.toLowerCase());
      expect(found, `digit ${at}`).to.equal(await byViem(MESSAGE, changed));
    }
  });

  it('agree on the edges: the other parity, the larger s, numbers that no signature has', async () => {
    const wallet = privateKeyToAccount(generatePrivateKey());
    const signature = await wallet.signMessage({ message: MESSAGE });
    const { r, s, v } = parts(signature);
    const twin = whole({ r, s: N - s, v: v === 27 ? 28 : 27 });
    expect(signerOfText(MESSAGE, twin)).to.equal(wallet.address.toLowerCase());
    expect(await byViem(MESSAGE, twin)).to.equal(wallet.address.toLowerCase());
    const flipped = whole({ r, s, v: v === 27 ? 28 : 27 });
    expect(signerOfText(MESSAGE, flipped)).to.equal(await byViem(MESSAGE, flipped));
    expect(signerOfText(MESSAGE, flipped)).not.to.equal(wallet.address.toLowerCase());
    const none: readonly ReturnType<typeof parts>[] = [
      { r: 0n, s, v },
      { r, s: 0n, v },
      { r: N, s, v },
      { r, s: N, v },
      { r: N + 1n, s: N + 1n, v },
      { r, s, v: 29 },
    ];
    for (const wrong of none) {
      expect(signerOfText(MESSAGE, whole(wrong)), whole(wrong)).to.equal(null);
      expect(await byViem(MESSAGE, whole(wrong)), whole(wrong)).to.equal(null);
    }
    for (const text of ['', '0x', '0xabc', signature.slice(0, -2), `${signature}00`, `0x${'zz'.repeat(65)}`])
      expect(signerOfText(MESSAGE, text)).to.equal(null);
  });
});
