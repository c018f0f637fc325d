/** Files that `--paper-replay` cannot mean: the start ends and says so, instead of reading without an end. */
import { execFileSync } from 'node:child_process';
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { tandem } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('--paper-replay', () => {
  const start = async (file: string) =>
    tandem(
      [
        'start',
        '--port',
        '0',
        '--vault',
        'memory',
        '--paper-replay',
        file,
        '--data-dir',
        await temporaryFolder(),
      ],
      { interrupted: AbortSignal.abort() },
    );

  it('takes no device, pipe or folder', async function () {
    if (process.platform === 'win32') this.skip();
    const pipe = join(await temporaryFolder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    for (const file of [await temporaryFolder(), '/dev/zero', pipe])
      expect(await start(file)).to.include({
        code: 1,
        err: `tandem: the candles of --paper-replay cannot be read: ${file} is no file`,
      });
  });

  it('takes no file that is larger than what is read', async () => {
    const file = join(await temporaryFolder(), 'candles.csv');
    await writeFile(file, 'symbol,t,open,high,low,close,volume\n');
    await truncate(file, 256 * 1024 * 1024 + 1);
    const { code, err } = await start(file);
    expect(code).to.equal(1);
    expect(err).to.match(/has 268435457 bytes, more than the 268435456 that are read$/);
  });
});
