/**
 * Recovers signers by the emulator's own computation, which shares no code with the gateway's signer. Hashes and
 * recovery are viem's; the packing is written here once more, over hexadecimal texts instead of bytes.
 */
import { type Hex, hashTypedData, keccak256, recoverAddress } from 'viem';
import type { Network } from '../../shared/world/world.ts';
import type { ActionOf, Envelope } from './actions.ts';

const hex = (value: bigint | number, bytes: number) =>
  BigInt.asUintN(bytes * 8, BigInt(value))
    .toString(16)
    .padStart(bytes * 2, '0');

function packed(value: unknown): string {
  if (value === null) return 'c0';
  if (typeof value === 'boolean') return value ? 'c3' : 'c2';
  if (typeof value === 'number') return packedInteger(BigInt(value));
  if (typeof value === 'string') {
    const utf8 = Buffer.from(value, 'utf8');
    return `${packedLength(utf8.length, 0xa0, 31, 'd9', 'da')}${utf8.toString('hex')}`;
  }
  if (Array.isArray(value)) {
    return packedLength(value.length, 0x90, 15, null, 'dc') + value.map(packed).join('');
  }
  const entries = Object.entries(value as object);
  const body = entries.map(([key, held]) => packed(key) + packed(held)).join('');
  return packedLength(entries.length, 0x80, 15, null, 'de') + body;
}

function packedLength(length: number, fix: number, most: number, one: string | null, two: string): string {
  if (length <= most) return hex(fix + length, 1);
  return one !== null && length < 256 ? one + hex(length, 1) : two + hex(length, 2);
}

function packedInteger(value: bigint): string {
  const bits = (value < 0n ? -value - 1n : value).toString(2).length;
  if (value >= 0n) {
    if (value < 128n) return hex(value, 1);
    const size = bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
    return `c${'cdef'[Math.log2(size)]}${hex(value, size)}`;
  }
  if (value >= -32n) return hex(value, 1);
  const size = bits < 8 ? 1 : bits < 16 ? 2 : bits < 32 ? 4 : 8;
  return `d${Math.log2(size)}${hex(value, size)}`;
}

/** Hash of an L1 action, which the signature names as its connection. */
export function connectionId({
  action,
  nonce,
  vaultAddress,
  expiresAfter,
}: Omit<Envelope, 'signature'>): Hex {
  const vault = vaultAddress === null ? '00' : `01${vaultAddress.slice(2)}`;
  const expiry = expiresAfter === null ? '' : `00${hex(expiresAfter, 8)}`;
  return keccak256(`0x${packed(action)}${hex(nonce, 8)}${vault}${expiry}`);
}

/** Address in lower case of whoever signed the L1 action for this network. */
export async function signerOfL1(network: Network, envelope: Envelope): Promise<string> {
  const hash = hashTypedData({
    domain: {
      ...{ name: 'Exchange', version: '1', chainId: 1337 },
      verifyingContract: '0x0000000000000000000000000000000000000000',
    },
    types: {
      Agent: [
        { name: 'source', type: 'string' },
        { name: 'connectionId', type: 'bytes32' },
      ],
    },
    primaryType: 'Agent',
    message: { source: network === 'mainnet' ? 'a' : 'b', connectionId: connectionId(envelope) },
  });
  return recover(hash, envelope);
}

export async function signerOfApproval(
  action: ActionOf<'approveAgent'>,
  envelope: Envelope,
): Promise<string> {
  const hash = hashTypedData({
    domain: {
      ...{ name: 'HyperliquidSignTransaction', version: '1', chainId: Number(action.signatureChainId) },
      verifyingContract: '0x0000000000000000000000000000000000000000',
    },
    types: {
      'HyperliquidTransaction:ApproveAgent': [
        { name: 'hyperliquidChain', type: 'string' },
        { name: 'agentAddress', type: 'address' },
        { name: 'agentName', type: 'string' },
        { name: 'nonce', type: 'uint64' },
      ],
    },
    primaryType: 'HyperliquidTransaction:ApproveAgent',
    message: {
      hyperliquidChain: action.hyperliquidChain,
      agentAddress: action.agentAddress as Hex,
      agentName: action.agentName ?? '',
      nonce: BigInt(action.nonce),
    },
  });
  return recover(hash, envelope);
}

async function recover(hash: Hex, { signature }: Envelope): Promise<string> {
  const word = (text: string): Hex => `0x${text.slice(2).padStart(64, '0')}`;
  const { r, s, v } = signature;
  return (await recoverAddress({ hash, signature: { r: word(r), s: word(s), v: BigInt(v) } })).toLowerCase();
}
