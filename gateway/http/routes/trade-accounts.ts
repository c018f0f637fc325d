/** `/trade-accounts` and their credentials. */
import type { AccountError } from '../../auth/account-error.ts';
import type { Accounts } from '../../auth/accounts.ts';
import type { Auth } from '../../auth/auth.ts';
import { type BoundRoute, bind } from '../../call/call.ts';
import { BusinessError, FrameworkError, invalid } from '../../call/errors.ts';
import {
  changeTradeAccountRoute,
  createTradeAccountRoute,
  listTradeAccountsRoute,
  readCredentialsRoute,
  readTradeAccountRoute,
  removeCredentialsRoute,
  removeTradeAccountRoute,
  resetPaperRoute,
  storeCredentialsRoute,
  type TradeAccountBody,
  tradeAccount,
} from '../../contract/trade-accounts.ts';
import type { AuditAction } from '../../domain/audit.ts';
import type { Principal, TradeAccount } from '../../domain/model.ts';
import type { OpeningLimits } from '../../engine/core/account-limits.ts';
import type { VenueError } from '../../engine/ports/venue.ts';
import { wireForm } from '../present/wire-form.ts';
import { originOf } from './origin.ts';
import { notFound, notSaved } from './refusals.ts';

export function presentTradeAccount(
  accounts: Pick<Accounts, 'health' | 'moneyOf'>,
  account: TradeAccount,
): TradeAccountBody {
  const { status, checks } = accounts.health(account);
  const { network } = accounts.moneyOf(account);
  return wireForm(tradeAccount, account, { status, checks: [...checks], network });
}

export function tradeAccountRoutes(
  auth: Pick<Auth, 'accounts' | 'audit'>,
  limits: Pick<OpeningLimits, 'of' | 'begin'>,
): readonly BoundRoute[] {
  const { accounts, audit } = auth;
  const present = (account: TradeAccount) => presentTradeAccount(accounts, account);

  function reach(principal: Principal, id: string): TradeAccount {
    // RFC 9562: UUIDs are read in either case and kept in lower case.
    const account = accounts.find(principal, id.toLowerCase());
    if (account === undefined) throw notFound('Trade account');
    return account;
  }

  function noting(action: AuditAction, accountId: string, call: Parameters<typeof originOf>[0]) {
    return { audit: [audit.entry(call.principal.userId, action, accountId, originOf(call))] };
  }

  return [
    bind(listTradeAccountsRoute, ({ principal }) => ({
      body: { tradeAccounts: accounts.list(principal).map(present) },
    })),

    bind(createTradeAccountRoute, async (call) => {
      const { body, principal } = call;
      if (principal.kind === 'api_key' && principal.tradeAccountIds !== null) {
        throw new FrameworkError(403, 'API key is limited to its trade accounts');
      }
      const wanted = {
        userId: principal.userId,
        alias: body.alias,
        connector: body.connector,
        metadata: body.metadata ?? null,
        credentials: body.credentials ?? null,
      };
      const made = await accounts.create(wanted, (account) => ({
        ...(wanted.credentials === null ? {} : noting('credentials.stored', account.id, call)),
        ...limits.begin(account, body.programsReadCredentials),
      }));
      if (!made.ok) throw accountRefusal(made.error, 'credentials');
      return { body: present(made.value) };
    }),

    bind(readTradeAccountRoute, ({ principal, params }) => ({ body: present(reach(principal, params.id)) })),

    bind(changeTradeAccountRoute, async ({ principal, params, body }) => {
      const { id } = reach(principal, params.id);
      const changed = await accounts.change(id, {
        ...(body.alias === undefined ? {} : { alias: body.alias }),
        ...(body.metadata === undefined ? {} : { metadata: body.metadata }),
      });
      if (!changed.ok) throw accountRefusal(changed.error);
      return { body: present(changed.value) };
    }),

    bind(removeTradeAccountRoute, async (call) => {
      const { params } = call;
      const { id, mode, status } = reach(call.principal, params.id);
      const hadCredentials = mode === 'LIVE' && status !== 'NO_CREDENTIALS';
      const removed = await accounts.remove(
        id,
        hadCredentials ? noting('credentials.removed', id, call) : {},
      );
      if (!removed.ok) throw accountRefusal(removed.error);
      return {};
    }),

    bind(storeCredentialsRoute, async (call) => {
      const { params, body } = call;
      const { id } = reach(call.principal, params.id);
      const stored = await accounts.storeCredentials(id, body, noting('credentials.stored', id, call));
      if (!stored.ok) throw accountRefusal(stored.error);
      return { body: present(stored.value) };
    }),

    bind(readCredentialsRoute, async (call) => {
      const { params } = call;
      const account = reach(call.principal, params.id);
      const { id, connector, exchangeIdentifier } = account;
      refuseReading(limits, call.principal, account);
      const credentials = await accounts.readCredentials(id, noting('credentials.read', id, call));
      if (!credentials.ok) throw accountRefusal(credentials.error);
      return {
        headers: { 'cache-control': 'no-store' },
        body: { connector, exchangeIdentifier, credentials: credentials.value },
      };
    }),

    bind(removeCredentialsRoute, async (call) => {
      const { params } = call;
      const { id } = reach(call.principal, params.id);
      const removed = await accounts.removeCredentials(id, noting('credentials.removed', id, call));
      if (!removed.ok) throw accountRefusal(removed.error);
      return {};
    }),

    bind(resetPaperRoute, async ({ principal, params }) => {
      const reset = await accounts.resetPaper(reach(principal, params.id).id);
      if (!reset.ok) throw accountRefusal(reset.error);
      return { body: present(reset.value) };
    }),
  ];
}

