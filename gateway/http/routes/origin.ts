/** Authentication method, program and address of the caller, for the audit log. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Origin } from '../../auth/audit.ts';
import type { Principal } from '../../domain/model.ts';

export function originOf(call: {
  readonly principal: Principal;
  readonly headers: IncomingHttpHeaders;
  readonly ip: string;
}): Origin {
  const { principal, ip } = call;
  switch (principal.kind) {
    case 'api_key':
      return { method: 'api_key', client: principal.keyId, ip };
    case 'oauth_grant':
      return { method: 'oauth_grant', client: principal.clientId, ip };
    case 'session':
      return { method: 'session', client: call.headers['user-agent'] ?? null, ip };
  }
}
