/**
 * Fast withdrawals: a transfer of USDC to the venue's pool, whose memo names the address that is paid at once. The
 * key's signature does not cover the memo, so the owner's signature alone protects the payee.
 */
import { type DecimalString, dec, text } from '../../../../domain/decimal.ts';
import { fail, ok, type Result } from '../../../../domain/result.ts';
import type {
  SetupError,
  SetupKey,
  SetupResult,
  Signed,
  ToSign,
  Withdrawal,
} from '../../../../engine/ports/venue-setup.ts';
import type { Ask } from '../client.ts';
import { refusalOf } from '../refusals.ts';
import type { SetupParts } from '../setup-parts.ts';
import type { Signer } from '../signer.ts';
import { addressOfMemo, memoOfAddress, signTransaction, type TransferTx } from '../signing/signing.ts';
import { accountOf, nonceOf, venueTime, withSigner } from './accounts.ts';
import { invalid } from './refuse.ts';
import { judged, SIGNED_WITHIN_MS, settled, type Verified, verify } from './submit.ts';
import { done, pool, transferFee } from './wire.ts';

const USDC = 3;
const MILLION = 1_000_000;
const MOST = 2n ** 60n - 1n;
/** Largest number of prepared withdrawals that can be submitted without the key; more push out the oldest. */
const MOST_PREPARED = 100;

/** Data that submits a prepared withdrawal: the key itself is gone by then. */
interface Pass {
  readonly token: string;
  /** The key's next transaction asks the venue for its nonce. */
  readonly forgetNonce: () => void;
  readonly until: number;
}

export interface Withdrawals {
  prepare(
    key: SetupKey,
    wanted: { readonly amount: DecimalString; readonly toAddress: string | null },
  ): SetupResult<Withdrawal & ToSign>;
  submit(
    signed: Signed,
    wanted: { readonly amount: DecimalString | null; readonly toAddress: string },
    key: SetupKey | null,
  ): SetupResult<{ readonly txHash: string; readonly status: 'executed' | 'pending' }>;
}

