/** The one place from which something leaves: a POST with an end, to an address that address.ts has passed. */

import type { LookupAddress } from 'node:dns';
import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { ANSWER_LIMIT_MS, MAX_RESPONSE_BYTES } from '../domain/delivery.ts';

export interface OutgoingRequest {
  readonly url: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}

export type PostOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** Beginning of the body. */
      readonly text: string;
      /** From `Retry-After`, ms. */
      readonly retryAfterMs: number | null;
    }
  | { readonly kind: 'failed'; readonly reason: string };

/** Names of this machine that no resolver is asked about: a name that leads elsewhere would carry news out in clear text. */
const LOOPBACK: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

const toLoopback: LookupFunction = (_name, _options, done) => done(null, LOOPBACK);

/** Never rejects. Redirects are not followed: a 3xx is an answer. @param signal ends it with the gateway */
export async function post(
  { url, headers, body }: OutgoingRequest,
  signal: AbortSignal,
  limitMs = ANSWER_LIMIT_MS,
): Promise<PostOutcome> {
  const { protocol, hostname } = new URL(url);
  const isSecure = protocol === 'https:';
  const isName = isIP(hostname.replace(/^\[|\]$/g, '')) === 0;
  // TLS takes a while to load, and only an address elsewhere needs it.
  const request = isSecure ? (await import('node:https')).request : httpRequest;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException) =>
      resolve({ kind: 'failed', reason: reasonOf(error, limit, signal) });
    try {
      const sent = request(url, {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        // A connection of its own: none is kept, so that no receiver holds sockets of the gateway.
        agent: false,
        signal: limit,
        ...(isSecure || !isName ? {} : { autoSelectFamily: true, lookup: toLoopback }),
      });
      sent.on('error', failed);
      sent.on('response', (answer) => void read(answer).then(resolve, failed));
      sent.end(body);
    } catch (error) {
      failed(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

async function read(answer: IncomingMessage): Promise<PostOutcome> {
  const kept: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    kept.push(chunk);
    size += chunk.length;
    // The rest is not read: a receiver that never ends its answer holds nothing up.
    if (size >= MAX_RESPONSE_BYTES) break;
  }
  answer.destroy();
  const text = Buffer.concat(kept).subarray(0, MAX_RESPONSE_BYTES).toString('utf8');
  return {
    kind: 'answered',
    status: answer.statusCode ?? 0,
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what is kept is shown to people
    text: text.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, ' '),
    retryAfterMs: secondsOf(answer.headers['retry-after']),
  };
}

function secondsOf(header: string | undefined): number | null {
  const seconds = Number(header);
  return header !== undefined && seconds > 0 ? Math.ceil(seconds * 1_000) : null;
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nobody listens at the address',
  ENOTFOUND: 'The name of the host is unknown',
  EAI_AGAIN: 'The name of the host could not be looked up',
  ECONNRESET: 'The connection broke before an answer',
  EPIPE: 'The connection broke before an answer',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'There is no network to the host',
};

/** In words of our own: an error's text may quote the address, which may hold a token. */
function reasonOf(error: NodeJS.ErrnoException, limit: AbortSignal, stopped: AbortSignal): string {
  if (stopped.aborted) return 'The gateway stopped';
  if (limit.aborted) return 'No answer in time';
  const { code = '' } = error;
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_/.test(code))
    return `The host's certificate is not valid (${code})`;
  return REASONS[code] ?? `The request failed${code === '' ? '' : ` (${code})`}`;
}
