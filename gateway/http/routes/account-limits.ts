/** `/trade-accounts/{id}/arming`. */
import type { Auth } from '../../auth/auth.ts';
import { type BoundRoute, bind } from '../../call/call.ts';
import { BusinessError, invalid } from '../../call/errors.ts';
import {
  type ArmingBody,
  armAccount,
  arming,
  disarmAccount,
  readArming,
} from '../../contract/account-limits.ts';
import type { AccountLimits } from '../../domain/account-limits.ts';
import type { AuditAction } from '../../domain/audit.ts';
import type { Principal, TradeAccount } from '../../domain/model.ts';
import type { OpeningLimits } from '../../engine/core/account-limits.ts';
import { wireForm } from '../present/wire-form.ts';
import { unwrap } from '../unwrap.ts';
import { originOf } from './origin.ts';
import { notFound } from './refusals.ts';

export function accountLimitRoutes(
  auth: Pick<Auth, 'accounts' | 'audit'>,
  limits: Pick<OpeningLimits, 'of' | 'change' | 'disarm'>,
): readonly BoundRoute[] {
  function liveAccount(principal: Principal, id: string): TradeAccount {
    const account = auth.accounts.find(principal, id.toLowerCase());
    if (account === undefined) throw notFound('Trade account');
    if (account.mode === 'LIVE') return account;
    throw new BusinessError(
      'NOOP_ERROR',
      'A paper account is not armed: it trades no money and has no limits',
    );
  }

  function noting(action: AuditAction, accountId: string, call: Parameters<typeof originOf>[0]) {
    return { audit: [auth.audit.entry(call.principal.userId, action, accountId, originOf(call))] };
  }

  return [
    bind(readArming, ({ principal, params }) => ({
      body: presentLimits(limits.of(liveAccount(principal, params.id))),
    })),

    bind(armAccount, async (call) => {
      const { alias, ...change } = call.body;
      const account = liveAccount(call.principal, call.params.id);
      if (alias.trim() !== account.alias)
        throw invalid('alias', "Must be the account's alias, as it is shown");
      if (change.armed && account.status === 'NO_CREDENTIALS') {
        throw new BusinessError('NOOP_ERROR', 'The account has no credentials yet: connect it first');
      }
      const noted = noting(change.armed ? 'account.armed' : 'account.disarmed', account.id, call);
      return { body: presentLimits(unwrap(await limits.change(account, change, noted))) };
    }),

    bind(disarmAccount, async (call) => {
      const account = liveAccount(call.principal, call.params.id);
      const noted = noting('account.disarmed', account.id, call);
      return { body: presentLimits(unwrap(await limits.disarm(account, noted))) };
    }),
  ];
}

function presentLimits(limits: AccountLimits): ArmingBody {
  return wireForm(arming, limits, {});
}
