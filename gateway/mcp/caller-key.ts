/** Name of a grant or key, for what is kept of it. */
import type { Principal } from '../domain/model.ts';

export function callerKey(principal: Principal): string {
  if (principal.kind === 'oauth_grant') return `grant:${principal.grantId}`;
  return principal.kind === 'api_key' ? `key:${principal.keyId}` : `session:${principal.sessionId}`;
}
