/** The bot of the README, as it stands there, in a folder of its own that has installed the package. */
import { spawn } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { buildGateway } from '../support/gateway-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Trader, trader } from '../support/trader.ts';

/** Long enough for new prices of every instrument. */
const TICKS_MS = 500;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The first program in JavaScript below a heading. */
async function botOf(page: string, heading: string): Promise<string> {
  const text = await readFile(join(ROOT, page), 'utf8');
  const [, after = ''] = text.split(`## ${heading}\n`);
  const code = /```js\n([\s\S]*?)```/.exec(after)?.[1];
  if (code === undefined) throw new Error(`${page} has no bot under "${heading}"`);
  return code;
}

describe('the bots on the library in README and docs/bots.md', () => {
  let gateway: TestGateway;

  before(async () => {
    buildGateway();
    gateway = await startTestGateway();
  });
  after(() => gateway.close());

  async function run(program: string, user: Trader) {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'node_modules'));
    await symlink(ROOT, join(folder, 'node_modules', 'tandem-gateway'), 'dir');
    await writeFile(join(folder, 'bot.mjs'), program);
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
    const complaints = text(bot.stderr);
    const said: string[] = [];
    for await (const line of createInterface({ input: bot.stdout })) {
      said.push(line);
      // The market moves on once the bot has seen where it stands.
      await gateway.clock.advance(TICKS_MS);
    }
    expect(await complaints).to.equal('');
    expect(await ended).to.equal(0);
    return said;
  }

  it('opens a pair, closes it and lists its fills', async () => {
    const user = await trader(gateway);
    const lines = await run(await botOf('README.md', 'One bot'), user);
    expect(lines[0]?.trim()).to.equal('COMPLETED');
    expect(lines[1]).to.match(/^gross [\d.]+ unrealised -?[\d.]+$/);
    expect(lines[2]).to.equal('COMPLETED');
    const fills = lines.slice(3);
    expect(fills.filter((line) => line.startsWith('SOL-PERP '))).to.have.length.greaterThan(1);
    expect(fills.filter((line) => line.startsWith('AVAX-PERP '))).to.have.length.greaterThan(1);
    const { json } = await user.call('GET', '/positions?status=OPEN');
    expect(json.positions).to.deep.equal([]);
  });

  it('prints what prices say', async () => {
    const user = await trader(gateway, { email: 'bob@example.test' });
    const lines = await run(await botOf('docs/bots.md', 'With the client library for TypeScript'), user);
    expect(lines).to.have.length(3);
    for (const line of lines) expect(line).to.match(/^BTC \/ ETH \d+\.\d+$/);
  });
});
