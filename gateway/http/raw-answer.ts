/**
 * A complete refusal as text, for sockets without a response object: refused upgrades, requests that cannot be
 * parsed.
 */
import { STATUS_CODES } from 'node:http';
import { frameworkBody } from './middleware/errors.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

/** @param headers further header lines, beside the usual ones */
export function rawAnswer(status: number, message: string, headers: readonly string[] = []): string {
  const body = frameworkBody(status, message);
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'connection: close',
    ...headers,
    ...Object.entries(SECURITY_HEADERS).map(([name, value]) => `${name}: ${value}`),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
