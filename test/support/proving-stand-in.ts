/** Stand-in for the gateway of a data folder: it holds the folder's lock and proves it when asked. */
import { createHmac } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import { CHALLENGE_HEADER, PROOF_HEADER, provenText } from '../../gateway/contract/shell-identity.ts';
import { acquireDataFolderLock } from '../../gateway/system/data-folder-lock.ts';
import { listenLocally } from './local-port.ts';
import { unwrap } from './unwrap.ts';

export interface ProvingServer {
  readonly server: Server;
  readonly url: string;
  close(): Promise<void>;
}

/** Serves on a port of its own. @param answer everything but questions for a proof */
export async function serveAs(dataDir: string, answer: RequestListener): Promise<ProvingServer> {
  const { token, publish, release } = unwrap(acquireDataFolderLock(dataDir));
  const server = createServer((request, response) => {
    const challenge = request.headers[CHALLENGE_HEADER];
    if (request.url !== '/health' || typeof challenge !== 'string') return answer(request, response);
    const proof = createHmac('sha256', token).update(provenText(challenge, port)).digest('hex');
    const body = '{"status":"ok"}';
    response.writeHead(200, { [PROOF_HEADER]: proof, 'content-length': String(body.length) }).end(body);
  });
  const port = await listenLocally(server);
  const url = `http://127.0.0.1:${port}`;
  publish(url);
  return {
    server,
    url,
    async close() {
      release();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}
