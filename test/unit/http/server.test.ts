import http from 'node:http';
import net from 'node:net';
import { expect } from 'chai';
import { createGuard } from '../../../gateway/call/guard.ts';
import { answerLiveness } from '../../../gateway/http/liveness.ts';
import { createServer, type GatewayServer, ListenError } from '../../../gateway/http/server.ts';
import { systemClock } from '../../../gateway/system/clock.ts';
import { rawText, sendRaw } from '../../support/raw-http.ts';
import { silentLogger } from '../../support/silent-logger.ts';

const deps = { clock: systemClock, logger: silentLogger };

function get(
  port: number,
  host = '127.0.0.1',
  over: Pick<http.RequestOptions, 'agent' | 'path' | 'headers'> = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    http
      .get({ host, port, path: '/', agent: false, ...over }, (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('end', () => resolve(Buffer.concat(chunks).toString()));
      })
      .on('error', reject);
  });
}

/** Asked for under a name that is not ours: the routes' guard refuses it, liveness says nothing. */
const foreignHealth = (port: number) =>
  get(port, '127.0.0.1', { path: '/health', headers: { host: 'evil.example' } });

function occupy(host: string): Promise<{ port: number; close: () => Promise<void> }> {
  const blocker = net.createServer();
  return new Promise((resolve, reject) => {
    blocker.on('error', reject);
    blocker.listen(0, host, () => {
      const address = blocker.address();
      const port = address !== null && typeof address === 'object' ? address.port : 0;
      resolve({ port, close: () => new Promise((done) => blocker.close(() => done())) });
    });
  });
}

async function hasIpv6(): Promise<boolean> {
  try {
    await (await occupy('::1')).close();
    return true;
  } catch {
    return false;
  }
}

