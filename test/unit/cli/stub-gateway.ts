/** Stands in for a running gateway: records requests, answers what the test says. The contract checks what is sent. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

export type StubAnswer = readonly [status: number, body: unknown] | 'hang up';
export type StubRoutes = Readonly<Record<string, (request: SeenRequest) => StubAnswer>>;

export interface StubGateway {
  readonly url: string;
  readonly seen: SeenRequest[];
  close(): Promise<void>;
}

/** Routes by `METHOD /path`. Anything else is a 404 in the framework shape. */
export async function startStubGateway(routes: StubRoutes): Promise<StubGateway> {
  const seen: SeenRequest[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const target = new URL(incoming.url ?? '/', 'http://stub');
      const text = Buffer.concat(chunks).toString('utf8');
      const request: SeenRequest = {
        method: incoming.method ?? '',
        path: target.pathname,
        query: target.searchParams,
        headers: incoming.headers,
        body: text === '' ? null : JSON.parse(text),
      };
      seen.push(request);
      const answer = routes[`${request.method} ${request.path}`]?.(request);
      if (answer === 'hang up') incoming.socket.destroy();
      else send(response, answer ?? [404, { message: 'Not Found', error: 'Not Found', statusCode: 404 }]);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(response: ServerResponse, [status, body]: readonly [number, unknown]): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(body === null ? undefined : JSON.stringify(body));
}
