/** Ports of loopback. */
import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

/**
 * Below those that systems give to connections and to servers without a port of their own: a server that is down for a moment
 * finds its port free, which a client that asks for it in between may else have been given for its own end.
 */
const FIRST = 20_000;
const COUNT = 12_000;
let taken = randomInt(COUNT);

/** Resolves with the port once the server listens. */
export async function listenLocally(server: Pick<Server, 'once' | 'off' | 'listen'>): Promise<number> {
  for (;;) {
    taken = (taken + 1) % COUNT;
    const port = FIRST + taken;
    if (await listensAt(server, port)) return port;
  }
}

function listensAt(server: Pick<Server, 'once' | 'off' | 'listen'>, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    };
    server.once('error', fail);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', fail);
      resolve(true);
    });
  });
}

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listenLocally(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
