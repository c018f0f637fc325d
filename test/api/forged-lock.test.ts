/** A lock that names somebody else's program as the gateway, written into a data folder: no key, no password and no signal goes there. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { CHALLENGE_HEADER, PROOF_HEADER, provenText } from '../../gateway/contract/shell-identity.ts';
import { processIdentity } from '../../gateway/system/process-identity.ts';
import { tandem } from '../support/command-line.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { canBeOthers, STRANGER } from '../support/other-user.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const TOKEN = 'a token that the stranger knows';
/** Passes for a gateway: proves the token, answers everything with 200, and prints what it was sent. */
const STAND_IN = `
const { createHmac } = require('node:crypto');
const [listen, token, challenged, proof, text] = process.argv.slice(1);
require('node:net').createServer((socket) => {
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    console.log(JSON.stringify(String(chunk)));
    const challenge = new RegExp('^' + challenged + ': (.*)\\r$', 'im').exec(String(chunk))?.[1] ?? '';
    const signed = text.replace('CHALLENGE', challenge).replace('PORT', socket.localPort);
    const head = proof + ': ' + createHmac('sha256', token).update(signed).digest('hex');
    socket.write('HTTP/1.1 200 OK\\r\\ncontent-type: application/json\\r\\n' + head + '\\r\\ncontent-length: 15\\r\\n\\r\\n{"status":"ok"}');
  });
}).listen(listen.startsWith('/') ? listen : { host: listen, port: 0 }, function () { console.log('port ' + (this.address().port ?? 0)); });
`;
/** A gateway that has stopped to work: it takes connections, says so, and answers nothing. */
const FROZEN = `require('node:net').createServer((socket) => { socket.on('error', () => {}); console.log('asked'); })
  .listen({ host: '127.0.0.1', port: 0 }, function () { console.log('port ' + this.address().port); });`;
const SECRETS = /tdm_|correct horse|ada@example/;

