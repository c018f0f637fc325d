/**
 * `npm run test:clients`: programs that agents live in, as their makers ship them, without a model. They are installed from
 * the npm registry into a temporary folder that is kept for the next run (1 GB), with a Node 22 for those that need one.
 * A missing client is named and counts as skipped; nothing here is part of `npm test`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect } from 'chai';
import { until } from '../real-time/support/until.ts';
import { consentVisitor } from '../support/consent-visitor.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { namesOf, TOOL_NAMES } from '../support/mcp-tools.ts';
import { READ_WRITE } from '../support/oauth-client.ts';
import { runTandem } from '../support/tandem-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Trader, trader } from '../support/trader.ts';

const NODE_22 = `node-${process.platform}-${process.arch}@22.23.3`;
const INSTALL_MS = 500_000;

interface End {
  readonly code: number | null;
  /** Both streams, as they came. */
  readonly said: string;
  readonly out: string;
}

/** Programs of a package, and a Node 22 before them on the search path. */
async function installed(...specs: readonly string[]): Promise<string> {
  const name = createHash('sha256').update(specs.join(' ')).digest('hex').slice(0, 12);
  const folder = join(tmpdir(), `tandem-clients-${name}`);
  const done = join(folder, 'done');
  if (!existsSync(done)) {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'package.json'), '{"private":true}');
    const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...specs];
    const { status, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8', timeout: INSTALL_MS });
    if (status !== 0) throw new Error(`NOT TO BE HAD HERE: ${specs.join(' ')}: ${stderr.slice(-300)}`);
    await writeFile(done, '');
  }
  return join(folder, 'node_modules');
}

