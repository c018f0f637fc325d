/** The request that a caller makes, carried by its principal: services that change things have no command to carry it. */
import type { Principal } from '../../domain/model.ts';
import type { AskedRequest } from '../ports/approval-desk.ts';

type Caller = Principal & { readonly asked?: AskedRequest };

/** @param asked given only where the caller is bound by a mandate */
export function callerOf(principal: Principal, asked: AskedRequest): Principal {
  return carrying(principal, asked);
}

/** Field by field: a copy by spreading takes as long as the whole judgement. */
function carrying(principal: Principal, asked: AskedRequest): Caller {
  const { userId } = principal;
  switch (principal.kind) {
    case 'api_key': {
      const { kind, keyId, scope, tradeAccountIds } = principal;
      return { kind, userId, keyId, scope, tradeAccountIds, asked };
    }
    case 'oauth_grant': {
      const { kind, grantId, clientId, scopes } = principal;
      return { kind, userId, grantId, clientId, scopes, asked };
    }
    case 'session': {
      const { kind, sessionId } = principal;
      return { kind, userId, sessionId, asked };
    }
  }
}

/** null: the caller is bound by no mandate, or the gateway itself acts. */
export function askedOf(principal: Principal): AskedRequest | null {
  const caller: Caller = principal;
  return caller.asked ?? null;
}
