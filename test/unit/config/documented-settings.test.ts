/** The settings table of `docs/running.md` says what `config.ts` does. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadSettings, SETTING_FLAGS } from '../../../gateway/config.ts';

const PAGE = readFileSync(new URL('../../../docs/running.md', import.meta.url), 'utf8');

interface Row {
  readonly flag: string;
  readonly variable: string;
  readonly file: string;
  readonly byDefault: string;
}

const rows: readonly Row[] = PAGE.split('\n')
  .filter((line) => /^\| (`--[a-z-]+`)? ?\| (`TANDEM_[A-Z_]+`)? ?\|/.test(line))
  .map((line) => {
    const [, flag = '', variable = '', file = '', byDefault = ''] = line
      .split('|')
      .map((cell) => cell.trim().replaceAll('`', ''));
    return { flag, variable, file, byDefault };
  });

/** Value that each setting either refuses in words that contain it, or stores. */
const STRANGE = 'zzz!';

describe('settings table of docs/running.md', () => {
  let dataDir = '';
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'tandem-test-'));
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  function load(argv: readonly string[], env: Readonly<Record<string, string>>) {
    const around = { argv, env, homedir: dataDir, platform: 'linux' as const };
    return loadSettings(around);
  }
  const seen = (loaded: ReturnType<typeof load>) =>
    JSON.stringify(loaded.ok ? loaded.value : loaded.error).includes(STRANGE);

  it('names every flag, and none that does not exist', () => {
    const named = rows.flatMap(({ flag }) => (flag === '' ? [] : [flag]));
    expect(named).to.deep.equal(SETTING_FLAGS.map(({ name }) => name));
  });

  it('names variables that are read', () => {
    const variables = rows.flatMap(({ variable }) => (variable === '' ? [] : [variable]));
    expect(variables).to.have.length.greaterThan(10);
    for (const variable of variables) {
      const loaded = load([], { [variable]: STRANGE });
      // A passphrase is never shown, not even a refused one.
      const noticed = variable === 'TANDEM_PASSPHRASE' ? !loaded.ok : seen(loaded);
      expect(noticed, variable).to.equal(true);
    }
  });

  it('names keys of config.json that are read', async () => {
    const keys = rows.flatMap(({ file }) => (file === '' ? [] : [file]));
    expect(keys).to.have.length.greaterThan(9);
    for (const key of keys) {
      const [group = '', inner] = key.split('.');
      const content = inner === undefined ? { [group]: STRANGE } : { [group]: { [inner]: STRANGE } };
      await writeFile(join(dataDir, 'config.json'), JSON.stringify(content));
      const loaded = load(['--data-dir', dataDir], {});
      expect(seen(loaded), key).to.equal(true);
      expect(JSON.stringify(loaded)).not.to.contain('unknown setting');
    }
  });

  it('says the defaults', () => {
    const loaded = load(['--data-dir', dataDir], {});
    if (!loaded.ok) throw new Error(loaded.error.join());
    const values: Readonly<Record<string, unknown>> = {
      ...loaded.value,
      'ui.host': loaded.value.uiHost,
      'oauth.accessSeconds': loaded.value.oauthAccessSeconds,
      'oauth.refreshDays': loaded.value.oauthRefreshDays,
      'oauth.grantDays': loaded.value.oauthGrantDays,
    };
    for (const { file, byDefault } of rows.filter((row) => row.file !== '')) {
      const value = values[file];
      if (value === null) expect(byDefault, file).to.match(/none|random/);
      else expect(byDefault, file).to.equal(String(value));
    }
  });
});
