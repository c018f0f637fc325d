/** The gateway in a container: who reaches it there by which name, and that it never does so by accident. */
import { execFileSync } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { openFrontDoor } from '../../gateway/front-door.ts';
import { startTestGateway, testSettings } from '../support/gateway.ts';
import { rawText, sendRaw } from '../support/raw-http.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = new URL('../../', import.meta.url);

interface ComposeFile {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly secrets?: unknown;
        readonly ports?: unknown;
        readonly read_only?: boolean;
        readonly cap_drop?: unknown;
        readonly healthcheck?: {
          readonly test?: unknown;
          readonly interval?: string;
          readonly timeout?: string;
          readonly start_period?: string;
        };
      }
    >
  >;
  readonly secrets: Readonly<Record<string, { readonly file?: string }>>;
}

async function composeFile(): Promise<ComposeFile> {
  return parse(await readFile(new URL('build/container/compose.yml', root), 'utf8'));
}

describe('in a container', () => {
  const kept = process.env['container'];
  before(() => {
    process.env['container'] = 'oci';
  });
  after(async () => {
    if (kept === undefined) delete process.env['container'];
    else process.env['container'] = kept;
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
      await gateway.expect('GET', '/trade-accounts', {}, 401);
    } finally {
      await gateway.close();
    }
  });

  it('is handed its passphrase by a file that its user can read', async () => {
    const { services, secrets } = await composeFile();
    // Compose ignores uid, gid and mode of a secret that comes from a file, and mounts the file as it is on the host:
    // each secret is named without them.
    expect(services['gateway']?.secrets).to.deep.equal(['tandem_passphrase']);
    expect(secrets).to.have.all.keys('tandem_passphrase');
    const { file, ...others } = secrets['tandem_passphrase'] ?? expect.fail();
    expect(others, 'a plain file').to.deep.equal({});
    expect(file).to.match(/^\.\/secrets\//);
    const image = await readFile(new URL('build/container/Dockerfile', root), 'utf8');
    expect(image).to.contain('TANDEM_PASSPHRASE_FILE=/run/secrets/tandem_passphrase');
    expect(Number(/useradd --uid (\d+)/.exec(image)?.[1]), 'not the user of the host').to.be.above(1_000);
    for (const list of ['build/container/Dockerfile.dockerignore', '.gitignore'])
      expect(await readFile(new URL(list, root), 'utf8'), list).to.match(/^build\/container\/secrets\/?$/m);
    const guide = await readFile(new URL('docs/container.md', root), 'utf8');
    const steps = /```sh\ncd build\/container\n([\s\S]+?)docker compose/.exec(guide)?.[1] ?? '';
    const folder = await temporaryFolder();
    execFileSync('sh', ['-ec', `umask 077\n${steps}`], { cwd: folder });
    const place = join(folder, file ?? '');
    expect((await stat(place)).mode & 0o777, 'the user of the image reads it').to.equal(0o644);
    expect((await stat(dirname(place))).mode & 0o777, 'no other user of the host does').to.equal(0o700);
    expect((await readFile(place, 'utf8')).trim()).to.have.length.above(40);
  });

  it('is waited for by `up --wait`, under Podman too, whose images have no health check', async () => {
    const { services } = await composeFile();
    const { healthcheck, ports, read_only, cap_drop } = services['gateway'] ?? expect.fail();
    expect(healthcheck?.test).to.deep.equal(['CMD', 'tandem', 'status']);
    // A check while the gateway starts lasts until it serves, for 30 s at most.
    const seconds = (text: string | undefined) => Number(/^(\d+)s$/.exec(text ?? '')?.[1]);
    expect(seconds(healthcheck?.timeout)).to.be.above(30);
    expect(seconds(healthcheck?.start_period)).to.be.at.least(60);
    const image = await readFile(new URL('build/container/Dockerfile', root), 'utf8');
    const own =
      /^HEALTHCHECK --interval=(\S+) --timeout=(\S+) --start-period=(\S+) CMD \["tandem", "status"\]$/m;
    const { interval, timeout, start_period } = healthcheck ?? {};
    expect(own.exec(image)?.slice(1)).to.deep.equal([interval, timeout, start_period]);
    expect(ports, 'the loopback of the host alone').to.deep.equal(['127.0.0.1:7391:7391']);
    expect({ read_only, cap_drop }).to.deep.equal({ read_only: true, cap_drop: ['ALL'] });
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
