/** The bot of the README, as it stands there, in a folder of its own that has installed the package. */
import { spawn } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { buildGateway } from '../support/gateway-process.ts';
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.ts';
import { trader } from '../support/trader.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

async function readmeBot(): Promise<string> {
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
  const [, after = ''] = readme.split('## One bot');
  const code = /```js\n([\s\S]*?)```/.exec(after)?.[1];
  if (code === undefined) throw new Error('the README has no bot under "One bot"');
  return code;
}

describe('the bot of the README', function () {
  this.timeout(60_000);
  let gateway: TestGateway;

  before(async () => {
    buildGateway();
    gateway = await startTestGateway();
  });
  after(async () => {
    await gateway.close();
    await removeTemporaryFolders();
  });

  it('opens a pair, closes it and lists its fills', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'node_modules'));
    await symlink(ROOT, join(folder, 'node_modules', 'tandem-gateway'), 'dir');
    await writeFile(join(folder, 'bot.mjs'), await readmeBot());
    const user = await trader(gateway);
    const bot = spawn(process.execPath, ['bot.mjs'], {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        TANDEM_URL: gateway.url,
        TANDEM_API_KEY: user.key,
        TANDEM_ACCOUNT: user.accountId,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise<number | null>((resolve) => bot.once('close', resolve));
    const [said, complaints, code] = await Promise.all([text(bot.stdout), text(bot.stderr), ended]);
    expect(complaints).to.equal('');
    expect(code).to.equal(0);
    const lines = said.trim().split('\n');
    expect(lines[0]?.trim()).to.equal('COMPLETED');
    expect(lines[1]).to.match(/^gross [\d.]+ unrealised -?[\d.]+$/);
    expect(lines[2]).to.equal('COMPLETED');
    const fills = lines.slice(3);
    expect(fills.filter((line) => line.startsWith('SOL-PERP '))).to.have.length.greaterThan(1);
    expect(fills.filter((line) => line.startsWith('AVAX-PERP '))).to.have.length.greaterThan(1);
    const { json } = await user.call('GET', '/positions?status=OPEN');
    expect(json.positions).to.deep.equal([]);
  });
});
