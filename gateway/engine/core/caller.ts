/** Request of a caller, carried by its principal, because services that change things get no command to carry it. */
import type { Principal } from '../../domain/model.ts';
import type { ShownHeld } from '../../domain/shown-held.ts';
import type { AskedRequest } from '../ports/approval-desk.ts';

type Caller = Principal & {
  readonly asked?: AskedRequest | undefined;
  readonly shown?: ShownHeld | undefined;
};

/** @param asked present only if a mandate binds the caller */
export function callerOf(principal: Principal, asked: AskedRequest): Principal {
  return carrying(principal, asked, shownTo(principal) ?? undefined);
}

/** The caller of a preview that is placed, with the quantities of the position that the preview showed. */
export function callerShown(principal: Principal, shown: ShownHeld): Principal {
  return carrying(principal, askedOf(principal) ?? undefined, shown);
}

/** Copies field by field: copying by spread takes as long as the whole risk check. */
function carrying(
  principal: Principal,
  asked: AskedRequest | undefined,
  shown: ShownHeld | undefined,
): Caller {
  const { userId } = principal;
  switch (principal.kind) {
    case 'api_key': {
      const { kind, keyId, scope, tradeAccountIds } = principal;
      return { kind, userId, keyId, scope, tradeAccountIds, asked, shown };
    }
    case 'oauth_grant': {
      const { kind, grantId, clientId, scopes } = principal;
      return { kind, userId, grantId, clientId, scopes, asked, shown };
    }
    case 'session': {
      const { kind, sessionId } = principal;
      return { kind, userId, sessionId, asked, shown };
    }
  }
}

/** Request of the caller; null: no mandate binds the caller, or the gateway itself acts. */
export function askedOf(principal: Principal): AskedRequest | null {
  const caller: Caller = principal;
  return caller.asked ?? null;
}

/** Quantities that a placed preview showed; null: the request is not a preview of a position. */
export function shownTo(principal: Principal): ShownHeld | null {
  const caller: Caller = principal;
  return caller.shown ?? null;
}
