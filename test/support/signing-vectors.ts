/** Recorded signatures of Hyperliquid's actions (test/data/live/hyperliquid). */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Hex, Signature } from '../../gateway/venues/live/hyperliquid/signing/keys.ts';
import type { Action, Network } from '../../gateway/venues/live/hyperliquid/signing/l1-action.ts';

export interface L1Vector {
  readonly name: string;
  readonly privateKey: Hex;
  readonly signer: Hex;
  readonly action: Action;
  readonly nonce: number;
  readonly vaultAddress: Hex | null;
  readonly expiresAfter: number | null;
  readonly msgpackHex: string;
  readonly connectionId: Hex;
  readonly signature: Readonly<Record<Network, Signature>>;
}

export interface ApprovalVector {
  readonly name: string;
  readonly privateKey: Hex;
  readonly signer: Hex;
  readonly domain: { readonly chainId: number };
  readonly types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>;
  readonly action: {
    readonly signatureChainId: Hex;
    readonly hyperliquidChain: 'Mainnet' | 'Testnet';
    readonly agentAddress: Hex;
    readonly agentName: string;
    readonly nonce: number;
  };
  readonly signature: Signature;
}

export interface SigningVectors {
  readonly productionHash: { readonly action: Action; readonly nonce: number; readonly connectionId: Hex };
  readonly hashes: {
    readonly action: Action;
    readonly nonce: number;
    readonly vaultAddress: Hex;
    readonly expiresAfter: number;
    readonly base: Hex;
    readonly withVault: Hex;
    readonly withExpires: Hex;
    readonly withBoth: Hex;
  };
  readonly l1: readonly L1Vector[];
  readonly userSigned: readonly ApprovalVector[];
}

export function signingVectors(): SigningVectors {
  const file = resolve(import.meta.dirname, '../data/live/hyperliquid/signing-vectors.json');
  return JSON.parse(readFileSync(file, 'utf8'));
}
