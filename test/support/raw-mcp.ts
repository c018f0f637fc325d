/** One HTTP request as a test wants it, Host and all, with what an MCP client sends by default. */
import { request } from 'node:http';
import { type RawAnswer, readAnswer } from './raw-answer.ts';

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
      (res) => readAnswer(res).then(resolve, reject),
    );
    req.on('error', reject);
    req.end(method === 'GET' ? '' : body);
  });
}
