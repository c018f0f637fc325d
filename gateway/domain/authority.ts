/**
 * Authority that placed an object: the session, API key or grant that asked for it. A follow-up object (a trigger's
 * execution, a rung, a slice, a bracket, the child of a reversal) has the authority of the object it follows from.
 */
import type { Placed, Principal } from './model.ts';

export type { Placed } from './model.ts';

/** Authority that was not recorded: the user's. */
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

/** Authority of an object that follows from `before` (its slices, rungs, closes). */
export function inherited({ authorityKind, authorityId }: Placed): Placed {
  return { authorityKind, authorityId };
}

/** Grant of the agent that placed the object; null: the user placed it. */
export function grantOf({ authorityKind, authorityId }: Placed): string | null {
  return authorityKind === 'oauth_grant' ? authorityId : null;
}
