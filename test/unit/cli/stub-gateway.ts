/** Stands in for a running gateway: records requests, answers what the test says. The contract checks what is sent. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ProvingStandIn, standInFor } from '../../support/proving-stand-in.ts';

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
  /** For the command line: its address, and the data folder whose gateway it is. */
  readonly env: Readonly<Record<string, string>>;
  readonly seen: SeenRequest[];
  close(): Promise<void>;
}

/** Routes by `METHOD /path`. Anything else is a 404 in the framework shape. @param folder a data folder to be the gateway of */
export async function startStubGateway(routes: StubRoutes, folder?: string): Promise<StubGateway> {
  const seen: SeenRequest[] = [];
  const dataDir = folder ?? (await mkdtemp(join(tmpdir(), 'tandem-stub-')));
  let proving: ProvingStandIn | null = null;
  const server = createServer((incoming, response) => {
    if (proving?.answers(incoming, response)) return;
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
  proving = standInFor(dataDir, port);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    env: { TANDEM_URL: url, TANDEM_DATA_DIR: dataDir },
    seen,
    async close() {
      proving?.release();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      if (folder === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function send(response: ServerResponse, [status, body]: readonly [number, unknown]): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(body === null ? undefined : JSON.stringify(body));
}
