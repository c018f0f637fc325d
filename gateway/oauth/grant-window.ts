/** Lifetime of a grant. Each refresh extends it by the refresh window, up to a fixed end if one is configured. */
import type { OAuthGrant } from '../domain/oauth.ts';

export interface GrantLife {
  /** Maximum lifetime of a grant from the consent on; null: a grant lives as long as it is refreshed. */
  readonly grantLifeSeconds: number | null;
}

/** End of a grant's window, epoch ms. */
export function windowEnd(
  grant: Pick<OAuthGrant, 'connectedAt'>,
  now: number,
  windowSeconds: number,
  { grantLifeSeconds }: GrantLife,
): number {
  const slid = now + windowSeconds * 1_000;
  return grantLifeSeconds === null ? slid : Math.min(slid, grant.connectedAt + grantLifeSeconds * 1_000);
}

/** The grant, cut to the configured lifetime: an earlier setting may have given it a longer one. */
export function withinLife(grant: OAuthGrant, { grantLifeSeconds }: GrantLife): OAuthGrant {
  if (grantLifeSeconds === null || grant.status !== 'ACTIVE') return grant;
  return { ...grant, expiresAt: Math.min(grant.expiresAt, grant.connectedAt + grantLifeSeconds * 1_000) };
}
