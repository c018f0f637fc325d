import { createServer } from 'node:net';
import { tandemVersionAt } from '../tandem-at-port.ts';
import { type Finding, findingsOf, messageOf } from './finding.ts';

const { bad, fine } = findingsOf('port');

/** Fine when the port is free on both loopbacks, or held by a Tandem. */
export async function checkPort(port: number): Promise<Finding> {
  if (port === 0) return fine('any free one is taken at start');
  const held: string[] = [];
  for (const host of ['127.0.0.1', '::1']) {
    const code = await tryListen(host, port);
    if (code === null || code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT') continue;
    if (code === 'EACCES')
      return bad(
        `${port} needs more rights than you have`,
        'choose one above 1023: tandem start --port 7391',
      );
    held.push(host);
  }
  if (held.length === 0) return fine(`${port} is free`);
  const version = await tandemVersionAt(port);
  if (version !== null) return fine(`${port} is held by the running Tandem ${version}`);
  return bad(
    `${port} is taken by another program on ${held.join(' and ')}`,
    `see which: ss -ltnp 'sport = :${port}' (macOS: lsof -i :${port}), or choose another: tandem start --port ${port + 1}`,
  );
}

/** null when it could listen, else the error's code. */
function tryListen(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve('code' in error ? String(error.code) : messageOf(error)));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}
