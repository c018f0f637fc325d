import { secp256k1 } from '@noble/curves/secp256k1';
import { hashMessage } from 'viem';
import { publicKeyToAddress } from 'viem/accounts';

/**
 * Wallet that signed a text (EIP-191, `personal_sign`).
 * @param signature 0x and 130 hexadecimal digits: r, s and 27 or 28
 * @return the address in lower case; null: no key can have signed this
 */
export function signerOfText(text: string, signature: string): string | null {
  const [, numbers = '', parity = ''] = /^0x([0-9a-fA-F]{128})(1b|1c)$/i.exec(signature) ?? [];
  try {
    const point = secp256k1.Signature.fromCompact(numbers)
      .addRecoveryBit(Number.parseInt(parity, 16) - 27)
      .recoverPublicKey(hashMessage(text).slice(2));
    return publicKeyToAddress(`0x${point.toHex(false)}`).toLowerCase();
  } catch {
    return null;
  }
}
