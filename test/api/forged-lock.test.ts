/** A lock that names somebody else's program as the gateway, written into a data folder: no key and no password goes there. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { CHALLENGE_HEADER, PROOF_HEADER, provenText } from '../../gateway/contract/shell-identity.ts';
import { processIdentity } from '../../gateway/system/process-identity.ts';
import { tandem } from '../support/command-line.ts';
import { canBeOthers, STRANGER } from '../support/other-user.ts';
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.ts';

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
  afterEach(async () => {
    stranger?.kill('SIGKILL');
    await removeTemporaryFolders();
  });

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