describe('Loopback server', () => {
  const opened: GatewayServer[] = [];
  const make = () => {
    const server = createServer(deps);
    opened.push(server);
    return server;
  };
  afterEach(async () => {
    for (const server of opened.splice(0)) await server.close(0);
  });

  it('answers on both loopback addresses with one free port', async () => {
    const server = make();
    const address = await server.listenLoopback({ port: 0 });
    server.serve((_req, res) => res.end('here'));
    expect(address.port).to.be.greaterThan(0);
    expect(address.addresses).to.deep.equal((await hasIpv6()) ? ['127.0.0.1', '::1'] : ['127.0.0.1']);
    for (const host of address.addresses) expect(await get(address.port, host)).to.equal('here');
  });

  it('listens on no other address', async () => {
    const server = make();
    const { port } = await server.listenLoopback({ port: 0 });
    const all = net.createServer();
    // A second loopback address of the same machine is free: the first one alone was taken.
    await new Promise<void>((resolve, reject) => {
      all.on('error', reject);
      all.listen({ host: '127.0.0.2', port, exclusive: true }, resolve);
    });
    await new Promise((resolve) => all.close(resolve));
  });

  it('says which port is taken and how to see by whom', async () => {
    const blocker = await occupy('127.0.0.1');
    try {
      const error = await make()
        .listenLoopback({ port: blocker.port })
        .catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(ListenError);
      expect(error).to.include({ code: 'EADDRINUSE' });
      expect(String(error)).to.contain(`Port ${blocker.port} on 127.0.0.1 is already in use`);
      if (process.platform === 'linux')
        expect(String(error)).to.contain(`ss -ltnp 'sport = :${blocker.port}'`);
    } finally {
      await blocker.close();
    }
  });

  it('lets go of IPv4 when a squatter holds the port on ::1', async function () {
    if (!(await hasIpv6())) this.skip();
    const blocker = await occupy('::1');
    try {
      const server = make();
      const error = await server.listenLoopback({ port: blocker.port }).catch((thrown: unknown) => thrown);
      expect(String(error)).to.contain(`Port ${blocker.port} on ::1 is already in use`);
      const again = net.createServer();
      await new Promise<void>((resolve, reject) => {
        again.on('error', reject);
        again.listen({ host: '127.0.0.1', port: blocker.port, exclusive: true }, resolve);
      });
      await new Promise((resolve) => again.close(resolve));
    } finally {
      await blocker.close();
    }
  });

  it('holds requests until it can serve them', async () => {
    const server = make();
    const { port } = await server.listenLoopback({ port: 0 });
    const answer = get(port);
    let answered = false;
    void answer.then(() => {
      answered = true;
    });
    const second = net.connect(port, '127.0.0.1');
    await new Promise<void>((resolve) => second.once('connect', resolve));
    expect(answered).to.equal(false);
    server.serve((_req, res) => res.end('ready'));
    expect(await answer).to.equal('ready');
    second.destroy();
  });

  it('answers what it can before it serves, and keeps the rest waiting', async () => {
    const server = make();
    const { port } = await server.listenLoopback({ port: 0 });
    const authority = `127.0.0.1:${port}`;
    server.meanwhile(answerLiveness(createGuard({ hosts: [authority], origins: [`http://${authority}`] })));
    const ask = async (path: string, init: RequestInit = {}) => {
      const answer = await fetch(`http://${authority}${path}`, init);
      return `${answer.status} ${await answer.text()}`;
    };
    expect(await ask('/health')).to.equal('200 {"status":"ok"}');
    const challenged = { 'x-tandem-challenge': 'prove it' };
    const later = [
      ask('/ready'),
      ask('/health?deep'),
      ask('/health', { headers: challenged }),
      ask('/health', { method: 'POST' }),
      foreignHealth(port),
    ];
    const first = await Promise.race([...later, ask('/health')]);
    expect(first).to.equal('200 {"status":"ok"}');
    server.serve((req, res) => res.end(`${req.method} ${req.url} of ${req.headers.host}`));
    expect(await Promise.all(later)).to.deep.equal([
      `200 GET /ready of ${authority}`,
      `200 GET /health?deep of ${authority}`,
      `200 GET /health of ${authority}`,
      `200 POST /health of ${authority}`,
      'GET /health of evil.example',
    ]);
    expect(await ask('/health')).to.equal(`200 GET /health of ${authority}`);
  });

  it('finishes what is running, refuses what is new, and drops idle connections', async () => {
    const server = make();
    const { port } = await server.listenLoopback({ port: 0 });
    let finish = () => {};
    const started = new Promise<void>((resolve) => {
      server.serve((req, res) => {
        if (req.url !== '/') {
          res.end('quick');
          return;
        }
        finish = () => res.end('slow but whole');
        resolve();
      });
    });
    const agent = new http.Agent({ keepAlive: true });
    const idle = net.connect(port, '127.0.0.1');
    const idleClosed = new Promise<void>((resolve) => idle.once('close', () => resolve()));
    idle.resume();
    const running = get(port, '127.0.0.1', { agent });
    await started;
    const closed = server.close(5_000);
    await idleClosed;
    expect(await get(port).catch(() => 'refused')).to.equal('refused');
    finish();
    expect(await running).to.equal('slow but whole');
    await closed;
    agent.destroy();
  });

  it('cuts what does not finish in time, upgraded connections included', async () => {
    const server = make();
    const { port } = await server.listenLoopback({ port: 0 });
    server.serve(
      () => {},
      (_req, socket) => {
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n');
      },
    );
    const stuck = get(port).catch(() => 'cut');
    const upgraded = net.connect(port, '127.0.0.1', () =>
      upgraded.write(`GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n`),
    );
    await new Promise<void>((resolve) => upgraded.once('data', () => resolve()));
    const upgradeCut = new Promise<void>((resolve) => upgraded.once('close', () => resolve()));
    upgraded.on('error', () => {});
    await server.close(20);
    expect(await stuck).to.equal('cut');
    await upgradeCut;
  });

  it('refuses an upgrade that nobody wants', async () => {
    const server = make();
    const { port } = await server.listenLoopback({ port: 0 });
    server.serve((_req, res) => res.end());
    const upgrade = ['GET /ws?x HTTP/1.1', 'Host: x', 'Connection: upgrade', 'Upgrade: websocket'];
    const { status, text } = await sendRaw(port, rawText(upgrade));
    expect(status).to.equal(404);
    expect(text).to.contain('"message":"Cannot GET /ws"');
  });

  it('refuses oversized request headers', async () => {
    const server = make();
    const { port } = await server.listenLoopback({ port: 0 });
    server.serve((_req, res) => res.end());
    const long = rawText(['GET / HTTP/1.1', 'Host: x', `X-Long: ${'x'.repeat(17 * 1024)}`]);
    const { status, text } = await sendRaw(port, long);
    expect(status).to.equal(431);
    expect(text).to.contain('"statusCode":431');
  });

  it('closes before it ever listened', async () => {
    await createServer(deps).close();
  });
});
