import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { WebSocketServer } from 'ws';
import { HttpConnection } from '../../bench/load/http-connection.ts';
import { WsClient } from '../../bench/load/ws-client.ts';
import { settled } from '../../support/outstanding.ts';

interface Answer {
  readonly status: number;
  readonly body: string;
}

function ask(connection: HttpConnection, request = 'GET / HTTP/1.1\r\n\r\n'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    connection.send(
      Buffer.from(request),
      (status, body) => resolve({ status, body: body.toString() }),
      reject,
    );
  });
}

describe('bench: HTTP connection', () => {
  let server: Server;
  let port: number;
  /** What the server does with each request. */
  let serve: (socket: Socket, request: string) => void;

  beforeEach(async () => {
    server = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (chunk) => serve(socket, chunk.toString()));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });

  afterEach(() => {
    server.close();
  });

  it('reads status and body of one answer after the other, whatever the case of the header', async () => {
    let count = 0;
    serve = (socket) => {
      count += 1;
      const name = count === 1 ? 'Content-Length' : 'content-length';
      socket.write(`HTTP/1.1 ${200 + count} OK\r\n${name}: 4\r\nx: y\r\n\r\nbo${count}!`);
    };
    const connection = await HttpConnection.open(port);
    expect(await ask(connection)).to.deep.equal({ status: 201, body: 'bo1!' });
    expect(await ask(connection)).to.deep.equal({ status: 202, body: 'bo2!' });
    connection.close();
  });

  it('puts an answer together that arrives in pieces', async () => {
    serve = async (socket) => {
      for (const piece of ['HTTP/1.1 202 Acc', 'epted\r\nContent-Le', 'ngth: 6\r\n\r', '\nabc', 'def']) {
        socket.write(piece);
        await settled();
      }
    };
    const connection = await HttpConnection.open(port);
    expect(await ask(connection)).to.deep.equal({ status: 202, body: 'abcdef' });
    connection.close();
  });

  it('fails the request when the server hangs up or leaves out the length', async () => {
    const failure = async (): Promise<string> => {
      const connection = await HttpConnection.open(port);
      return ask(connection).then(
        () => 'answered',
        (error: Error) => error.message,
      );
    };
    serve = (socket) => socket.end();
    expect(await failure()).to.contain('closed');
    serve = (socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n');
    expect(await failure()).to.contain('content-length');
  });
});

describe('bench: WebSocket client', () => {
  let server: WebSocketServer;
  let port: number;

  beforeEach(async () => {
    server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });

  afterEach(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });

  it('receives messages of every frame length, in order, and is understood itself', async () => {
    const texts = ['', 'a', 'b'.repeat(125), 'c'.repeat(126), 'd'.repeat(65_535), 'e'.repeat(200_000), 'ü€'];
    const heard: string[] = [];
    server.on('connection', (socket) => {
      socket.on('message', (data) => {
        heard.push(String(data));
        socket.ping();
        for (const text of texts) socket.send(text);
      });
    });
    const received: string[] = [];
    const done = new Promise<void>((resolve) => {
      void WsClient.open(port, '/', {
        message: (payload) => {
          received.push(payload.toString());
          if (received.length === texts.length) resolve();
        },
        closed: () => {},
      }).then((client) => client.send({ op: 'subscribe', channels: ['x'.repeat(200)] }));
    });
    await done;
    expect(received).to.deep.equal(texts);
    expect(heard).to.deep.equal([JSON.stringify({ op: 'subscribe', channels: ['x'.repeat(200)] })]);
  });

  it('answers pings, so that a server which checks keeps it', async () => {
    const pong = new Promise<string>((resolve) => {
      server.on('connection', (socket) => {
        socket.on('pong', (data) => resolve(data.toString()));
        socket.ping('are you there');
      });
    });
    const client = await WsClient.open(port, '/', { message: () => {}, closed: () => {} });
    expect(await pong).to.equal('are you there');
    client.close();
  });

  it('tells when the server has closed, and refuses what is no upgrade', async () => {
    const closed = new Promise<void>((resolve) => {
      server.on('connection', (socket) => socket.close(1001));
      void WsClient.open(port, '/', { message: () => {}, closed: () => resolve() });
    });
    await closed;
    const plain = createServer((socket) => {
      socket.on('error', () => {});
      socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n');
    });
    plain.listen(0, '127.0.0.1');
    await once(plain, 'listening');
    const outcome = await WsClient.open((plain.address() as AddressInfo).port, '/', {
      message: () => {},
      closed: () => {},
    }).then(
      () => 'opened',
      (error: Error) => error.message,
    );
    plain.close();
    expect(outcome).to.contain('404');
  });
});
