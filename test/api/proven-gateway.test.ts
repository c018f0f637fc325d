/** To whom the command line sends a key or a password: the gateway of its data folder, by its socket or its proof. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { buildGateway, type GatewayProcess, launchGateway } from '../support/gateway-process.ts';
import { canBeOthers, runAs, STRANGER } from '../support/other-user.ts';
import { runTandem, type TandemEnd } from '../support/tandem-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PASSWORD = 'correct horse battery';
const SECRETS = /tdm_|correct horse/;

/** Answers everything with 200 and `{}`, and prints what it was sent. */
const SQUATTER = `
const port = Number(process.argv[1]);
require('node:net').createServer((socket) => {
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    console.log(JSON.stringify(String(chunk)));
    socket.write('HTTP/1.1 200 OK\\r\\ncontent-type: application/json\\r\\nx-tandem-proof: ' + '0'.repeat(64) + '\\r\\ncontent-length: 15\\r\\n\\r\\n{"status":"ok"}');
  });
}).listen(port, '127.0.0.1', function () { console.log('port ' + this.address().port); });
`;

describe('the command line and whoever has the port', () => {
  let dataDir = '';
  let gateway: GatewayProcess;
  let port = 0;
  let squatter: ChildProcessWithoutNullStreams | null = null;
  let heard = '';

  before(async () => {
    buildGateway();
    dataDir = await temporaryFolder();
    gateway = launchGateway({ dataDir });
    ({ port } = await gateway.ready);
    const made = await tandem(['keys', 'create', '--save', '--email', 'ada@example.test']);
    expect(made.code, made.err).to.equal(0);
  });
  after(async () => {
    squatter?.kill('SIGKILL');
    await gateway.stop('SIGKILL');
  });

  const tandem = (argv: readonly string[], env: Record<string, string> = {}): Promise<TandemEnd> =>
    runTandem([...argv, '--data-dir', dataDir], { env: { TANDEM_PASSWORD: PASSWORD, ...env } });

  async function squat(on: number): Promise<number> {
    heard = '';
    const uid = canBeOthers() ? { uid: STRANGER, gid: STRANGER } : {};
    squatter = spawn(process.execPath, ['-e', SQUATTER, String(on)], { ...uid, cwd: '/', env: {} });
    const [first] = await once(squatter.stdout, 'data');
    squatter.stdout.on('data', (chunk) => {
      heard += String(chunk);
    });
    return Number(/port (\d+)/.exec(String(first))?.[1]);
  }

  /** One request over the Unix socket. */
  function overSocket(
    path: string,
    headers: Record<string, string> = {},
  ): Promise<{ readonly status: number; readonly text: string }> {
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          socketPath: join(dataDir, 'socket', 'gateway.sock'),
          path,
          headers: { host: `127.0.0.1:${port}`, ...headers },
        },
        (answer) => {
          let text = '';
          answer.on('data', (chunk) => {
            text += String(chunk);
          });
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
        },
      );
      sent.on('error', reject);
      sent.end();
    });
  }

  it('a socket that only its user can open answers beside the port, with the same checks', async function () {
    if (process.platform === 'win32') this.skip();
    const socket = lstatSync(join(dataDir, 'socket', 'gateway.sock'));
    expect([socket.isSocket(), socket.mode & 0o777]).to.deep.equal([true, 0o600]);
    expect(lstatSync(join(dataDir, 'socket')).mode & 0o777).to.equal(0o700);
    expect((await overSocket('/version')).status).to.equal(200);
    expect((await overSocket('/version', { host: 'evil.test' })).status).to.equal(421);
    expect((await overSocket('/api-keys')).status).to.equal(401);
    expect((await overSocket('/positions')).status).to.equal(401);
    const { apiKey } = JSON.parse(await readFile(join(dataDir, 'cli.json'), 'utf8'));
    expect((await overSocket('/trade-accounts', { 'x-api-key': apiKey })).status).to.equal(200);
  });

  it('takes no cookie over the socket', async function () {
    if (process.platform === 'win32') this.skip();
    const body = JSON.stringify({ method: 'email', email: 'ada@example.test', password: PASSWORD });
    const answer = await fetch(`http://127.0.0.1:${port}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    expect(cookie).to.contain('tandem_session=');
    const byPort = await fetch(`http://127.0.0.1:${port}/auth/me`, { headers: { cookie } });
    expect(byPort.status).to.equal(200);
    expect((await overSocket('/auth/me', { cookie })).status).to.equal(401);
  });

  it('no other user reaches the socket', async function () {
    if (!canBeOthers()) this.skip();
    const program = `
      require('node:net').connect(process.argv[1]).on('error', (error) => console.log(error.code)).on('connect', () => console.log('in'));
    `;
    const out = await runAs(STRANGER, program, [join(dataDir, 'socket', 'gateway.sock')]);
    expect(out.trim()).to.equal('EACCES');
  });

  it('the gateway of the folder is recognised by its port too, without the socket', async () => {
    await rename(join(dataDir, 'socket'), join(dataDir, 'elsewhere'));
    try {
      const end = await tandem(['accounts']);
      expect([end.code, end.err]).to.deep.equal([0, '']);
    } finally {
      await rename(join(dataDir, 'elsewhere'), join(dataDir, 'socket'));
    }
  });

  it('another program gets neither key nor password, however it was named @long', async () => {
    const other = await squat(0);
    const named: readonly (readonly [readonly string[], Record<string, string>])[] = [
      [['--port', String(other)], {}],
      [['--url', `http://127.0.0.1:${other}`], {}],
      [['--url', `http://localhost:${other}`], {}],
      [[], { TANDEM_URL: `http://127.0.0.1:${other}` }],
    ];
    for (const [flags, env] of named) {
      for (const command of [
        ['positions'],
        ['tail', '--count', '1'],
        ['keys', 'create', '--email', 'ada@example.test'],
      ]) {
        const end = await tandem([...command, ...flags], env);
        expect([end.code, end.out], command.join(' ')).to.deep.equal([1, '']);
        expect(end.err).to.contain('does not prove to be your gateway, so nothing was sent');
      }
    }
    expect(heard).not.to.match(SECRETS);
    squatter?.kill('SIGKILL');
  });

  it('who takes the port after the gateway has died gets nothing', async () => {
    await gateway.stop('SIGKILL');
    expect(await squat(port)).to.equal(port);
    for (const flags of [['--port', String(port)], []]) {
      const end = await tandem(['positions', ...flags], { TANDEM_PORT: String(port) });
      expect(end.code).to.equal(1);
      expect(end.err).to.contain('nothing was sent');
      expect(end.err).to.contain(`no gateway runs on the data folder ${dataDir}`);
    }
    expect(heard).not.to.match(SECRETS);
  });
});
