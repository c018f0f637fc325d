/** Stands in for a running gateway: records requests, answers what the test says. The contract checks what is sent. */
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveAs } from '../../support/proving-stand-in.ts';

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
  const { url, close } = await serveAs(dataDir, (incoming, response) => {
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
  return {
    url,
    env: { TANDEM_URL: url, TANDEM_DATA_DIR: dataDir },
    seen,
    async close() {
      await close();
      if (folder === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function send(response: ServerResponse, [status, body]: readonly [number, unknown]): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(body === null ? undefined : JSON.stringify(body));
}
