/** Composition of approvals: their authors, and the events that end them. */
import type { Auth } from '../auth/auth.ts';
import type { Mandates } from '../auth/mandates.ts';
import type { MandateHolder } from '../domain/mandate.ts';
import type { Principal } from '../domain/model.ts';
import { agentName } from '../domain/oauth.ts';
import { Approvals } from '../engine/approvals/approval-desk.ts';
import type { KnownHolder } from '../engine/approvals/new-approval.ts';
import type { OpeningLimits } from '../engine/core/account-limits.ts';
import type { LiveState } from '../engine/core/live-state.ts';
import type { MandateBook } from '../engine/ports/mandate-book.ts';
import type { Grants } from '../oauth/grants.ts';
import type { Core } from './core.ts';

interface Parts {
  readonly grants: Grants;
  readonly auth: Pick<Auth, 'apiKeys' | 'accounts'>;
  readonly limits: Pick<OpeningLimits, 'mayOpen' | 'onChanged'>;
}

/** @param parts a function, because the approval queue is made before the parts that it asks */
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
    isArmed: (account, placed) => parts().limits.mayOpen(account, placed).ok,
  });
}

/**
 * Withdraws pending approvals when the grant or key that asked ends or is suspended, or when the account is disarmed.
 * Authentication reports the removal of an account.
 */
export function withdrawWithWhatItNeeds(
  approvals: Approvals,
  { grants, auth, limits, mandates }: Parts & { readonly mandates: Pick<Mandates, 'onSuspended'> },
): void {
  grants.onEnded(({ id }) => approvals.holderStopped({ kind: 'oauth_grant', id }));
  auth.apiKeys.onRevoked(({ id }) => approvals.holderStopped({ kind: 'api_key', id }));
  mandates.onSuspended((holder) => approvals.holderStopped(holder));
  limits.onChanged(({ id }) => approvals.accountChanged(id));
}

/** The caller that the holder would be if it called now; null: its grant or key has ended. */
export function principalOf(
  { grants, auth }: Pick<Parts, 'grants' | 'auth'>,
  { kind, id }: MandateHolder,
): Principal | null {
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
