/** The gateway in a container: who reaches it there by which name, and that it never does so by accident. */
import { execFileSync } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { openFrontDoor } from '../../gateway/front-door.ts';
import { startTestGateway, testSettings } from '../support/gateway.ts';
import { rawText, sendRaw } from '../support/raw-http.ts';
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.ts';

describe('in a container', () => {
  const kept = process.env['container'];
  before(() => {
    process.env['container'] = 'oci';
  });
  after(async () => {
    if (kept === undefined) delete process.env['container'];
    else process.env['container'] = kept;
    await removeTemporaryFolders();
  });

  it('answers to the names that are allowed, and to no other', async () => {
    const gateway = await startTestGateway({
      settings: { container: true, allowHost: ['gateway'], vault: 'memory' },
    });
    try {
      const status = async (host: string) =>
        (await sendRaw(gateway.port, rawText(['GET /health HTTP/1.1', `Host: ${host}`, 'Connection: close'])))
          .status;
      for (const name of ['gateway', '127.0.0.1', 'localhost', 'tandem.localhost'])
        expect(await status(`${name}:${gateway.port}`), name).to.equal(200);
      for (const host of [
        `evil.example:${gateway.port}`,
        'gateway',
        `gateway.evil.example:${gateway.port}`,
        '10.0.0.7',
      ])
        expect(await status(host), host).to.equal(421);
      // Whose connection it is nobody knows there, so that the first user needs the code.
      const registered = await gateway.request('GET', '/trade-accounts');
      expect(registered.status).to.equal(401);
    } finally {
      await gateway.close();
    }
  });

  it('is handed its passphrase by a file that its user can read', async () => {
    const root = new URL('../../', import.meta.url);
    const compose = await readFile(new URL('build/container/compose.yml', root), 'utf8');
    const rules = compose.replace(/#.*$/gm, '');
    // Compose ignores them of a secret that comes from a file: the file is mounted as it is on the host.
    expect(rules).to.not.match(/^\s+(uid|gid|mode):/m);
    const file = /tandem_passphrase:\s+file: \.\/(\S+)/.exec(rules)?.[1] ?? '';
    expect(rules).to.match(/secrets: \[tandem_passphrase\]/);
    for (const list of ['build/container/Dockerfile.dockerignore', '.gitignore'])
      expect(await readFile(new URL(list, root), 'utf8'), list).to.match(/^build\/container\/secrets\/?$/m);
    const guide = await readFile(new URL('docs/container.md', root), 'utf8');
    const steps = /```sh\ncd build\/container\n([\s\S]+?)docker compose/.exec(guide)?.[1] ?? '';
    const folder = await temporaryFolder();
    execFileSync('sh', ['-ec', `umask 077\n${steps}`], { cwd: folder });
    const place = join(folder, file);
    expect((await stat(place)).mode & 0o777, 'the user of the image reads it').to.equal(0o644);
    expect((await stat(dirname(place))).mode & 0o777, 'no other user of the host does').to.equal(0o700);
    expect((await readFile(place, 'utf8')).trim()).to.have.length.above(40);
  });

  it('does not start without a passphrase, and takes no further names outside of one', async () => {
    const settings = testSettings(await temporaryFolder());
    const refused = (over: Partial<typeof settings>) =>
      openFrontDoor({ ...settings, ...over }, { shell: false }).then(
        async ({ server }) => server.close(),
        (error: Error) => error.message,
      );
    expect(await refused({ container: true })).to.match(/TANDEM_PASSPHRASE_FILE/);
    expect(await refused({ allowHost: ['gateway'] })).to.equal('--allow-host belongs to --container');
    expect(await refused({ container: true, passphrase: 'long enough' })).to.equal(undefined);
  });
});
