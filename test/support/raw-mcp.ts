/** One HTTP request as a test wants it, Host and all, with what an MCP client sends by default. */
import { type IncomingHttpHeaders, request } from 'node:http';
import type { Json } from './json.ts';

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: Json;
}

export function rawHttp(
  port: number,
  asked: {
    readonly method?: string;
    readonly path?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  },
): Promise<RawAnswer> {
  const { method = 'POST', path = '/mcp', headers = {} } = asked;
  const body =
    asked.body === undefined || typeof asked.body === 'string'
      ? (asked.body ?? '')
      : JSON.stringify(asked.body);
  return new Promise((resolve, reject) => {
    const req = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        agent: false,
        headers: {
          accept: 'application/json, text/event-stream',
          ...(body === ''
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
          ...headers,
        },
      },
      (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('error', reject);
        res.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const isJson = (res.headers['content-type'] ?? '').includes('json') && text !== '';
          resolve({
            status: res.statusCode ?? 0,
            headers: res.headers,
            text,
            json: isJson ? JSON.parse(text) : null,
          });
        });
      },
    );
    req.on('error', reject);
    req.end(method === 'GET' ? '' : body);
  });
}
