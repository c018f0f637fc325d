/** Other users of the same machine at the gateway's port: real processes with another uid. */
import { expect } from 'chai';
import type { Settings } from '../../gateway/config.ts';
import { openFrontDoor } from '../../gateway/front-door.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { PASSWORD } from '../support/gateway-client.ts';
import { callAs, callsAs, canBeOthers, FRIEND, runAs, STRANGER, startAs } from '../support/other-user.ts';
import { settled } from '../support/outstanding.ts';

const USER = { email: 'mallory@example.test', password: PASSWORD };

describe('other users of the machine', () => {
  let running: TestGateway | null = null;

  before(function () {
    if (!canBeOthers()) this.skip();
  });
  afterEach(async () => {
    await running?.close();
    running = null;
  });

  async function gatewayWith(settings: Partial<Settings> = {}): Promise<TestGateway> {
    running = await startTestGateway({ settings: { registration: 'first', ...settings } });
    return running;
  }

  it('are refused before anything they say is read, on both loopbacks', async () => {
    const gateway = await gatewayWith();
    const paths = ['/health', '/version', '/app/start', '/openapi.json', '/nowhere', '/ws'];
    for (const base of [gateway.url, `http://[::1]:${gateway.port}`]) {
      const read = paths.map((path) => ['GET', `${base}${path}`] as const);
      const answers = await callsAs(STRANGER, [...read, ['POST', `${base}/auth/register`, USER]]);
      expect(answers.map(({ status }) => status)).to.deep.equal([...paths, '/auth/register'].map(() => 403));
      for (const { text } of answers) expect(text).to.contain('peerCheck=off').and.to.contain('allowUser');
    }
    expect((await gateway.request('GET', '/app/start')).json.registration).to.equal('first');
    expect((await gateway.request('POST', '/auth/register', { body: USER })).status).to.equal(201);
  });

  it('are refused while the program is still being loaded, and nobody waits at the gate afterwards', async () => {
    const settings = { port: 0, uiHost: 'tandem.localhost', logLevel: 'silent' } as const;
    const { server, port } = await openFrontDoor(
      {
        ...settings,
        peerCheck: 'auto',
        allowUser: [],
        container: false,
        allowHost: null,
        vault: 'memory',
        passphrase: null,
      },
      { shell: false },
    );
    try {
      const url = `http://127.0.0.1:${port}/health`;
      expect((await callAs(STRANGER, 'GET', url)).status).to.equal(403);
      expect((await callAs(0, 'GET', url)).status).to.equal(200);
      await server.admitted();
    } finally {
      await server.close();
    }
  });

  it('are refused when they come by a dual-stack socket', async () => {
    const gateway = await gatewayWith();
    const call = `
      const socket = require('node:net').connect(Number(process.argv[1]), '::ffff:127.0.0.1', () =>
        socket.write('GET /health HTTP/1.1\\r\\nhost: 127.0.0.1:' + process.argv[1] + '\\r\\n\\r\\n'));
      socket.once('data', (chunk) => { console.log(String(chunk).slice(9, 12)); socket.destroy(); });
    `;
    expect((await runAs(STRANGER, call, [String(gateway.port)])).trim()).to.equal('403');
    expect((await runAs(0, call, [String(gateway.port)])).trim()).to.equal('200');
  });

  it('change nothing by sending and closing at once', async () => {
    const gateway = await gatewayWith();
    const race = `
      const net = require('node:net');
      const [port, body] = process.argv.slice(1);
      const text = 'POST /auth/register HTTP/1.1\\r\\nhost: 127.0.0.1:' + port +
        '\\r\\ncontent-type: application/json\\r\\ncontent-length: ' + body.length + '\\r\\n\\r\\n' + body;
      let left = 200;
      const one = () => new Promise((done) => {
        const socket = net.connect(Number(port), '127.0.0.1');
        socket.on('error', () => {});
        socket.on('close', done);
        socket.on('connect', () => {
          if (left % 3 === 0) socket.end(text);
          else socket.write(text, () => left % 3 === 1 ? socket.destroy() : socket.resetAndDestroy());
        });
      });
      (async () => { while (left-- > 0) await one(); })();
    `;
    await runAs(STRANGER, race, [String(gateway.port), JSON.stringify(USER)]);
    // Connections are accepted in their order: once this one is answered, all of those before were.
    await gateway.request('GET', '/version');
    await settled();
    expect((await gateway.request('GET', '/app/start')).json.registration).to.equal('first');
  });

  it('do not keep the owner out by a flood of connections @long', async () => {
    const gateway = await gatewayWith();
    const flood = `
      const net = require('node:net');
      let served = 0, refused = 0, isOver = false;
      process.stdin.on('end', () => { isOver = true; }).resume();
      const one = () => {
        if (isOver) return;
        const socket = net.connect(Number(process.argv[1]), '127.0.0.1');
        socket.on('connect', () => socket.write('GET /version HTTP/1.1\\r\\nhost: 127.0.0.1:' + process.argv[1] + '\\r\\n\\r\\n'));
        socket.on('data', (chunk) => { String(chunk).startsWith('HTTP/1.1 200') ? served++ : refused++; if (served + refused === 1) console.log('begun'); socket.destroy(); });
        socket.on('error', () => {});
        socket.on('close', one);
      };
      for (let count = 0; count < 200; count += 1) one();
      process.on('exit', () => console.log(JSON.stringify({ served, refused })));
    `;
    const flooding = startAs(STRANGER, flood, [String(gateway.port)]);
    await flooding.begun;
    for (let call = 0; call < 20; call += 1)
      expect((await gateway.request('GET', '/version')).status).to.equal(200);
    const { served, refused } = JSON.parse((await flooding.end()).trim().split('\n').at(-1) ?? '');
    expect(served).to.equal(0);
    expect(refused).to.be.greaterThan(0);
  });

  it('may connect where the settings name them', async () => {
    const gateway = await gatewayWith({ allowUser: [String(FRIEND)] });
    expect((await callAs(FRIEND, 'GET', `${gateway.url}/version`)).status).to.equal(200);
    expect((await callAs(STRANGER, 'GET', `${gateway.url}/version`)).status).to.equal(403);
    expect((await callAs(0, 'GET', `${gateway.url}/version`)).status).to.equal(200);
  });

  it('may connect where the check is off @long', async () => {
    const gateway = await gatewayWith({ peerCheck: 'off' });
    const told = await callAs(STRANGER, 'GET', `${gateway.url}/version`);
    const own = await gateway.request('GET', '/version');
    expect(told.status, told.text).to.equal(200);
    expect(JSON.parse(told.text).version).to.equal(own.json.version);
    // Being let in is not being let into anything: what is private wants a credential of whoever asks.
    expect((await callAs(STRANGER, 'GET', `${gateway.url}/trade-accounts`)).status).to.equal(401);
  });
});
