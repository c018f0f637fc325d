/** Account set-up at Lighter behind the port. */
import { ok } from '../../../../domain/result.ts';
import type { ExchangeSetup } from '../../../../engine/ports/venue-setup.ts';
import type { SetupParts } from '../setup-parts.ts';
import { parseTxInfo } from '../signing/signing.ts';
import { accountIndexOf } from './accounts.ts';
import { depositAddresses, deposits } from './deposits.ts';
import { prepareIntegrator, submitIntegrator } from './integrator.ts';
import type { Integrator } from './integrator-setting.ts';
import { createKey, readKey, registerKey } from './keys.ts';
import { invalid } from './refuse.ts';
import { changeTier } from './tier.ts';
import { createToken } from './tokens.ts';
import { createWithdrawals } from './withdrawals.ts';

/** @param integrator null: only the venue takes a fee */
export function createSetup(parts: SetupParts, integrator: Integrator | null): ExchangeSetup {
  const withdrawals = createWithdrawals(parts);
  return {
    accountIndexOf: (account) => accountIndexOf(parts, account),
    createKey: (account, apiKeyIndex) => createKey(parts, account, apiKeyIndex),
    readKey: (txInfo) => readKey(parts, txInfo),
    registerKey: (signed) => registerKey(parts, signed),
    prepareIntegrator: (key, expiresAt) => prepareIntegrator(parts, integrator, key, expiresAt),
    submitIntegrator: (signed, key) => submitIntegrator(parts, integrator, signed, key),
    authToken: (key, until) => createToken(parts, key, until),
    prepareWithdrawal: withdrawals.prepare,
    submitWithdrawal: withdrawals.submit,
    readSigner(txInfo) {
      try {
        const { accountIndex, apiKeyIndex } = parseTxInfo(txInfo).tx;
        return ok({ accountIndex, apiKeyIndex });
      } catch {
        return invalid('txInfo', 'This is not what was prepared');
      }
    },
    changeTier: (key, tier) => changeTier(parts, key, tier),
    depositAddresses: (walletAddress, wanted) => depositAddresses(parts, walletAddress, wanted),
    deposits: (walletAddress) => deposits(parts, walletAddress),
  };
}
