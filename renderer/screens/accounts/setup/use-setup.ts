/** What the dialogs of account set-up have in common: the account at the venue, and a user who has just signed in. */
import type { TandemClient } from '../../../../gateway/client/client.ts';
import { gateway } from '../../../api/client.ts';
import type { TradeAccount } from '../../../api/session.ts';

/** The account by its number at the venue; the key is the one that it is connected with. */
export const atVenue = ({ exchangeIdentifier }: TradeAccount) => ({
  accountIndex: Number(exchangeIdentifier),
});

/** Calls about this account, whichever the page shows. */
export const clientOf = ({ id }: TradeAccount): TandemClient => gateway.onAccount(id);
