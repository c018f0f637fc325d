/** Clients that send or read too slowly. Sockets know real time only. */
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import net from 'node:net';
import { expect } from 'chai';
import { createConnectionPlaces } from '../../gateway/http/connection-places.ts';
import { createServer } from '../../gateway/http/server.ts';
import { systemClock } from '../../gateway/system/clock.ts';
import { listenLocally } from '../support/local-port.ts';
import { silentLogger } from '../support/silent-logger.ts';

describe('Slow clients', () => {
  const open: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
  });

  for (const [where, bytes] of [
    ['its headers', 'POST / HTTP/1.1\r\nHost: x\r\nX-Slow:'],
    ['its body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n'],
  ] as const) {
    it(`answers 408 to a client that sends ${where} a byte at a time, and cuts it`, async () => {
      const server = createServer({
        clock: systemClock,
        logger: silentLogger,
        receive: { headersMs: 60, requestMs: 120, checkEveryMs: 20 },
      });
      open.push({ close: () => server.close(0) });
      const { port } = await server.listenLoopback({ port: 0 });
      server.serve((req, res) => req.resume().on('end', () => res.end('whole')));
      const answer = await new Promise<string>((resolve) => {
        const chunks: Buffer[] = [];
        const socket = net.connect(port, '127.0.0.1', () => socket.write(bytes));
        const dribble = setInterval(() => socket.write('a'), 10);
        socket.on('data', (chunk: Buffer) => chunks.push(chunk));
        socket.on('error', () => {});
        socket.on('close', () => {
          clearInterval(dribble);
          resolve(Buffer.concat(chunks).toString());
        });
      });
      expect(answer)
        .to.match(/^HTTP\/1\.1 408 /)
        .and.contain('"statusCode":408');
    });
  }

  it('cuts who does not read, and not who reads', async () => {
    const content = Buffer.alloc(32 * 2 ** 20);
    const places = createConnectionPlaces({ stallLimitMs: 1_000, stallLookMs: 100 });
    const server = createHttpServer((_req, res) => res.end(content));
    server.on('connection', (socket) => places.enter(socket));
    const port = await listenLocally(server);
    open.push({
      close() {
        places.close();
        server.closeAllConnections();
        server.close();
      },
    });
    const ask = async (how: string): Promise<net.Socket> => {
      const socket = net.connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      open.push({ close: () => socket.destroy() });
      await once(socket, 'connect');
      socket.write(`GET / HTTP/1.1\r\nHost: x\r\n${how}\r\n`);
      return socket;
    };
    const asked: Promise<[IncomingMessage]> = once(server, 'request') as never;
    const deaf = await ask('');
    deaf.pause();
    const [request] = await asked;
    await once(request.socket, 'close');
    const reader = await ask('Connection: close\r\n');
    let received = 0;
    reader.on('data', (chunk: Buffer) => {
      received += chunk.length;
    });
    await once(reader, 'close');
    expect(received).to.be.greaterThan(content.length);
  });
});
