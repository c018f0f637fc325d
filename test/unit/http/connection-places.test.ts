import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import net from 'node:net';
import { expect } from 'chai';
import { trustSocket } from '../../../gateway/call/trusted-sockets.ts';
import {
  createConnectionPlaces,
  type PlacesOptions,
  placesWithin,
} from '../../../gateway/http/connection-places.ts';
import { listenLocally } from '../../support/local-port.ts';

describe('Places for connections', () => {
  const open: { close(): void }[] = [];
  afterEach(() => {
    for (const one of open.splice(0)) one.close();
  });

  async function listen(
    options: PlacesOptions,
    answer: (req: IncomingMessage, res: ServerResponse) => void,
  ): Promise<number> {
    const places = createConnectionPlaces(options);
    const server = createServer(answer);
    server.on('connection', (socket) => places.enter(socket));
    open.push({
      close() {
        places.close();
        server.closeAllConnections();
        server.close();
      },
    });
    return listenLocally(server);
  }

  const connect = async (port: number): Promise<net.Socket> => {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    open.push({ close: () => socket.destroy() });
    await once(socket, 'connect');
    return socket;
  };
  const ask = async (socket: net.Socket, path: string): Promise<string> => {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const [chunk] = await once(socket, 'data');
    return String(chunk).slice(9, 12);
  };

  it('are fewer than the open files that the process may have, a quarter of them kept back', () => {
    expect(placesWithin(256)).to.deep.equal({ all: 192, anonymous: 144 });
    expect(placesWithin(1_024)).to.deep.equal({ all: 960, anonymous: 720 });
    expect(placesWithin(1_048_576).all).to.equal(8_192);
    expect(placesWithin(64).all).to.equal(32);
  });

  it('the oldest without a credential makes room for a newcomer; one with a credential never does', async () => {
    const port = await listen({ places: { all: 8, anonymous: 4 } }, (req, res) => {
      if (req.url === '/owner') trustSocket(req.socket);
      res.end('ok');
    });
    const owner = await connect(port);
    expect(await ask(owner, '/owner')).to.equal('200');
    const strangers: net.Socket[] = [];
    for (let index = 0; index < 5; index += 1) {
      const stranger = await connect(port);
      strangers.push(stranger);
      expect(await ask(stranger, '/')).to.equal('200');
    }
    const [first, ...others] = strangers;
    if (first?.closed === false) await once(first, 'close');
    for (const socket of [owner, ...others]) expect(await ask(socket, '/')).to.equal('200');
  });
});