/** Refuses a program where the account's owner has turned off that programs read its credentials. */
export function refuseReading(
  limits: Pick<OpeningLimits, 'of'>,
  principal: Principal,
  account: TradeAccount,
): void {
  if (principal.kind === 'session' || limits.of(account).programsReadCredentials !== false) return;
  throw new FrameworkError(
    403,
    "Programs may not read this account's credentials: its owner, signed in, can turn that on in the account's settings",
  );
}

/** @param prefix path of the credentials in the body */
export function accountRefusal(error: AccountError, prefix = ''): BusinessError {
  const path = (name: string) => [prefix, name].filter((part) => part !== '').join('.');
  switch (error.kind) {
    case 'not_found':
      return notFound('Trade account');
    case 'unknown_connector':
      return invalid('connector', 'Unknown connector');
    case 'no_credentials_wanted':
      return invalid(path(''), 'A paper account takes no credentials');
    case 'no_credentials':
      return notFound('Credentials');
    case 'vault_refused':
      return new BusinessError('CREDENTIALS_NOT_STORED', error.refusal);
    case 'busy':
      return new BusinessError('RESOURCE_BUSY', 'The account has open positions or working orders');
    case 'connected_already':
      return new BusinessError(
        'RESOURCE_BUSY',
        `This account at the venue is connected already, as '${error.alias}'`,
      );
    case 'credentials':
      return error.refusal.kind === 'refused'
        ? invalid(path(error.refusal.path), error.refusal.message)
        : venueRefusal(error.refusal);
    case 'venue':
      return venueRefusal(error.error);
    case 'store':
      return notSaved(error.error);
  }
}

export function venueRefusal(error: VenueError): BusinessError {
  switch (error.kind) {
    case 'rejected':
      return new BusinessError('VALIDATION_ERROR', error.message);
    case 'unsupported':
      return new BusinessError('NOT_IMPLEMENTED_ERROR', error.message);
    case 'throttled':
      return new BusinessError('RESOURCE_BUSY', 'The venue takes no more requests at the moment', {
        reason: 'VENUE_LIMIT',
        retryAt: error.retryAt,
      });
    case 'not_ready':
      return new BusinessError('CONFIGURATION_ERROR', `Not yet: ${error.message}`, {
        reason: 'NOT_READY',
        retry: true,
      });
    case 'auth':
      return new BusinessError('VALIDATION_ERROR', error.message);
    case 'unknown':
      return new BusinessError('CONFIGURATION_ERROR', 'The venue did not answer', { retry: true });
  }
}
