/** The consent page has the colours and sizes of the dashboard. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const SCRIPT = fileURLToPath(new URL('../../../build/consent-tokens.mjs', import.meta.url));

const run = (...words: readonly string[]) =>
  new Promise<object>((resolve) => {
    execFile(process.execPath, [SCRIPT, ...words], (error, _, said) =>
      resolve({ code: error === null ? 0 : error.code, said }),
    );
  });

describe('the tokens of the consent page', () => {
  it('are those of the dashboard', async () => {
    expect(await run('--check')).to.deep.equal({ code: 0, said: '' });
  });
});
