/** Checks of a WebSocket upgrade before the handshake. */
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Guard } from '../call/guard.ts';
import type { FrameworkErrorBody } from '../contract/errors.ts';

export interface Refusal {
  readonly status: number;
  readonly message: string;
}

/**
 * URLs end up in logs, histories and referrers, so a credential there is refused even if it is valid: parameters with a
 * credential's usual name, and values that look like the gateway's own credentials under any name.
 */
const CREDENTIAL_NAME =
  /^(access_?token|refresh_?token|id_?token|token|jwt|bearer|auth|authorization|x-api-key|api_?key|apikey|key|secret|ticket|ws_?ticket|session|password|code)$/i;
const CREDENTIAL_VALUE = /^(bearer\s|tdm_|eyJ[\w-]+\.)/i;

function target(request: IncomingMessage): URL | null {
  const path = request.url ?? '';
  // Accepts only a path. The host is taken from the Host header, which the guard checks, never from the request line.
  return path.startsWith('/') && URL.canParse(`http://gateway${path}`)
    ? new URL(`http://gateway${path}`)
    : null;
}

/** Refusal of an upgrade request; null: the handshake may go on. */
export function checkUpgrade(request: IncomingMessage, guard: Pick<Guard, 'checkUpgrade'>): Refusal | null {
  const refused = guard.checkUpgrade(request);
  if (refused !== null) return { status: refused.status, message: refused.message };
  const url = target(request);
  if (url === null || url.pathname !== '/ws') return { status: 404, message: 'Not Found' };
  for (const [name, value] of url.searchParams) {
    if (CREDENTIAL_NAME.test(name) || CREDENTIAL_VALUE.test(value)) {
      return {
        status: 400,
        message: 'Credentials are not accepted in the URL: send {"op":"auth"} after connecting',
      };
    }
  }
  return null;
}

/**
 * True: a page of the gateway's own origin opened the connection. Only then may the session cookie authenticate the
 * user, because a browser attaches the cookie for every page. `null` and absent origins never count as the same.
 */
export function isSameOrigin(request: IncomingMessage): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined || host === undefined || !URL.canParse(origin)) return false;
  const url = new URL(origin);
  const scheme = 'encrypted' in request.socket && request.socket.encrypted === true ? 'https:' : 'http:';
  return url.protocol === scheme && origin === `${url.protocol}//${host}`;
}

/** Answers the upgrade in the framework error shape and ends the connection. */
export function refuseUpgrade(socket: Duplex, { status, message }: Refusal): void {
  const reason = STATUS_CODES[status] ?? 'Error';
  const body: FrameworkErrorBody = { message, error: reason, statusCode: status };
  const text = JSON.stringify(body);
  socket.end(
    [
      `HTTP/1.1 ${status} ${reason}`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(text)}`,
      'Cache-Control: no-store',
      'Referrer-Policy: no-referrer',
      'X-Content-Type-Options: nosniff',
      '',
      text,
    ].join('\r\n'),
  );
}
