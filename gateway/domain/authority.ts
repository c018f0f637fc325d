/**
 * Who placed something: the session, API key or grant that asked for it, and for what follows from it (a trigger's execution,
 * a rung, a slice, a bracket, the child of a reversal) the one that asked for its beginning.
 */
import type { Placed, Principal } from './model.ts';

export type { Placed } from './model.ts';

/** Not written down: by the user. */
export const UNRECORDED: Placed = { authorityKind: null, authorityId: null };

export function placedBy(principal: Principal): Placed {
  switch (principal.kind) {
    case 'session':
      return { authorityKind: 'session', authorityId: principal.sessionId };
    case 'api_key':
      return { authorityKind: 'api_key', authorityId: principal.keyId };
    case 'oauth_grant':
      return { authorityKind: 'oauth_grant', authorityId: principal.grantId };
  }
}

/** Of what follows from `before`. */
export function inherited({ authorityKind, authorityId }: Placed): Placed {
  return { authorityKind, authorityId };
}

/**
 * Of something that is changed so that it may do more than before: the user takes it over, an agent never takes over what
 * somebody else placed.
 */
export function changedBy(before: Placed, principal: Principal): Placed {
  return principal.kind === 'oauth_grant' ? inherited(before) : placedBy(principal);
}

/** The grant of an agent that placed it; null: the user did. */
export function grantOf({ authorityKind, authorityId }: Placed): string | null {
  return authorityKind === 'oauth_grant' ? authorityId : null;
}
