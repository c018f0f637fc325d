/** Stand-in for the gateway of a data folder: it holds the folder's lock and proves it when asked. */
import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { CHALLENGE_HEADER, PROOF_HEADER, provenText } from '../../gateway/contract/shell-identity.ts';
import { acquireDataFolderLock } from '../../gateway/system/data-folder-lock.ts';
import { unwrap } from './unwrap.ts';

export interface ProvingStandIn {
  /** True: it was the question for a proof, and it is answered. */
  answers(request: IncomingMessage, response: ServerResponse): boolean;
  release(): void;
}

export function standInFor(dataDir: string, port: number): ProvingStandIn {
  const { token, publish, release } = unwrap(acquireDataFolderLock(dataDir));
  publish(`http://127.0.0.1:${port}`);
  return {
    answers(request, response) {
      const challenge = request.headers[CHALLENGE_HEADER];
      if (request.url !== '/health' || typeof challenge !== 'string') return false;
      const proof = createHmac('sha256', token).update(provenText(challenge, port)).digest('hex');
      const body = '{"status":"ok"}';
      response.writeHead(200, { [PROOF_HEADER]: proof, 'content-length': String(body.length) }).end(body);
      return true;
    },
    release,
  };
}
