/** How long a grant lives: its window moves with each refresh, up to the end of its life where there is one. */
import type { OAuthGrant } from '../domain/oauth.ts';

export interface GrantLife {
  /** From the consent on, whatever is refreshed; null: as long as it is refreshed. */
  readonly grantLifeSeconds: number | null;
}

/** Epoch ms. */
export function windowEnd(
  grant: Pick<OAuthGrant, 'connectedAt'>,
  now: number,
  windowSeconds: number,
  { grantLifeSeconds }: GrantLife,
): number {
  const slid = now + windowSeconds * 1_000;
  return grantLifeSeconds === null ? slid : Math.min(slid, grant.connectedAt + grantLifeSeconds * 1_000);
}

/** The grant as the setting of now has it: one that was made or refreshed before may have been given longer. */
export function withinLife(grant: OAuthGrant, { grantLifeSeconds }: GrantLife): OAuthGrant {
  if (grantLifeSeconds === null || grant.status !== 'ACTIVE') return grant;
  return { ...grant, expiresAt: Math.min(grant.expiresAt, grant.connectedAt + grantLifeSeconds * 1_000) };
}
