import { FrameworkError } from '../../call/errors.ts';
import { AUTH_MESSAGES } from '../../contract/errors.ts';
import type { Principal } from '../../domain/model.ts';

/** The session behind a call to a session-only route; other callers were refused before the handler. */
export function sessionOf(principal: Principal): Extract<Principal, { kind: 'session' }> {
  if (principal.kind === 'session') return principal;
  throw new FrameworkError(403, AUTH_MESSAGES.methodNotPermitted(principal.kind));
}
