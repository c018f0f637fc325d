import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { hashTypedData, recoverAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import {
  type AgentApproval,
  agentName,
  approvalAction,
  approvalDigest,
  approvalTypedData,
} from '../../../../../gateway/venues/live/hyperliquid/signing/agent-approval.ts';
import {
  addressOf,
  type Hex,
  recoverSigner,
  type Signature,
  signDigest,
  toHex,
} from '../../../../../gateway/venues/live/hyperliquid/signing/keys.ts';
import {
  type Action,
  actionHash,
  exchangeBody,
  type Network,
  signL1Action,
} from '../../../../../gateway/venues/live/hyperliquid/signing/l1-action.ts';
import { pack } from '../../../../../gateway/venues/live/hyperliquid/signing/msgpack.ts';
import { forAllAsync, propertyRuns } from '../../../../support/property-runs.ts';

/** Recorded signatures of Hyperliquid's actions (test/data/live/hyperliquid). */
interface L1Vector {
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

interface ApprovalVector {
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

interface SigningVectors {
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

function signingVectors(): SigningVectors {
  const file = resolve(import.meta.dirname, '../../../../data/live/hyperliquid/signing-vectors.json');
  return JSON.parse(readFileSync(file, 'utf8'));
}

const NETWORKS: readonly Network[] = ['mainnet', 'testnet'];
const { productionHash, hashes, l1, userSigned } = signingVectors();

describe('Hyperliquid: signatures of L1 actions', () => {
  for (const vector of l1) {
    it(`packs and hashes as recorded: ${vector.name}`, () => {
      const { action, nonce, vaultAddress, expiresAfter } = vector;
      expect(toHex(pack(action))).to.equal(`0x${vector.msgpackHex}`);
      expect(toHex(actionHash(action, nonce, vaultAddress, expiresAfter))).to.equal(vector.connectionId);
    });
    for (const network of NETWORKS) {
      it(`signs as recorded on ${network}: ${vector.name}`, () => {
        expect(signL1Action({ ...vector, network })).to.deep.equal(vector.signature[network]);
      });
    }
    it(`names the signer: ${vector.name}`, () => {
      expect(addressOf(vector.privateKey)).to.equal(vector.signer.toLowerCase());
    });
  }

  it('hashes an order of the real venue as recorded', () => {
    const { action, nonce, connectionId } = productionHash;
    expect(toHex(actionHash(action, nonce, null, null))).to.equal(connectionId);
  });

  it('hashes with and without vault and expiry as recorded', () => {
    const { action, nonce, vaultAddress, expiresAfter } = hashes;
    expect(toHex(actionHash(action, nonce, null, null))).to.equal(hashes.base);
    expect(toHex(actionHash(action, nonce, vaultAddress, null))).to.equal(hashes.withVault);
    expect(toHex(actionHash(action, nonce, null, expiresAfter))).to.equal(hashes.withExpires);
    expect(toHex(actionHash(action, nonce, vaultAddress, expiresAfter))).to.equal(hashes.withBoth);
  });

  it('refuses what an action cannot hold', () => {
    for (const value of [1.5, Number.NaN, 2 ** 53, -(2 ** 53), undefined]) {
      expect(() => pack({ x: value } as never), String(value)).to.throw(TypeError);
    }
    expect(() => actionHash({ type: 'noop' }, -1, null, null)).to.throw(TypeError);
    expect(() => actionHash({ type: 'noop' }, 1, '0x12', null)).to.throw(TypeError);
  });

  it('packs integers of each width, negative ones too', () => {
    const packed: readonly (readonly [number, string])[] = [
      [0, '00'],
      [127, '7f'],
      [128, 'cc80'],
      [256, 'cd0100'],
      [65536, 'ce00010000'],
      [2 ** 32, 'cf0000000100000000'],
      [-1, 'ff'],
      [-32, 'e0'],
      [-33, 'd0df'],
      [-129, 'd1ff7f'],
      [-32769, 'd2ffff7fff'],
      [-(2 ** 31) - 1, 'd3ffffffff7fffffff'],
    ];
    for (const [value, hex] of packed) expect(toHex(pack(value)), String(value)).to.equal(`0x${hex}`);
  });

  it('packs long texts, lists and maps with their longer heads', () => {
    const head = (value: Parameters<typeof pack>[0]) => toHex(pack(value).subarray(0, 3));
    expect(head('x'.repeat(31))).to.equal('0xbf7878');
    expect(head('x'.repeat(32))).to.equal('0xd92078');
    expect(head('x'.repeat(256))).to.equal('0xda0100');
    expect(head(new Array(16).fill(1))).to.equal('0xdc0010');
    expect(head(Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`k${i}`, i])))).to.equal('0xde0010');
    expect(toHex(pack('é'))).to.equal('0xa2c3a9');
  });

  it('leaves out of the body what is not there', () => {
    const action = { type: 'noop' };
    const signature = { r: '0x1', s: '0x2', v: 27 } as const;
    const bare = exchangeBody({ action, nonce: 1, vaultAddress: null, expiresAfter: null }, signature);
    expect(bare).to.deep.equal({ action, nonce: 1, signature });
    const full = exchangeBody({ action, nonce: 1, vaultAddress: '0xab', expiresAfter: 2 }, signature);
    expect(full).to.deep.equal({ action, nonce: 1, signature, vaultAddress: '0xab', expiresAfter: 2 });
  });
});

describe('Hyperliquid: approvals of agents', () => {
  const approvals = userSigned.map((vector) => {
    const { agentAddress, agentName: name, nonce, hyperliquidChain } = vector.action;
    const network: Network = hyperliquidChain === 'Mainnet' ? 'mainnet' : 'testnet';
    const approval: AgentApproval = {
      ...{ network, agentAddress, nonce, agentName: name },
      chainId: vector.domain.chainId,
    };
    return { vector, approval };
  });

  for (const { vector, approval } of approvals) {
    it(`digest, signature and signer as recorded: ${vector.name}`, () => {
      const digest = approvalDigest(approval);
      expect(signDigest(digest, vector.privateKey)).to.deep.equal(vector.signature);
      expect(recoverSigner(digest, vector.signature)).to.equal(vector.signer.toLowerCase());
      expect(approvalAction(approval)).to.deep.equal(vector.action);
    });

    it(`the typed data are the recorded ones, and viem hashes and signs them alike: ${vector.name}`, async () => {
      const typed = approvalTypedData(approval);
      const { EIP712Domain: _, ...types } = typed.types;
      expect(types).to.deep.equal(vector.types);
      expect(typed.domain).to.deep.equal(vector.domain);
      const data = {
        ...typed,
        domain: { ...typed.domain, chainId: BigInt(approval.chainId) },
        message: { ...typed.message, nonce: BigInt(approval.nonce) },
      } as const;
      expect(hashTypedData(data)).to.equal(toHex(approvalDigest(approval)));
      const signature = await privateKeyToAccount(vector.privateKey).signTypedData(data);
      expect(recoverSigner(approvalDigest(approval), signature)).to.equal(vector.signer.toLowerCase());
    });
  }

  it('an agent without a name is signed as an empty name and posted without one', () => {
    const [first] = approvals;
    if (first === undefined) throw new Error('no vector');
    const nameless = { ...first.approval, agentName: '' };
    expect(approvalAction(nameless)).to.not.have.property('agentName');
    expect(approvalTypedData(nameless).message.agentName).to.equal('');
  });

  it('an agent ends when its name says, after 180 days at most', () => {
    expect(agentName('tandem', 1_000, 0)).to.equal('tandem valid_until 1000');
    expect(agentName('tandem', 1e15, 5)).to.equal(`tandem valid_until ${180 * 86_400_000 + 5}`);
  });

  it('recovers the same signer as viem, from v 27/28 and 0/1', async () => {
    const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
    await forAllAsync([bytes, bytes], propertyRuns(20), async (key, digest) => {
      fc.pre(key.some((byte) => byte !== 0) && key[0] !== 255);
      const { r, s, v } = signDigest(digest, key);
      const [wide, narrow] = [v, v - 27].map((end) => toHex(Uint8Array.of(end)).slice(2));
      const signer = addressOf(key);
      expect(recoverSigner(digest, `${r}${s.slice(2)}${wide}` as `0x${string}`)).to.equal(signer);
      expect(recoverSigner(digest, `${r}${s.slice(2)}${narrow}` as `0x${string}`)).to.equal(signer);
      const theirs = await recoverAddress({ hash: toHex(digest), signature: { r, s, v: BigInt(v) } });
      expect(theirs.toLowerCase()).to.equal(signer);
    });
  });

  it('answers null for what is no signature', () => {
    const digest = new Uint8Array(32).fill(1);
    const zero = `0x${'00'.repeat(65)}` as const;
    for (const text of ['0x', '0x1234', zero, `0x${'ff'.repeat(65)}`, `0x${'zz'.repeat(65)}`] as const) {
      expect(recoverSigner(digest, text), text).to.equal(null);
    }
    expect(recoverSigner(digest, `0x${'11'.repeat(64)}1d`)).to.equal(null);
  });
});
