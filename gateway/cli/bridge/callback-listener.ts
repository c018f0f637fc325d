/** Waits on a port of this machine for the browser to bring the user's decision back. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CallbackListener {
  readonly redirectUri: string;
  close(): void;
}

const PATH = '/callback';
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  connection: 'close',
};

/**
 * @param take gets the parameters of a visit and says what the page tells the user; null: the visit is not the answer
 */
export async function listenForCallback(
  take: (parameters: URLSearchParams) => Promise<string | null>,
): Promise<CallbackListener> {
  let host = '';
  const server: Server = createServer(async (req, res) => {
    const url = URL.canParse(req.url ?? '', 'http://a') ? new URL(req.url ?? '', 'http://a') : null;
    // By its own address only: a page of another name that leads here brings nothing.
    const isOurs = req.method === 'GET' && url?.pathname === PATH && req.headers.host === host;
    const said = isOurs && url !== null ? await take(url.searchParams) : null;
    res.writeHead(said === null ? 404 : 200, HEADERS);
    res.end(page(said ?? 'There is nothing here.'));
  });
  server.requestTimeout = 10_000;
  server.maxConnections = 16;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  // Whoever waits for a decision has other things to do.
  server.unref();
  return {
    redirectUri: `http://${host}${PATH}`,
    close() {
      server.close();
      // The page that was just answered is let through.
      server.closeIdleConnections();
    },
  };
}

function page(text: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Tandem</title><h1>Tandem</h1><p>${text}</p></html>\n`;
}
