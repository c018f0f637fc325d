/** Stands for an agent that waits for its user: a tiny server whose address is the redirect URI. */
import { createServer } from 'node:http';
import { listenLocally } from './local-port.ts';

export interface CallbackServer {
  readonly redirectUri: string;
  /** `127.0.0.1:port`. */
  readonly host: string;
  /** Parameters of each visit so far. */
  readonly visits: readonly URLSearchParams[];
  close(): Promise<void>;
}

export async function startCallbackServer(): Promise<CallbackServer> {
  const visits: URLSearchParams[] = [];
  const server = createServer((req, res) => {
    const url = new URL(req.url ?? '/', 'http://agent');
    if (url.pathname === '/callback') visits.push(url.searchParams);
    res.writeHead(url.pathname === '/callback' ? 200 : 204, {
      'content-type': 'text/html; charset=utf-8',
      connection: 'close',
    });
    res.end(
      url.pathname === '/callback'
        ? '<!doctype html><title>agent</title><link rel="icon" href="data:,">'
        : '',
    );
  });
  const host = `127.0.0.1:${await listenLocally(server)}`;
  return {
    host,
    redirectUri: `http://${host}/callback`,
    visits,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
