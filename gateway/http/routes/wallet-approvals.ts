/** `/connectors/{id}/wallet-approvals`. */
import type { Auth } from '../../auth/auth.ts';
import type { ApprovalError } from '../../auth/wallet-approvals.ts';
import { type BoundRoute, bind } from '../../call/call.ts';
import { BusinessError, invalid } from '../../call/errors.ts';
import {
  cancelWalletApproval,
  completeWalletApproval,
  prepareWalletApproval,
} from '../../contract/wallet-approvals.ts';
import type { OpeningLimits } from '../../engine/core/account-limits.ts';
import type { Venues } from '../../engine/ports/venue.ts';
import { iso } from '../present/time.ts';
import { originOf } from './origin.ts';
import { notFound } from './refusals.ts';
import { accountRefusal, presentTradeAccount } from './trade-accounts.ts';

export function walletApprovalRoutes(
  auth: Pick<Auth, 'accounts' | 'audit' | 'approvals'>,
  venues: Pick<Venues, 'get'>,
  limits: Pick<OpeningLimits, 'begin'>,
): readonly BoundRoute[] {
  const { accounts, audit, approvals } = auth;
  return [
    bind(prepareWalletApproval, async ({ principal, params, body }) => {
      const made = await approvals.prepare(principal.userId, params.id, body);
      if (!made.ok) throw approvalRefusal(made.error);
      const { id, toSign, terms, expiresAt } = made.value;
      return { body: { id, ...toSign, terms: [...terms], expiresAt: iso(expiresAt) } };
    }),

    bind(completeWalletApproval, async (call) => {
      const { principal, params, body } = call;
      const { userId } = principal;
      const { tradeAccountId } = body;
      const replaced =
        tradeAccountId === undefined ? undefined : accounts.find(principal, tradeAccountId.toLowerCase());
      if (tradeAccountId !== undefined && replaced?.connector !== params.id) throw notFound('Trade account');
      const noting = (id: string) => ({
        audit: [audit.entry(userId, 'credentials.stored', id, originOf(call))],
      });
      const done = await approvals.complete(
        userId,
        params.id,
        params.approvalId.toLowerCase(),
        body.signature,
        async ({ connector, credentials, report }) => {
          const alias = body.alias ?? venues.get(connector)?.info.displayName ?? connector;
          const value =
            replaced === undefined
              ? await accounts.create(
                  { userId, alias, connector, metadata: null, credentials, checked: report },
                  (account) => ({
                    ...noting(account.id),
                    ...limits.begin(account, body.programsReadCredentials),
                  }),
                )
              : await accounts.storeCredentials(replaced.id, credentials, noting(replaced.id), report);
          return { isKept: value.ok, value };
        },
      );
      if (!done.ok) throw approvalRefusal(done.error);
      if (!done.value.ok) throw accountRefusal(done.value.error);
      const status = replaced === undefined ? (201 as const) : (200 as const);
      return { status, body: presentTradeAccount(accounts, done.value.value) };
    }),

    bind(cancelWalletApproval, async ({ principal, params }) => {
      const { id, approvalId } = params;
      if (!(await approvals.cancel(principal.userId, id, approvalId.toLowerCase())))
        throw notFound('Wallet approval');
      return {};
    }),
  ];
}

export function approvalRefusal(error: ApprovalError): BusinessError {
  switch (error.kind) {
    case 'unknown_connector':
      return notFound('Connector');
    case 'unsupported':
      return new BusinessError('NOT_IMPLEMENTED_ERROR', 'No wallet can make a key for this connector');
    case 'not_found':
      return notFound('Wallet approval');
    case 'expired':
      return invalid('signature', 'The approval has expired: prepare a new one');
    case 'vault_refused':
    case 'credentials':
      return accountRefusal(error, '');
  }
}
