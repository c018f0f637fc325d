/**
 * `approveAgent`: the one action that the account's own wallet signs. Its typed data name the chain that the wallet is
 * on, and so does the action, because wallets refuse to sign for another chain.
 */
import type { Hex } from './keys.ts';
import type { Network } from './l1-action.ts';
import {
  addressWord,
  digestOf,
  domainSeparator,
  integerWord,
  NOBODY,
  textWord,
  typeHash,
} from './typed-data.ts';

export interface AgentApproval {
  readonly network: Network;
  readonly agentAddress: Hex;
  /** Agents of one name replace each other; '' is the account's one agent without a name. */
  readonly agentName: string;
  /** Epoch ms. */
  readonly nonce: number;
  /** The chain that the wallet is on. */
  readonly chainId: number;
}

const DOMAIN = 'HyperliquidSignTransaction';
const TYPE = 'HyperliquidTransaction:ApproveAgent';
const FIELDS = [
  { name: 'hyperliquidChain', type: 'string' },
  { name: 'agentAddress', type: 'address' },
  { name: 'agentName', type: 'string' },
  { name: 'nonce', type: 'uint64' },
] as const;
const TYPE_HASH = typeHash(`${TYPE}(${FIELDS.map(({ type, name }) => `${type} ${name}`).join(',')})`);
const CHAIN_NAME: Readonly<Record<Network, string>> = { mainnet: 'Mainnet', testnet: 'Testnet' };

/** Longest lifetime of an agent that the venue grants. */
const LONGEST_MS = 180 * 86_400_000;

/** Name of an agent that ends at `validUntil` (epoch ms), which the venue reads out of the name. */
export function agentName(name: string, validUntil: number, now: number): string {
  return `${name} valid_until ${Math.min(validUntil, now + LONGEST_MS)}`;
}

/** Second parameter of a browser wallet's `eth_signTypedData_v4`. */
export function approvalTypedData(approval: AgentApproval) {
  return {
    domain: { name: DOMAIN, version: '1', chainId: approval.chainId, verifyingContract: NOBODY },
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
      ],
      [TYPE]: FIELDS,
    },
    primaryType: TYPE,
    message: {
      hyperliquidChain: CHAIN_NAME[approval.network],
      agentAddress: approval.agentAddress,
      agentName: approval.agentName,
      nonce: approval.nonce,
    },
  } as const;
}

/** Digest for the wallet's signature: 32 bytes. */
export function approvalDigest(approval: AgentApproval): Uint8Array {
  return digestOf(domainSeparator(DOMAIN, approval.chainId), TYPE_HASH, [
    textWord(CHAIN_NAME[approval.network]),
    addressWord(approval.agentAddress),
    textWord(approval.agentName),
    integerWord(approval.nonce),
  ]);
}

/** The action to post. An agent without a name has no `agentName` there, although the signed data has one. */
export function approvalAction(approval: AgentApproval) {
  return {
    type: 'approveAgent',
    hyperliquidChain: CHAIN_NAME[approval.network],
    signatureChainId: `0x${approval.chainId.toString(16)}`,
    agentAddress: approval.agentAddress,
    ...(approval.agentName === '' ? {} : { agentName: approval.agentName }),
    nonce: approval.nonce,
  } as const;
}