describe('a lock that names a stranger', () => {
  let dataDir = '';
  let heard = '';
  let stranger: ChildProcessWithoutNullStreams | null = null;

  beforeEach(async () => {
    dataDir = await temporaryFolder();
    await writeFile(join(dataDir, 'cli.json'), JSON.stringify({ apiKey: `tdm_${'a'.repeat(43)}` }), {
      mode: 0o600,
    });
  });
  afterEach(() => stranger?.kill('SIGKILL'));

  async function listenAs(uid: number, listen: string): Promise<{ pid: number; port: number }> {
    heard = '';
    const text = provenText('CHALLENGE', 0).replace(/\b0\b/, 'PORT');
    const values = [listen, TOKEN, CHALLENGE_HEADER, PROOF_HEADER, text];
    const user = canBeOthers() ? { uid, gid: uid } : {};
    stranger = spawn(process.execPath, ['-e', STAND_IN, ...values], { ...user, cwd: '/', env: {} });
    stranger.stderr.on('data', (chunk) => {
      heard += String(chunk);
    });
    const [first] = await once(stranger.stdout, 'data');
    stranger.stdout.on('data', (chunk) => {
      heard += String(chunk);
    });
    return { pid: stranger.pid ?? 0, port: Number(/port (\d+)/.exec(String(first))?.[1]) };
  }

  async function forge(lock: object): Promise<void> {
    await writeFile(
      join(dataDir, 'gateway.lock'),
      JSON.stringify({ token: TOKEN, socketPath: null, ...lock }),
      {
        mode: 0o600,
      },
    );
  }

  async function sendsNothing(): Promise<string> {
    let said = '';
    for (const command of [['positions'], ['keys', 'create', '--email', 'ada@example.test']]) {
      const { code, err } = await tandem([...command, '--data-dir', dataDir], {
        env: { TANDEM_PASSWORD: 'correct horse battery' },
      });
      expect(code, err).to.equal(1);
      said = err;
    }
    expect(heard).not.to.match(SECRETS);
    return said;
  }

  it('is not believed where another user listens, though the stranger proves to know its token', async function () {
    if (!canBeOthers()) this.skip();
    const { pid, port } = await listenAs(STRANGER, '127.0.0.1');
    await forge({ pid, identity: processIdentity(pid), url: `http://127.0.0.1:${port}` });
    expect(await sendsNothing()).to.contain('belongs to another user of this machine');
  });

  it('is not believed where it names another address than this machine’s own', async () => {
    const { pid, port } = await listenAs(process.getuid?.() ?? 0, '127.0.0.2');
    for (const url of [
      `http://127.0.0.2:${port}`,
      `http://gateway.example.test:${port}`,
      `https://127.0.0.1:${port}`,
    ]) {
      await forge({ pid, identity: processIdentity(pid), url });
      expect(await sendsNothing(), url).to.contain('no gateway runs on the data folder');
    }
  });

  it('is not believed where it does not say which run of a process holds it', async function () {
    if (process.platform !== 'linux') this.skip();
    const { pid, port } = await listenAs(process.getuid?.() ?? 0, '127.0.0.1');
    await forge({ pid, identity: null, url: `http://127.0.0.1:${port}` });
    expect(await sendsNothing()).to.contain('no gateway runs on the data folder');
  });

  for (const [name, uid, mode] of [
    ['into which others can write', null, 0o777],
    ['of another user', STRANGER, 0o700],
  ] as const) {
    it(`is not read in a folder ${name}, also where a link leads to it`, async function () {
      if (process.platform === 'win32' || (uid !== null && !canBeOthers())) this.skip();
      const { pid, port } = await listenAs(uid ?? process.getuid?.() ?? 0, '127.0.0.1');
      await forge({ pid, identity: processIdentity(pid), url: `http://127.0.0.1:${port}` });
      await chmod(dataDir, mode);
      if (uid !== null) await chown(dataDir, uid, uid);
      const link = join(await temporaryFolder(), 'link');
      await symlink(dataDir, link);
      const folder = dataDir;
      for (const path of [folder, link]) {
        dataDir = path;
        expect(await sendsNothing()).to.match(/belongs to another user|other users can write/);
        for (const command of ['status', 'stop']) {
          const { code, err } = await tandem([command, '--data-dir', path]);
          expect(code, command).to.equal(1);
          expect(err).to.match(/belongs to another user|other users can write/);
        }
      }
      expect(heard).to.equal('');
      expect(stranger?.exitCode ?? stranger?.signalCode).to.equal(null);
    });
  }

  it('stops no process where another program has the port that it names', async () => {
    const { pid, port } = await listenAs(process.getuid?.() ?? 0, '127.0.0.1');
    const lock = { pid, identity: processIdentity(pid), url: `http://127.0.0.1:${port}` };
    await forge({ ...lock, token: 'a token that the program does not know' });
    const { code, err } = await tandem(['stop', '--data-dir', dataDir]);
    expect([code, err]).to.deep.equal([
      1,
      `tandem: whoever answers at ${lock.url} does not prove to be your gateway, so the process ${pid} that its lock names was not stopped`,
    ]);
    expect(stranger?.signalCode).to.equal(null);
    await forge(lock);
    expect((await tandem(['stop', '--data-dir', dataDir])).out).to.equal(`Stopped (pid ${pid}).`);
  });

  it('of another user counts for nothing in a folder that was closed since', async function () {
    if (!canBeOthers()) this.skip();
    const { pid } = await listenAs(STRANGER, '127.0.0.1');
    await forge({ pid, identity: processIdentity(pid), url: null });
    await chown(join(dataDir, 'gateway.lock'), STRANGER, STRANGER);
    for (const command of ['stop', 'positions']) {
      const { code, err } = await tandem([command, '--data-dir', dataDir]);
      expect([code, err]).to.deep.equal([
        1,
        `tandem: ${join(dataDir, 'gateway.lock')} is not a file of yours, so no gateway of yours wrote it; remove it`,
      ]);
    }
    expect(stranger?.signalCode).to.equal(null);
  });

  it('of a frozen gateway lets its user stop it', async () => {
    const gateway = spawn(process.execPath, ['-e', FROZEN], { cwd: '/', env: {} });
    stranger = gateway;
    const ended = once(gateway, 'exit');
    const [first] = await once(gateway.stdout, 'data');
    const { pid = 0 } = gateway;
    const asked = once(gateway.stdout, 'data');
    await forge({
      ...{ pid, identity: processIdentity(pid) },
      url: `http://127.0.0.1:${/port (\d+)/.exec(String(first))?.[1]}`,
    });
    // The time to answer is over once it has been asked.
    const after = (_delayMs: number, run: () => void) => {
      asked.then(run);
      return () => undefined;
    };
    const clock = { ...createFakeClock(), after, sleep: async () => void (await ended) };
    const { code, out } = await tandem(['stop', '--data-dir', dataDir], { clock });
    expect([code, out]).to.deep.equal([0, `Stopped (pid ${pid}).`]);
  });

  it('leads to no socket outside the data folder', async function () {
    if (process.platform === 'win32') this.skip();
    const elsewhere = await temporaryFolder();
    const folder = join(elsewhere, 'open');
    await mkdir(folder, { mode: 0o700 });
    const { pid } = await listenAs(process.getuid?.() ?? 0, join(folder, 'gateway.sock'));
    await chmod(folder, 0o700);
    await forge({
      ...{ pid, identity: processIdentity(pid) },
      ...{ url: 'http://127.0.0.1:9', socketPath: join(folder, 'gateway.sock') },
    });
    await sendsNothing();
    expect(heard).to.equal('');
  });
});
