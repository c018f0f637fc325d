/** `/misc/exchange/*`: account set-up at the exchange venue. */
import type { Auth } from '../../auth/auth.ts';
import { type KeyWanted, nameOf, type SetupPlace } from '../../auth/exchange-setup.ts';
import { type BoundRoute, bind } from '../../call/call.ts';
import { BusinessError, invalid } from '../../call/errors.ts';
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
import type { AuditAction } from '../../domain/audit.ts';
import type { Principal, TradeAccount } from '../../domain/model.ts';
import type { Result } from '../../domain/result.ts';
import type { OpeningLimits } from '../../engine/core/account-limits.ts';
import type { Store } from '../../engine/ports/store.ts';
import type { SetupError } from '../../engine/ports/venue-setup.ts';
import { iso } from '../present/time.ts';
import { connectKept, keepKey } from './kept-key.ts';
import { originOf } from './origin.ts';
import { notSaved } from './refusals.ts';
import { refuseReading, venueRefusal } from './trade-accounts.ts';

export interface SetupRouteDeps {
  readonly auth: Pick<Auth, 'accounts' | 'audit' | 'approvals' | 'exchange'>;
  readonly store: Pick<Store, 'commit'>;
  readonly limits: Pick<OpeningLimits, 'of' | 'begin'>;
}

type Caller = Parameters<typeof originOf>[0] & {
  readonly principal: Principal;
  readonly account: TradeAccount | null;
};

const timeOf = (text: string | undefined): number | null => (text === undefined ? null : Date.parse(text));

