/** Trade account of a call: named by a header, and required to be the caller's own. */
import type { IncomingHttpHeaders } from 'node:http';
import type { AccountDirectory } from '../../call/authenticator.ts';
import { BusinessError, FrameworkError } from '../../call/errors.ts';
import { AUTH_MESSAGES } from '../../contract/errors.ts';
import type { Principal, TradeAccount } from '../../domain/model.ts';
import type { Check } from '../request-state.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * @throws FrameworkError 400 when the header is missing or no UUID; BusinessError 404 when the account is not the
 * caller's, which cannot be told apart from one that does not exist.
 */
function accountOf(
  headers: IncomingHttpHeaders,
  principal: Principal,
  accounts: AccountDirectory,
): TradeAccount {
  const id = headers['x-trade-account-id'];
  if (typeof id !== 'string' || id === '') throw new FrameworkError(400, AUTH_MESSAGES.missingAccount);
  // Stored ids are lower-case UUIDs, so a found account needs no syntax check of the header.
  const account = accounts.find(principal, id);
  if (account !== undefined) return account;
  if (!UUID.test(id)) throw new FrameworkError(400, 'x-trade-account-id must be a UUID');
  const sameId = accounts.find(principal, id.toLowerCase());
  if (sameId === undefined) throw new BusinessError('RESOURCE_NOT_FOUND', 'Trade account not found');
  return sameId;
}

export function requireTradeAccount(accounts: AccountDirectory): Check {
  return (ctx, next) => {
    const { route, principal } = ctx.state;
    const { account, optionalAccount } = route.contract;
    const isNamed = optionalAccount === true && ctx.headers['x-trade-account-id'] !== undefined;
    if ((account === true || isNamed) && principal !== null)
      ctx.state.account = accountOf(ctx.headers, principal, accounts);
    return next();
  };
}
