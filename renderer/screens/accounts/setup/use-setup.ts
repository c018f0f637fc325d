/** Shared parts of the dialogs of account set-up: the account's number at the venue, and calls about the account. */
import type { TandemClient } from '../../../../gateway/client/client.ts';
import { gateway } from '../../../api/client.ts';
import type { TradeAccount } from '../../../api/session.ts';

/** Identifies the account by its number at the venue. The gateway uses the account's stored key. */
export const atVenue = ({ exchangeIdentifier }: TradeAccount) => ({
  accountIndex: Number(exchangeIdentifier),
});

/** Client for calls about this account, whichever account the page shows. */
export const clientOf = ({ id }: TradeAccount): TandemClient => gateway.onAccount(id);
