/** Approval of an integrator, which may then take a fee with the account's orders. Only where a setting names one. */
import { fail, ok, type Result } from '../../../../domain/result.ts';
import type {
  SetupError,
  SetupKey,
  SetupResult,
  Signed,
  ToSign,
} from '../../../../engine/ports/venue-setup.ts';
import type { SetupParts } from '../setup-parts.ts';
import { type ApproveIntegratorTx, signTransaction } from '../signing/signing.ts';
import { accountOf, nonceOf, venueTime, withSigner } from './accounts.ts';
import type { Integrator } from './integrator-setting.ts';
import { invalid } from './refuse.ts';
import { SIGNED_WITHIN_MS, submit, verify } from './submit.ts';

const YEAR_MS = 365 * 86_400_000;

function missing(): Result<never, SetupError> {
  return fail({
    kind: 'not_configured',
    message: 'This gateway has no integrator: TANDEM_LIGHTER_INTEGRATOR names one',
  });
}

const termsOf = ({ accountIndex, perpsTaker, perpsMaker, spotTaker, spotMaker }: Integrator) => ({
  integratorAccountIndex: accountIndex,
  maxPerpsTakerFee: perpsTaker,
  maxPerpsMakerFee: perpsMaker,
  maxSpotTakerFee: spotTaker,
  maxSpotMakerFee: spotMaker,
});

export async function prepareIntegrator(
  parts: SetupParts,
  integrator: Integrator | null,
  key: SetupKey,
  endsAt: number | null,
): SetupResult<ToSign> {
  if (integrator === null) return missing();
  const now = venueTime(parts);
  if (endsAt !== null && endsAt <= now) return invalid('approvalExpiry', 'It has passed');
  return withSigner(parts, key, async (signer) => {
    const { accountIndex, apiKeyIndex } = signer;
    const account = await accountOf(parts, accountIndex, 'accountIndex');
    if (!account.ok) return account;
    const nonce = await nonceOf(parts, signer);
    if (!nonce.ok) return nonce;
    const expiresAt = now + SIGNED_WITHIN_MS;
    const signed = signTransaction(signer.key, parts.chainId, {
      ...{ kind: 'approveIntegrator', accountIndex, apiKeyIndex, nonce: nonce.value, expiredAt: expiresAt },
      ...termsOf(integrator),
      approvalExpiry: endsAt ?? now + YEAR_MS,
    });
    return ok({ txInfo: signed.txInfo, messageToSign: signed.messageToSign ?? '', expiresAt });
  });
}

export async function submitIntegrator(
  parts: SetupParts,
  integrator: Integrator | null,
  signed: Signed,
  key: SetupKey | null,
): SetupResult<{ readonly txHash: string }> {
  if (integrator === null) return missing();
  const verified = await verify(parts, 'approveIntegrator', signed);
  if (!verified.ok) return verified;
  if (!isOf(verified.value.tx, integrator))
    return invalid('txInfo', "It approves another integrator, or other fees, than this gateway's settings");
  const sent = await submit(parts, verified.value);
  forgetNonce(parts, key);
  if (!sent.ok) return sent;
  if (sent.value === 'executed') return ok({ txHash: verified.value.txHash });
  return fail({ kind: 'unknown', message: 'the venue has not executed the approval yet' });
}

function isOf(tx: ApproveIntegratorTx, integrator: Integrator): boolean {
  return Object.entries(termsOf(integrator)).every(
    ([name, value]) => tx[name as keyof ReturnType<typeof termsOf>] === value,
  );
}

/** The key's next transaction asks the venue for its nonce. */
export function forgetNonce(parts: SetupParts, key: SetupKey | null): void {
  const signer = key === null ? null : parts.signerFor(key.credentials);
  if (signer?.ok !== true) return;
  signer.value.nonces.doubt();
  signer.value.key.wipe();
}