describe('real clients', function () {
  this.timeout(INSTALL_MS + 120_000);
  let gateway: TestGateway;
  let bot: Trader;
  let node22 = '';
  before(async () => {
    gateway = await startTestGateway();
    bot = await trader(gateway);
    node22 = await installed(NODE_22).then(
      (modules) => join(modules, `node-${process.platform}-${process.arch}`, 'bin'),
      (error: Error) => {
        console.log(`      ${error.message}`);
        return '';
      },
    );
  });
  after(() => gateway.close());

  /** An environment with nothing of this one in it but the search path. */
  async function home(): Promise<{ readonly cwd: string; readonly env: NodeJS.ProcessEnv }> {
    const folder = await mkdtemp(join(await temporaryFolder(), 'home-'));
    const cwd = join(folder, 'project');
    await mkdir(cwd);
    return {
      cwd,
      env: {
        PATH: [node22, process.env['PATH']].filter((part) => part !== '').join(delimiter),
        HOME: folder,
        GEMINI_CLI_TRUST_WORKSPACE: 'true',
        NO_COLOR: '1',
      },
    };
  }
  type Place = Awaited<ReturnType<typeof home>>;
  /** Not synchronously: the gateway is in this process. */
  function begin({ cwd, env }: Place, command: string, ...args: readonly string[]) {
    const child = spawn(command, args, { cwd, env, timeout: 90_000 });
    let said = '';
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += String(chunk);
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        said += String(chunk);
      });
    const ended = new Promise<End>((resolve) => child.once('close', (code) => resolve({ code, said, out })));
    return { ended, said: () => said };
  }
  const run = (place: Place, command: string, ...args: readonly string[]) =>
    begin(place, command, ...args).ended;
  /** The first line that `tandem connect` prints, as words; the program's name is replaced by its file. */
  async function printed(client: string, file: string): Promise<[string, ...string[]]> {
    const { out, code } = await runTandem(['connect', client, '--url', gateway.url]);
    expect(code).to.equal(0);
    const [, ...words] = (out.split('\n')[0] ?? '').split(' ');
    return [file, ...words];
  }
  /** Skips loudly what the registry does not give here. */
  async function have(context: Mocha.Context, ...specs: readonly string[]): Promise<string> {
    try {
      return await installed(...specs);
    } catch (error) {
      console.log(`      ${error instanceof Error ? error.message : String(error)}`);
      return context.skip();
    }
  }

  it('MCP Inspector CLI 2.12.0 lists the tools, strictly', async function () {
    const modules = await have(this, '@modelcontextprotocol/inspector@2.12.0');
    if (node22 === '') this.skip();
    const place = await home();
    const inspect = (...more: readonly string[]) =>
      run(
        place,
        join(modules, '.bin', 'mcp-inspector'),
        ...[
          '--cli',
          `${gateway.url}/mcp`,
          '--transport',
          'http',
          '--header',
          `x-api-key: ${bot.key}`,
          ...more,
        ],
      );
    const listed = await inspect('--strict', '--method', 'tools/list');
    expect(listed.code, listed.said).to.equal(0);
    expect(namesOf(JSON.parse(listed.out).tools)).to.deep.equal(TOOL_NAMES);
    const called = await inspect('--method', 'tools/call', '--tool-name', 'whoami');
    expect(called.code, called.said).to.equal(0);
    expect(called.said).to.include('ada@example.test');
  });

  it('Claude Code 2.1.332 takes what tandem connect prints', async function () {
    const modules = await have(this, '@anthropic-ai/claude-code@2.1.332');
    const place = await home();
    // Does the work of its install script: puts the program of this system in its place.
    await run(place, process.execPath, join(modules, '@anthropic-ai/claude-code/install.cjs'));
    const claude = join(modules, '.bin', 'claude');
    const [file, ...words] = await printed('claude-code', claude);
    const added = await run(place, file, ...words);
    expect(added.code, added.said).to.equal(0);
    const got = await run(place, claude, 'mcp', 'get', 'tandem');
    expect(got.code, got.said).to.equal(0);
    expect(got.said)
      .to.include(`${gateway.url}/mcp`)
      .and.match(/Needs authentication/i);
    const keyed = ['mcp', 'add', '--transport', 'http', 'keyed', `${gateway.url}/mcp`];
    const withKey = await run(place, claude, ...keyed, '--header', `x-api-key: ${bot.key}`);
    expect(withKey.code, withKey.said).to.equal(0);
    const list = await run(place, claude, 'mcp', 'list');
    expect(list.said).to.match(/keyed:.*Connected/);
  });

  it('Codex 0.169.0 takes what tandem connect prints, and logs in', async function () {
    const modules = await have(this, '@openai/codex@0.169.0');
    const place = await home();
    const codex = join(modules, '.bin', 'codex');
    const [file, ...words] = await printed('codex', codex);
    const adding = begin(place, file, ...words);
    const link = (said: string) => /(http:\/\/\S+\/authorize\?\S+)/.exec(said)?.[1] ?? null;
    // Some versions log in at once, others say how.
    await Promise.race([adding.ended, until('an end or a link', () => link(adding.said()), 60_000)]);
    const login = link(adding.said()) === null ? begin(place, codex, 'mcp', 'login', 'tandem') : adding;
    const page = await until('a link', () => link(login.said()), 60_000);
    await fetch(await consentVisitor(gateway).allow(page, READ_WRITE));
    expect((await login.ended).code, login.said()).to.equal(0);
    const list = await run(place, codex, 'mcp', 'list', '--json');
    const [server] = JSON.parse(list.out);
    expect(server).to.deep.include({ name: 'tandem', enabled: true });
    expect(server.transport).to.deep.include({ type: 'streamable_http', url: `${gateway.url}/mcp` });
  });

  it('Gemini CLI 0.61.0 takes what tandem connect prints', async function () {
    const modules = await have(this, '@google/gemini-cli@0.61.0');
    const place = await home();
    const gemini = join(modules, '.bin', 'gemini');
    const [file, ...words] = await printed('gemini', gemini);
    const added = await run(place, file, ...words);
    expect(added.code, added.said).to.equal(0);
    const keyed = ['mcp', 'add', '--transport', 'http', 'keyed', `${gateway.url}/mcp`];
    const withKey = await run(place, gemini, ...keyed, '--header', `x-api-key: ${bot.key}`);
    expect(withKey.code, withKey.said).to.equal(0);
    const { said } = await run(place, gemini, 'mcp', 'list');
    expect(said).to.match(new RegExp(`tandem: ${gateway.url}/mcp \\(http\\)`));
    expect(said).to.match(/keyed: .*Connected/);
  });
});
