/** The consent page has the colours and sizes of the dashboard. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const SCRIPT = fileURLToPath(new URL('../../../build/consent-tokens.mjs', import.meta.url));

describe('the tokens of the consent page', () => {
  it('are those of the dashboard', async () => {
    // Rejects with what the script says.
    await promisify(execFile)(process.execPath, [SCRIPT, '--check']);
  });
});
