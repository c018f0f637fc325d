/** `/misc/exchange/*`: account set-up at the exchange venue, which no connector offers. */
import {
  changeAccountTier,
  changeExchangePubKey,
  createExchangeApiKey,
  createExchangeAuthToken,
  listDepositAddresses,
  listDeposits,
  prepareApproveIntegrator,
  prepareFastWithdraw,
  submitApproveIntegrator,
  submitFastWithdraw,
} from '../../contract/exchange-setup.ts';
import { type BoundRoute, BusinessError, bind } from '../handler.ts';

export function exchangeSetupRoutes(): readonly BoundRoute[] {
  return [
    createExchangeApiKey,
    changeExchangePubKey,
    prepareApproveIntegrator,
    submitApproveIntegrator,
    createExchangeAuthToken,
    prepareFastWithdraw,
    submitFastWithdraw,
    changeAccountTier,
    listDepositAddresses,
    listDeposits,
  ].map((contract) =>
    bind(contract, () => {
      throw new BusinessError(
        'NOT_IMPLEMENTED_ERROR',
        'No connected venue supports account set-up through the gateway',
      );
    }),
  );
}
