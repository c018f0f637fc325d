/** Composition of approvals: who asks, and what ends with a grant or a key. */
import type { Auth } from '../auth/auth.ts';
import type { MandateHolder } from '../domain/mandate.ts';
import type { Principal } from '../domain/model.ts';
import { agentName } from '../domain/oauth.ts';
import { Approvals } from '../engine/approvals/approval-desk.ts';
import type { KnownHolder } from '../engine/approvals/new-approval.ts';
import type { LiveState } from '../engine/core/live-state.ts';
import type { MandateBook } from '../engine/ports/mandate-book.ts';
import type { Grants } from '../oauth/grants.ts';
import type { Core } from './core.ts';

interface Parts {
  readonly grants: Grants;
  readonly auth: Pick<Auth, 'apiKeys' | 'accounts'>;
}

/** @param parts a function, because the desk is made before those who can ask it anything */
export function createApprovals(
  core: Core,
  trading: { readonly state: LiveState; readonly book: MandateBook },
  parts: () => Parts,
): Approvals {
  return new Approvals({
    ...core,
    ...trading,
    accountOf: (id) => parts().auth.accounts.get(id),
    holderOf: (holder) => knownHolder(parts(), holder),
  });
}

/** What a holder asked for is withdrawn when its grant or key ends. */
export function withdrawWithHolder(approvals: Approvals, { grants, auth }: Parts): void {
  grants.onEnded(({ id }) => approvals.holderEnded({ kind: 'oauth_grant', id }));
  auth.apiKeys.onRevoked(({ id }) => approvals.holderEnded({ kind: 'api_key', id }));
}

/** The caller that the holder would be if it called now; null: its grant or key has ended. */
export function principalOf({ grants, auth }: Parts, { kind, id }: MandateHolder): Principal | null {
  if (kind === 'api_key') return auth.apiKeys.principal(id);
  const grant = grants.get(id);
  if (grant === undefined || grants.status(id) !== 'active') return null;
  const { userId, clientId, scopes } = grant;
  return { kind, userId, grantId: id, clientId, scopes };
}

function knownHolder(parts: Parts, holder: MandateHolder): KnownHolder | undefined {
  const { grants, auth } = parts;
  const isAlive = principalOf(parts, holder) !== null;
  if (holder.kind === 'api_key') {
    const name = auth.apiKeys.labelOf(holder.id);
    return name === undefined ? undefined : { name, client: holder.id, isAlive };
  }
  const grant = grants.get(holder.id);
  return grant === undefined ? undefined : { name: agentName(grant), client: grant.clientId, isAlive };
}
