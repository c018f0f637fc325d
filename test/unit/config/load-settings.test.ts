import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { dataDirOf, loadSettings, type Settings } from '../../../gateway/config.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

type Env = Readonly<Record<string, string | undefined>>;

describe('loadSettings', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await temporaryFolder();
  });

  const load = (argv: readonly string[], env: Env = {}) =>
    loadSettings({ argv, env: { TANDEM_DATA_DIR: dataDir, ...env }, homedir: '/home/u', platform: 'linux' });
  const file = (content: unknown) =>
    writeFile(join(dataDir, 'config.json'), typeof content === 'string' ? content : JSON.stringify(content));

  function settings(argv: readonly string[], env: Env = {}): Settings {
    const loaded = load(argv, env);
    if (!loaded.ok) throw new Error(loaded.error.join('; '));
    return loaded.value;
  }
  function problems(argv: readonly string[], env: Env = {}): readonly string[] {
    const loaded = load(argv, env);
    return loaded.ok ? [] : loaded.error;
  }

  it('has the documented defaults', () => {
    expect(settings([])).to.deep.include({
      port: 7391,
      dataDir,
      vault: 'auto',
      registration: 'first',
      logLevel: 'info',
      paperSeed: null,
      paperProfile: 'realistic',
      paperSpeed: 1,
      uiHost: 'tandem.localhost',
      allowFileVault: false,
      passphrase: null,
    });
  });

  it('takes flags over the environment over the file over the defaults', async () => {
    await file({ port: 1001, logLevel: 'warn', paperProfile: 'thin', ui: { host: 'file.example' } });
    const env = { TANDEM_PORT: '1002', TANDEM_LOG_LEVEL: 'error' };
    const chosen = settings(['--port', '1003'], env);
    expect([chosen.port, chosen.logLevel, chosen.paperProfile, chosen.uiHost]).to.deep.equal([
      1003,
      'error',
      'thin',
      'file.example',
    ]);
    expect(settings([], env).port).to.equal(1002);
    expect(settings([]).port).to.equal(1001);
  });

  it('reads the file of the folder that a flag names, and no other', async () => {
    const other = await temporaryFolder();
    await file({ port: 1001 });
    await writeFile(join(other, 'config.json'), '{"port": 1002}');
    expect(settings([`--data-dir=${other}`])).to.deep.include({ port: 1002, dataDir: other });
  });

  it('reads every flag of the table', () => {
    const argv =
      '--port=0 --vault file --registration open --log-level debug --paper-seed 42 --paper-profile brutal --paper-speed 2.5 --allow-file-vault --json-ready --open --host-name my.example';
    expect(settings(argv.split(' '))).to.deep.include({
      port: 0,
      vault: 'file',
      registration: 'open',
      logLevel: 'debug',
      paperSeed: 42,
      paperProfile: 'brutal',
      paperSpeed: 2.5,
      allowFileVault: true,
      jsonReady: true,
      open: true,
      uiHost: 'my.example',
    });
  });

  it('a switch of the file or environment can be switched off again', async () => {
    await file({ allowFileVault: true });
    expect(settings([]).allowFileVault).to.equal(true);
    expect(settings([], { TANDEM_ALLOW_FILE_VAULT: '0' }).allowFileVault).to.equal(false);
    expect(settings(['--allow-file-vault=false']).allowFileVault).to.equal(false);
  });

  it('treats an empty variable as not set', () => {
    expect(settings([], { TANDEM_PORT: '', TANDEM_PASSPHRASE: '' })).to.deep.include({
      port: 7391,
      passphrase: null,
    });
  });

  it('answers an unknown flag with one line and the nearest one', () => {
    expect(problems(['--prot', '80'])).to.deep.equal(['unknown flag --prot (did you mean --port?)']);
    expect(problems(['--zzzzzzzz'])).to.deep.equal(['unknown flag --zzzzzzzz']);
  });

  // biome-ignore format: a table is read by its columns
  const refused: readonly (readonly [string[], Env, string])[] = [
    [['--port', '70000'], {}, '--port must be a port number from 0 to 65535, not 70000'],
    [['--port', '12a'], {}, "--port must be a port number from 0 to 65535, not '12a'"],
    [['--port'], {}, '--port needs a value <port>'],
    [['--port=1', '--port=2'], {}, '--port is given twice'],
    [['--json-ready=maybe'], {}, "--json-ready takes no value (or true, false), not 'maybe'"],
    [['--vault', 'cloud'], {}, "--vault must be auto, keychain, file or memory, not 'cloud'"],
    [[], { TANDEM_PAPER_SPEED: '0' }, 'paperSpeed in TANDEM_PAPER_SPEED must be a number from 0.01 to 10000, not 0'],
    [['--host-name', 'A B'], {}, "--host-name must be a host name such as tandem.localhost, not 'A B'"],
    [['extra'], {}, "unexpected argument 'extra'"],
  ];
  for (const [argv, env, line] of refused) {
    it(`refuses ${JSON.stringify(argv)} ${JSON.stringify(env)}`, () =>
      expect(problems(argv, env)).to.deep.equal([line]));
  }

  it('never repeats a refused passphrase, and takes none from argv or the file', async () => {
    const [line = ''] = problems([], { TANDEM_PASSPHRASE: 'short' });
    expect(line).to.equal('passphrase in TANDEM_PASSPHRASE must be at least 8 characters');
    expect(problems(['--passphrase', 'longer than eight'])).to.have.length(1);
    await file({ passphrase: 'longer than eight' });
    expect(problems([])[0]).to.contain("unknown setting 'passphrase'");
  });

  it('says what is wrong with config.json', async () => {
    await file('{"port": 1,');
    expect(problems([])[0]).to.contain('config.json is not valid JSON');
    await file({ prot: 1 });
    expect(problems([])[0]).to.contain("unknown setting 'prot'").and.to.contain('did you mean port?');
    await file({ port: '80' });
    expect(problems([])).to.deep.equal([
      "port in config.json must be a port number from 0 to 65535, not '80'",
    ]);
    await file('[]');
    expect(problems([])[0]).to.contain('must hold a JSON object');
  });

  it('names every problem at once', () => {
    expect(problems(['--port', 'x', '--vault', 'y'])).to.have.length(2);
  });

  it('knows the test-only switches under NODE_ENV=test and bench alone', () => {
    const argv = ['--paper-sim', '127.0.0.1:4000', '--fault-script', '/f.json', '--held-runner'];
    for (const NODE_ENV of ['test', 'bench']) {
      expect(settings(argv, { NODE_ENV })).to.deep.include({
        paperSim: { host: '127.0.0.1', port: 4000 },
        faultScript: '/f.json',
        heldRunner: true,
      });
    }
    for (const NODE_ENV of [undefined, 'production']) {
      expect(problems(argv, { NODE_ENV })).to.have.length(3);
      const env = { NODE_ENV, TANDEM_PAPER_SIM: '127.0.0.1:4000', TANDEM_HELD_RUNNER: 'true' };
      expect(settings([], env)).to.deep.include({ paperSim: null, heldRunner: false });
    }
    expect(problems(['--paper-sim', 'nowhere'], { NODE_ENV: 'test' })).to.have.length(1);
    expect(settings(['--paper-sim', '[::1]:4000'], { NODE_ENV: 'test' }).paperSim).to.deep.equal({
      host: '::1',
      port: 4000,
    });
  });

  it('finds the application-data folder of each system', async () => {
    const at = (platform: NodeJS.Platform, env: Env) =>
      dataDirOf({ env, homedir: '/home/u', platform }, undefined);
    expect(at('linux', {})).to.equal('/home/u/.local/share/tandem');
    expect(at('linux', { XDG_DATA_HOME: '/data' })).to.equal('/data/tandem');
    expect(at('linux', { XDG_DATA_HOME: 'relative' })).to.equal('/home/u/.local/share/tandem');
    expect(at('darwin', {})).to.equal('/home/u/Library/Application Support/tandem');
    expect(at('win32', { LOCALAPPDATA: '/local' })).to.equal('/local/tandem');
    expect(dataDirOf({ env: {}, homedir: '/home/u', platform: 'linux' }, '~/x')).to.equal('/home/u/x');
    await mkdir(join(dataDir, 'inner'));
    expect(settings(['--data-dir', join(dataDir, 'inner', '..')]).dataDir).to.equal(dataDir);
  });
});
