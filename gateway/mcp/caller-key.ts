/** Key under which data of a grant or API key is kept. */
import type { Principal } from '../domain/model.ts';

export function callerKey(principal: Principal): string {
  if (principal.kind === 'oauth_grant') return `grant:${principal.grantId}`;
  return principal.kind === 'api_key' ? `key:${principal.keyId}` : `session:${principal.sessionId}`;
}
