/** Writes answers: one `writeHead` with a flat list, one `end`. */
import type { ServerResponse } from 'node:http';
import type { RouteContract } from '../contract/route.ts';
import type { CompiledRoute } from './compiled-route.ts';
import type { Reply } from './handler.ts';
import type { ErrorAnswer } from './middleware/errors.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

type FlatHeaders = (string | string[])[];

/** JSON that only its caller may keep. */
const PRIVATE_JSON_HEADERS = [
  'content-type',
  'application/json; charset=utf-8',
  'cache-control',
  'no-store',
  ...SECURITY_HEADERS,
];

/** The base list with the reply's own headers; a reply may replace a header, not repeat it. */
function withOwn(base: readonly string[], own: Readonly<Record<string, string | readonly string[]>>) {
  const names = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  const headers: FlatHeaders = [];
  for (let index = 0; index < base.length; index += 2) {
    const name = base[index] ?? '';
    if (!names.has(name)) headers.push(name, base[index + 1] ?? '');
  }
  for (const [name, value] of Object.entries(own)) {
    headers.push(name, typeof value === 'string' ? value : [...value]);
  }
  return headers;
}

/** Nothing has no type: clients that believe one try to parse an empty body, and fail. */
function withoutType(headers: FlatHeaders): FlatHeaders {
  const left: FlatHeaders = [];
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? '';
    if (String(name).toLowerCase() !== 'content-type') left.push(name, headers[index + 1] ?? '');
  }
  return left;
}

function allowsNoContent(status: number): boolean {
  return status === 204 || status === 304;
}

function end(res: ServerResponse, content: string | Uint8Array, length: number): void {
  // Text of one byte a character goes out as latin1: the same bytes, and node need not encode them again.
  if (typeof content === 'string' && content.length === length) res.end(content, 'latin1');
  else res.end(content);
}

function send(
  res: ServerResponse,
  status: number,
  base: readonly string[],
  own: Readonly<Record<string, string | readonly string[]>>,
  content: string | Uint8Array | undefined,
): void {
  const headers = withOwn(base, own);
  if (content === undefined) {
    if (!allowsNoContent(status)) headers.push('content-length', '0');
    res.writeHead(status, withoutType(headers));
    res.end();
    return;
  }
  const length = typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength;
  headers.push('content-length', String(length));
  res.writeHead(status, headers);
  // For HEAD node sends the headers, this length among them, and leaves the content out.
  end(res, content, length);
}

/** The usual answer. The list is the route's own and is only read inside `writeHead`, so its last value may be reused. */
function sendPlainJson(res: ServerResponse, status: number, headers: string[], json: string): void {
  const length = Buffer.byteLength(json);
  headers[headers.length - 1] = String(length);
  res.writeHead(status, headers);
  end(res, json, length);
}

const NO_OWN: Readonly<Record<string, string>> = Object.freeze({});

/** Returns the status sent. */
export function sendReply(res: ServerResponse, route: CompiledRoute, reply: Reply<RouteContract>): number {
  const status = reply.status ?? route.defaultStatus;
  if (reply.raw !== undefined) {
    send(res, status, route.plainHeaders, reply.headers ?? NO_OWN, reply.raw);
    return status;
  }
  const json = reply.json ?? (reply.body === undefined ? undefined : JSON.stringify(reply.body));
  if (json === undefined) send(res, status, route.plainHeaders, reply.headers ?? NO_OWN, undefined);
  else if (reply.headers !== undefined) send(res, status, route.jsonHeaders, reply.headers, json);
  else sendPlainJson(res, status, route.hotHeaders, json);
  return status;
}

/** Private JSON outside the contract routes; `json` undefined: no body. */
export function sendContent(
  res: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string | readonly string[]>>,
  json: string | undefined,
): void {
  send(res, status, PRIVATE_JSON_HEADERS, headers, json);
}

export function sendError(res: ServerResponse, answer: ErrorAnswer): void {
  send(res, answer.status, PRIVATE_JSON_HEADERS, answer.headers, answer.json);
}
