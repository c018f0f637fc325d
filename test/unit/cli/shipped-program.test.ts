/** The built program as it is shipped: what it obeys, and what it hands to the programs that it starts. */

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, watch } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { buildGateway } from '../../support/gateway-process.ts';
import { startTandem } from '../../support/tandem-process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const TEST_SETTINGS = [
  '--paper-sim',
  '--fault-script',
  '--held-runner',
  'TANDEM_FAULT_SCRIPT',
  'TANDEM_HELD_RUNNER',
];

describe('the shipped program', function () {
  this.timeout(240_000);
  before(() => buildGateway());

  it('has no test settings in it, and the file that has them is not shipped', async () => {
    const bundle = await readFile(join(ROOT, 'dist', 'gateway.cjs'), 'latin1');
    for (const name of TEST_SETTINGS) expect(bundle.includes(name), name).to.equal(false);
    const { files } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    expect(files).to.include('!dist/test-settings.cjs');
    const packaged = await readFile(join(ROOT, 'electron-builder.yml'), 'utf8');
    expect(packaged).to.contain("- '!dist/test-settings.cjs'");
  });

  it('has the programs of live venues in files of their own', async () => {
    const programs = {
      'late-hyperliquid': ['clearinghouseState', 'HyperliquidTransaction:ApproveAgent', 'secp256k1'],
      'late-lighter': ['orderBookDetails', 'ClientOrderIndex', 'account_all_positions'],
    };
    const read = (name: string) => readFile(join(ROOT, 'dist', `${name}.cjs`), 'latin1');
    const bundle = await read('gateway');
    for (const [name, words] of Object.entries(programs)) {
      const late = await read(name);
      for (const word of words) {
        expect(bundle.includes(word), `${word} in the bundle`).to.equal(false);
        expect(late.includes(word), `${word} in ${name}`).to.equal(true);
      }
    }
  });

  it('does not know them under NODE_ENV=test either', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'dist'));
    for (const name of await readdir(join(ROOT, 'dist')))
      if (/\.cjs$|^build\.json$/.test(name) && name !== 'test-settings.cjs')
        await copyFile(join(ROOT, 'dist', name), join(folder, 'dist', name));
    await mkdir(join(folder, 'build'));
    await copyFile(join(ROOT, 'build', 'tandem.cjs'), join(folder, 'build', 'tandem.cjs'));
    const { status, stderr } = spawnSync(
      process.execPath,
      [
        join(folder, 'build', 'tandem.cjs'),
        'start',
        '--fault-script',
        '/f.json',
        '--data-dir',
        join(folder, 'data'),
      ],
      { encoding: 'utf8', env: { ...process.env, NODE_ENV: 'test' } },
    );
    expect([status, stderr.includes('unknown flag --fault-script')]).to.deep.equal([2, true]);
  });

  it('gives a browser that it opens none of its settings', async function () {
    if (process.platform !== 'linux') this.skip();
    const folder = await temporaryFolder();
    const seen = join(folder, 'seen');
    const browser = join(folder, 'xdg-open');
    await writeFile(browser, `#!/bin/sh\nenv > '${seen}.part'\nmv '${seen}.part' '${seen}'\n`);
    const changes = watch(folder);
    await chmod(browser, 0o755);
    const gateway = startTandem(
      [
        'start',
        '--open',
        '--json-ready',
        '--port',
        '0',
        '--vault',
        'file',
        '--data-dir',
        join(folder, 'data'),
      ],
      {
        env: {
          PATH: `${folder}:${process.env['PATH']}`,
          TANDEM_PASSPHRASE: 'a secret of eight',
          TANDEM_API_KEY: 'tdm_secret',
          DISPLAY: ':7',
        },
      },
    );
    try {
      await gateway.line((line) => line.includes('"ready":true'));
      while (!existsSync(seen)) await once(changes, 'change');
      const env = await readFile(seen, 'utf8');
      expect(env).to.contain('DISPLAY=:7').and.not.to.contain('TANDEM_').and.not.to.contain('secret');
    } finally {
      changes.close();
      await gateway.stop('SIGTERM');
    }
  });
});
