/** Keys that were made with `keep: true`: they wait in the vault and are connected when the owner's wallet has signed. */
import type { Auth } from '../../auth/auth.ts';
import { FrameworkError } from '../../call/errors.ts';
import type { Principal, TradeAccount } from '../../domain/model.ts';
import type { OpeningLimits } from '../../engine/core/account-limits.ts';
import type { Venue } from '../../engine/ports/venue.ts';
import type { NewKey } from '../../engine/ports/venue-setup.ts';
import { originOf } from './origin.ts';
import { accountRefusal } from './trade-accounts.ts';
import { approvalRefusal } from './wallet-approvals.ts';

/** No chain: the wallet signs a text. */
const NO_CHAIN = 0;

export async function keepKey(
  approvals: Auth['approvals'],
  userId: string,
  { info }: Venue,
  { owner, credentials, txInfo, messageToSign, expiresAt }: NewKey,
): Promise<void> {
  const approval = {
    ...{ credentials, expiresAt, carried: txInfo },
    ...{ toSign: { message: messageToSign }, terms: [] },
  };
  const kept = await approvals.keep(userId, info.id, { address: owner, chainId: NO_CHAIN }, approval);
  if (!kept.ok) throw approvalRefusal(kept.error);
}

/** Registers and connects the key of `txInfo`; null: none of the caller's waits here. */
export async function connectKept(
  {
    accounts,
    approvals,
    audit,
    limits,
  }: Pick<Auth, 'accounts' | 'approvals' | 'audit'> & {
    readonly limits: Pick<OpeningLimits, 'begin'>;
  },
  call: Parameters<typeof originOf>[0] & {
    readonly principal: Principal;
    readonly account: TradeAccount | null;
  },
  { info }: Venue,
  signed: {
    readonly txInfo: string;
    readonly signature: string;
    readonly alias?: string | undefined;
    readonly programsReadCredentials?: boolean | undefined;
    /** The venue's name of the account. */
    readonly identifier: string;
  },
): Promise<TradeAccount | null> {
  const { principal, account } = call;
  const { userId } = principal;
  const id = await approvals.carrying(userId, info.id, signed.txInfo);
  if (id === null) return null;
  const isTaken = account !== null && !['', signed.identifier].includes(account.exchangeIdentifier);
  const into = isTaken ? null : account;
  if (into === null && principal.kind === 'api_key' && principal.tradeAccountIds !== null)
    throw new FrameworkError(403, 'API key is limited to its trade accounts');
  const noting = (subject: string) => ({
    audit: [audit.entry(userId, 'credentials.stored', subject, originOf(call))],
  });
  const done = await approvals.complete(userId, info.id, id, signed.signature, async (key) => {
    const { connector, credentials, report } = key;
    const alias = signed.alias ?? info.displayName;
    const value =
      into === null
        ? await accounts.create(
            { userId, alias, connector, metadata: null, credentials, checked: report },
            (made) => ({
              ...noting(made.id),
              ...limits.begin(made, signed.programsReadCredentials),
            }),
          )
        : await accounts.storeCredentials(into.id, credentials, noting(into.id), report);
    return { isKept: value.ok, value };
  });
  if (!done.ok) throw approvalRefusal(done.error);
  if (!done.value.ok) throw accountRefusal(done.value.error);
  return done.value.value;
}
