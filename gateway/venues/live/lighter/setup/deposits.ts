/**
 * Ways to deposit money. The venue itself has one address per chain for a wallet, and its latest deposit; a bridge with
 * one address for whole families of chains needs a key of its own, which this gateway does not have.
 */
import { fail, ok } from '../../../../domain/result.ts';
import type { Deposit, SetupResult } from '../../../../engine/ports/venue-setup.ts';
import type { LighterError } from '../client.ts';
import type { SetupParts } from '../setup-parts.ts';
import { invalid } from './refuse.ts';
import { deposit, intent, msOf, networks } from './wire.ts';

const SOLANA = '101';
/** HTTP status for something that the venue does not have. */
const NO_ROUTE = 404;
const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/;

interface Address {
  readonly chainFamily: string;
  readonly address: string;
}

/** The test network's money comes from its faucet; it answers questions for deposits with failures. */
function without({ network }: SetupParts, error: LighterError) {
  const hasNoRoute = error.status === NO_ROUTE;
  const isNone =
    hasNoRoute || error.kind === 'rejected' || (error.kind === 'unknown' && network === 'testnet');
  if (!isNone) return fail(error);
  return fail({
    kind: 'unsupported' as const,
    message:
      network === 'testnet'
        ? "The venue's test network takes no deposits: its money comes from its faucet"
        : hasNoRoute
          ? 'The venue gives no deposit address: it has no such route, and a bridge with one has a key of its own'
          : `The venue gives no deposit address for this wallet: ${error.message}`,
  });
}

export async function depositAddresses(
  parts: SetupParts,
  walletAddress: string,
  { market, asset }: { readonly market: string | null; readonly asset: string | null },
): SetupResult<readonly Address[]> {
  if (asset !== null && asset.toUpperCase() !== 'USDC')
    return invalid('asset', 'The venue credits deposits of USDC only');
  if (market !== null && market.toLowerCase() !== 'perps')
    return invalid('market', 'The venue credits deposits for `perps` only');
  const listed = await parts.client.get({ lane: 'history', path: '/api/v1/deposit/networks' }, networks);
  if (!listed.ok) return without(parts, listed.error);
  const found: (Address & { readonly chain: string })[] = [];
  let refusal: LighterError | null = null;
  for (const { chain_id: chain, name } of listed.value.networks) {
    const form = { chain_id: chain, from_addr: walletAddress, amount: 0, is_external_deposit: true };
    const told = await parts.client.post(
      { lane: 'history', path: '/api/v1/createIntentAddress' },
      form,
      intent,
    );
    if (!told.ok && told.error.kind !== 'rejected') return without(parts, told.error);
    if (!told.ok) refusal = told.error;
    else {
      const address = told.value.intent_address;
      const chainFamily = chain === SOLANA || /solana/i.test(name) ? 'solana' : 'evm';
      // A transfer to an address of another kind of chain is lost.
      if ((chainFamily === 'evm') === EVM_ADDRESS.test(address)) found.push({ chain, chainFamily, address });
    }
  }
  if (found.length === 0)
    return without(parts, refusal ?? { kind: 'rejected', message: 'it names no network' });
  return ok(byFamily(found));
}

/** One address for a family whose chains all share it; else one for each chain. */
function byFamily(found: readonly (Address & { readonly chain: string })[]): readonly Address[] {
  return [...new Set(found.map(({ chainFamily }) => chainFamily))].flatMap((chainFamily) => {
    const own = found.filter((one) => one.chainFamily === chainFamily);
    const [first] = own;
    if (first !== undefined && own.every(({ address }) => address === first.address))
      return [{ chainFamily, address: first.address }];
    return own.map(({ chain, address }) => ({ chainFamily: `${chainFamily}:${chain}`, address }));
  });
}

export async function deposits(parts: SetupParts, walletAddress: string): SetupResult<readonly Deposit[]> {
  const query = { l1_address: walletAddress };
  const told = await parts.client.get({ lane: 'history', path: '/api/v1/deposit/latest', query }, deposit);
  if (!told.ok) return told.error.kind === 'rejected' ? ok([]) : without(parts, told.error);
  const one = told.value;
  const hashes = [one.fast_bridge_tx_hash, one.cctp_burn_tx_hash, one.batch_claim_tx_hash];
  return ok([
    {
      depositAddress: one.intent_address,
      fromChainId: one.source_chain_id,
      fromAmount: one.amount,
      txHash: hashes.find((hash) => hash !== '') ?? '',
      status: one.status,
      createdAt: msOf(one.created_at),
    },
  ]);
}
