/** Name of the program in hints: its short name only where that is this very program. */
import { chmod, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { programFile, shellName } from '../../../gateway/cli/program-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const LAUNCHER = fileURLToPath(new URL('../../../build/tandem.cjs', import.meta.url));

describe('the name of the program in hints', () => {
  it('is tandem once it is linked, else its path, also where another program has the name', async () => {
    expect(programFile('tandem.cjs')).to.equal(LAUNCHER);
    const [linked, foreign, empty] = [
      await temporaryFolder(),
      await temporaryFolder(),
      await temporaryFolder(),
    ];
    await symlink(LAUNCHER, join(linked, 'tandem'));
    await writeFile(join(foreign, 'tandem'), '#!/bin/sh\n');
    await chmod(join(foreign, 'tandem'), 0o755);
    const name = (...folders: string[]) => shellName({ PATH: folders.join(delimiter) }, 'linux');
    expect(name(empty, linked, foreign)).to.equal('tandem');
    expect(name(foreign, linked)).to.equal(`node '${LAUNCHER}'`);
    expect([name(empty), shellName({}, 'linux')]).to.deep.equal(Array(2).fill(`node '${LAUNCHER}'`));
  });

  it('is found in the script that npm makes on Windows', async () => {
    const folder = await temporaryFolder();
    const name = () => shellName({ Path: folder }, 'win32');
    expect(name()).to.equal(`node "${LAUNCHER}"`);
    await writeFile(
      join(folder, 'tandem.cmd'),
      '"%dp0%\\node_modules\\tandem-gateway\\build\\tandem.cjs" %*',
    );
    expect(name()).to.equal('tandem');
  });
});
