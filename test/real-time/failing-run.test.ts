/** Errors of tests that are not assertions fail a run too. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const RUNNER = fileURLToPath(new URL('../run.mjs', import.meta.url));
const BROKEN = 'test/real-time/support/broken';

describe('a run of tests that are broken', () => {
  for (const [file, says] of [
    ['rejects', 'lost on the way'],
    ['no-tests', 'the file has no tests'],
    ['ends-its-process', 'its process ended (code 3)'],
    ['throws-later', 'too late'],
  ] as const)
    it(`${file}: fails and says "${says}"`, () => {
      const args = [RUNNER, '--no-build', '--workers', '1', `${BROKEN}/${file}.ts`];
      const run = spawnSync(process.execPath, args, { encoding: 'utf8' });
      expect(run.stdout).to.include(says).and.include('1 failing');
      expect(run.status).to.equal(1);
    });
});
