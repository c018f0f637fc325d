/**
 * Sends one request to the gateway, not by `fetch`, which sets the Host header itself: a page's request names another
 * host than `url` does.
 */
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

export interface ForwardedRequest {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  readonly signal: AbortSignal;
}

export interface GatewayAnswer {
  readonly status: number;
  /** Lower-case name, value; a name may come several times. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: ReadableStream<Uint8Array>;
}

/** Rejects when no answer came. */
export type Forward = (url: string, request: ForwardedRequest) => Promise<GatewayAnswer>;

export function createForward(): Forward {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  return (url, { method, path, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(url);
      const req = httpRequest(
        {
          agent,
          host: hostname,
          port,
          method,
          path,
          headers: body === null ? headers : { ...headers, 'content-length': String(body.byteLength) },
          signal,
        },
        (res) =>
          resolve({
            status: res.statusCode ?? 502,
            headers: pairs(res),
            body: Readable.toWeb(res) as ReadableStream<Uint8Array>,
          }),
      );
      req.on('error', reject);
      req.end(body ?? undefined);
    });
}

function pairs({ rawHeaders }: IncomingMessage): readonly (readonly [string, string])[] {
  const found: [string, string][] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    found.push([(rawHeaders[at] ?? '').toLowerCase(), rawHeaders[at + 1] ?? '']);
  return found;
}