export function createWithdrawals(parts: SetupParts): Withdrawals {
  const { client } = parts;
  /** By the hash of the prepared transaction. */
  const prepared = new Map<string, Pass>();

  function passOf(signer: Signer, until: number): Pass {
    return { token: signer.token(), forgetNonce: () => signer.nonces.doubt(), until };
  }

  function remember(txHash: string, pass: Pass): void {
    const now = venueTime(parts);
    for (const [hash, { until }] of prepared) if (until < now) prepared.delete(hash);
    const [oldest] = prepared.keys();
    if (prepared.size >= MOST_PREPARED && oldest !== undefined) prepared.delete(oldest);
    prepared.set(txHash, pass);
  }

  async function passFor(key: SetupKey | null, txHash: string): SetupResult<Pass> {
    if (key !== null) return withSigner(parts, key, async (signer) => ok(passOf(signer, 0)));
    const known = prepared.get(txHash);
    if (known !== undefined) return ok(known);
    return invalid('apiPrivateKey', 'No connected account has this key: give it, or connect the account');
  }

  const poolAsk = (accountIndex: number): Omit<Ask, 'auth'> => ({
    lane: 'history',
    path: '/api/v1/fastwithdraw/info',
    query: { account_index: accountIndex },
  });

  return {
    prepare: (key, { amount, toAddress }) =>
      withSigner(parts, key, async (signer) => {
        const { accountIndex, apiKeyIndex } = signer;
        const units = unitsOf(amount);
        if (units === null) return invalid('amount', 'USDC has six decimals');
        const account = await accountOf(parts, accountIndex, 'accountIndex');
        if (!account.ok) return account;
        const paid = toAddress ?? account.value.l1_address;
        if (/^0x0*$/.test(paid)) return invalid('toAddress', 'Nobody has this address');
        const limits = await signer.get(poolAsk(accountIndex), pool);
        if (!limits.ok) return limits;
        const { to_account_index: poolAccountIndex } = limits.value;
        const most = [limits.value.max_withdrawal_amount, limits.value.withdraw_limit].toSorted((a, b) =>
          dec(a).cmp(dec(b)),
        )[0];
        if (most !== undefined && dec(amount).gt(dec(most)))
          return invalid('amount', `The venue pays out ${most} USDC at most at the moment`);
        const query = { account_index: accountIndex, to_account_index: poolAccountIndex };
        const fee = await signer.get(
          { lane: 'history', path: '/api/v1/transferFeeInfo', query },
          transferFee,
        );
        if (!fee.ok) return fee;
        const nonce = await nonceOf(parts, signer);
        if (!nonce.ok) return nonce;
        const expiresAt = venueTime(parts) + SIGNED_WITHIN_MS;
        const signed = signTransaction(signer.key, parts.chainId, {
          ...{ kind: 'transfer', accountIndex, apiKeyIndex, nonce: nonce.value, expiredAt: expiresAt },
          ...{ toAccountIndex: poolAccountIndex, assetIndex: USDC, fromRoute: 'perps', toRoute: 'perps' },
          ...{ amount: units, usdcFee: BigInt(fee.value.transfer_fee_usdc), memo: memoOfAddress(paid) },
        });
        remember(signed.txHash, passOf(signer, expiresAt));
        return ok({
          ...{ poolAccountIndex, toAddress: paid, amount: text(dec(amount)) },
          fee: text(dec(fee.value.transfer_fee_usdc).div(MILLION)),
          ...{ txInfo: signed.txInfo, messageToSign: signed.messageToSign ?? '', expiresAt },
        });
      }),

    async submit(signed, wanted, key) {
      const verified = await verify(parts, 'transfer', signed);
      if (!verified.ok) return verified;
      const { tx, txHash } = verified.value;
      const differs = difference(tx, wanted);
      if (differs !== null) return differs;
      const pass = await passFor(key, txHash);
      if (!pass.ok) return pass;
      const { token } = pass.value;
      const limits = await client.get({ ...poolAsk(tx.accountIndex), auth: token }, pool);
      if (!limits.ok) return limits;
      if (limits.value.to_account_index !== tx.toAccountIndex)
        return invalid('txInfo', "It pays another account than the venue's pool of fast withdrawals");
      const handed = await handIn(verified.value, wanted.toAddress, token);
      pass.value.forgetNonce();
      if (!handed.ok) return handed;
      prepared.delete(txHash);
      const end = await settled(parts, txHash, handed.value);
      return end.ok ? ok({ txHash, status: end.value }) : end;
    },
  };

  /** true: the venue has taken it; false: the outcome is unknown. */
  async function handIn(
    { txInfo }: Verified<'transfer'>,
    toAddress: string,
    token: string,
  ): SetupResult<boolean> {
    const form = { tx_info: txInfo, to_address: toAddress };
    const told = await client.post({ lane: 'open', path: '/api/v1/fastwithdraw', auth: token }, form, done);
    if (told.ok) return ok(true);
    const { error } = told;
    if (error.kind === 'unknown') return ok(false);
    if (error.code === undefined || error.kind === 'throttled') return fail(error);
    return judged(refusalOf(error.code, error.message), parts.clock.now());
  }
}

/** Smallest units; null: more decimals than USDC has, or more units than the venue counts. */
function unitsOf(amount: DecimalString): bigint | null {
  const units = dec(amount).mul(MILLION);
  if (!units.isInteger()) return null;
  const whole = BigInt(units.toFixed(0));
  return whole > 0n && whole <= MOST ? whole : null;
}

/** Difference between the signed and the wanted withdrawal, as an error; null: there is none. */
function difference(
  tx: TransferTx,
  wanted: { readonly amount: DecimalString | null; readonly toAddress: string },
): Result<never, SetupError> | null {
  const paid = addressOfMemo(tx.memo);
  if (paid === null || tx.assetIndex !== USDC || tx.fromRoute !== 'perps' || tx.toRoute !== 'perps')
    return invalid('txInfo', 'This is no fast withdrawal');
  if (paid !== wanted.toAddress.toLowerCase())
    return invalid('toAddress', 'The signed message pays another address');
  if (wanted.amount !== null && unitsOf(wanted.amount) !== tx.amount)
    return invalid('amount', 'The signed message pays another amount');
  return null;
}