export function exchangeSetupRoutes(deps: SetupRouteDeps): readonly BoundRoute[] {
  const { auth, store, limits } = deps;
  const { exchange, audit } = auth;

  async function placeOf({ account }: Pick<Caller, 'account'>): Promise<SetupPlace> {
    const place = await exchange.at(account);
    if (place !== null) return place;
    throw new BusinessError(
      'NOT_IMPLEMENTED_ERROR',
      account === null
        ? 'No connected venue supports account set-up through the gateway'
        : `Connector ${account.connector} supports no account set-up through the gateway`,
    );
  }

  async function keyOf(call: Caller, place: SetupPlace, wanted: KeyWanted) {
    return got(await exchange.keyFor(call.principal, place, wanted, call.account));
  }

  /** Key that signed a returned transaction, if one of the caller's accounts has it. */
  async function signerOf(call: Caller, place: SetupPlace, txInfo: string) {
    const signer = got(place.setup.readSigner(txInfo));
    return exchange.storedKey(call.principal, place, signer, call.account);
  }

  /** @param subject trade account, or the venue and its number of the account */
  async function note(call: Caller, action: AuditAction, subject: string): Promise<void> {
    const entry = audit.entry(call.principal.userId, action, subject, originOf(call));
    const noted = await store.commit({ audit: [entry] });
    if (!noted.ok) throw notSaved(noted.error);
  }

  const subjectOf = ({ venue }: SetupPlace, accountIndex: number, account: TradeAccount | null) =>
    account?.id ?? `${venue.info.id} ${accountIndex}`;

  return [
    bind(createExchangeApiKey, async (call) => {
      const { body } = call;
      const place = await placeOf(call);
      const made = got(await place.setup.createKey(nameOf(body), body.apiKeyIndex ?? null));
      const { accountIndex, apiKeyIndex, publicKey, privateKey, txInfo, nonce, expiresAt, messageToSign } =
        made;
      if (body.keep === true) await keepKey(auth.approvals, call.principal.userId, place.venue, made);
      await note(call, 'venue_key.created', subjectOf(place, accountIndex, null));
      return {
        body: {
          ...{ accountIndex, apiKeyIndex, publicKey, txInfo, nonce, messageToSign },
          ...(body.keep === true ? {} : { privateKey }),
          expiresAt: iso(expiresAt),
        },
      };
    }),

    bind(changeExchangePubKey, async (call) => {
      const { body } = call;
      const place = await placeOf(call);
      const key = got(place.setup.readKey(body.txInfo));
      const subject = subjectOf(place, key.accountIndex, null);
      const kept = await connectKept({ ...auth, limits }, call, place.venue, {
        ...body,
        identifier: `${key.accountIndex}`,
      });
      if (kept === null) got(await place.setup.registerKey(body));
      await note(call, 'venue_key.registered', kept?.id ?? subject);
      return { body: { ...key, ...(kept === null ? {} : { tradeAccountId: kept.id }) } };
    }),

    bind(prepareApproveIntegrator, async (call) => {
      const place = await placeOf(call);
      const { key } = await keyOf(call, place, call.body);
      const made = got(await place.setup.prepareIntegrator(key, timeOf(call.body.approvalExpiry)));
      const { txInfo, messageToSign, expiresAt } = made;
      return { body: { txInfo, messageToSign, expiresAt: iso(expiresAt) } };
    }),

    bind(submitApproveIntegrator, async (call) => {
      const place = await placeOf(call);
      const { accountIndex } = got(place.setup.readSigner(call.body.txInfo));
      const stored = await signerOf(call, place, call.body.txInfo);
      const done = await place.setup.submitIntegrator(call.body, stored?.key ?? null);
      const subject = subjectOf(place, accountIndex, stored?.account ?? null);
      if (mayHaveMoved(done)) await note(call, 'integrator.approved', subject);
      return { body: { txHash: got(done).txHash } };
    }),

    bind(createExchangeAuthToken, async (call) => {
      const place = await placeOf(call);
      const { key, account } = await keyOf(call, place, call.body);
      if (account !== null) refuseReading(limits, call.principal, account);
      const { token, expiresAt } = got(await place.setup.authToken(key, timeOf(call.body.deadline)));
      await note(call, 'venue_token.created', subjectOf(place, key.accountIndex, account));
      return { body: { token, expiresAt: iso(expiresAt) } };
    }),

    bind(prepareFastWithdraw, async (call) => {
      const { amount, toAddress = null } = call.body;
      const place = await placeOf(call);
      const { key } = await keyOf(call, place, call.body);
      const made = got(await place.setup.prepareWithdrawal(key, { amount, toAddress }));
      const { poolAccountIndex, fee, txInfo, messageToSign } = made;
      return {
        body: {
          ...{ poolAccountIndex, fee, txInfo, messageToSign },
          ...{ amount: made.amount, toAddress: made.toAddress },
        },
      };
    }),

    bind(submitFastWithdraw, async (call) => {
      const { txInfo, toAddress, amount = null, apiPrivateKey } = call.body;
      const place = await placeOf(call);
      const signer = got(place.setup.readSigner(txInfo));
      const stored =
        apiPrivateKey === undefined
          ? await signerOf(call, place, txInfo)
          : await keyOf(call, place, { ...signer, apiPrivateKey });
      const done = await place.setup.submitWithdrawal(call.body, { amount, toAddress }, stored?.key ?? null);
      const subject = subjectOf(place, signer.accountIndex, stored?.account ?? null);
      if (mayHaveMoved(done)) await note(call, 'withdrawal.submitted', subject);
      const { txHash, status } = got(done);
      return { body: { txHash, status } };
    }),

    bind(changeAccountTier, async (call) => {
      const place = await placeOf(call);
      const { key, account } = await keyOf(call, place, call.body);
      const done = await place.setup.changeTier(key, call.body.tier);
      const subject = subjectOf(place, key.accountIndex, account);
      if (mayHaveMoved(done)) await note(call, 'account_tier.changed', subject);
      const { tier, changedAt, nextChangeAt } = got(done);
      return { body: { tier, changedAt: iso(changedAt), nextChangeAt: iso(nextChangeAt) } };
    }),

    bind(listDepositAddresses, async (call) => {
      const { walletAddress, market = null, asset = null } = call.body;
      const { setup } = await placeOf(call);
      const addresses = got(await setup.depositAddresses(walletAddress, { market, asset }));
      return { body: { walletAddress, addresses: addresses.map((one) => ({ ...one })) } };
    }),

    bind(listDeposits, async (call) => {
      const { walletAddress } = call.params;
      const { setup } = await placeOf(call);
      const deposits = got(await setup.deposits(walletAddress)).map(({ createdAt, ...rest }) => ({
        ...rest,
        createdAt: iso(createdAt),
      }));
      return { body: { walletAddress, deposits } };
    }),
  ];
}

/** An answer that was lost is noted too. */
function mayHaveMoved(result: Result<unknown, SetupError>): boolean {
  return result.ok || result.error.kind === 'unknown';
}

function got<T>(result: Result<T, SetupError>): T {
  if (result.ok) return result.value;
  throw setupRefusal(result.error);
}

function setupRefusal(error: SetupError): BusinessError {
  switch (error.kind) {
    case 'invalid':
      return invalid(error.path, error.message);
    case 'noop':
      return new BusinessError('NOOP_ERROR', error.message);
    case 'busy':
      return new BusinessError('RESOURCE_BUSY', error.message, {
        reason: error.reason,
        retryAt: iso(error.retryAt),
      });
    case 'not_configured':
      return new BusinessError('CONFIGURATION_ERROR', error.message);
    default:
      return venueRefusal(error);
  }
}
