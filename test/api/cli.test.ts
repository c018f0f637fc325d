/** The command line as a person uses it: real processes, a real gateway between them, killed on the way. */
import { execFile } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { build } from 'esbuild';
import { buildGateway, type GatewayProcess, launchGateway } from '../support/gateway-process.ts';
import type { Json } from '../support/json.ts';
import { runTandem, startTandem, type TandemEnd, type TandemOptions } from '../support/tandem-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const BOTS = fileURLToPath(new URL('../../docs/bots.md', import.meta.url));
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PASSWORD = 'correct horse battery';
const EMAIL = ['--email', 'ada@example.test'];
const BASKET = ['--long', 'BTC=500', '--short', 'ETH=250', '--short', 'sol=250'];

describe('tandem, from nothing to a closed basket', () => {
  let dataDir = '';
  let gateway: GatewayProcess;
  let url = '';

  async function start(): Promise<void> {
    gateway = launchGateway({ dataDir });
    ({ url } = await gateway.ready);
  }

  before(async () => {
    buildGateway();
    dataDir = await temporaryFolder();
    await start();
  });
  after(() => gateway.stop('SIGKILL'));

  const tandem = (argv: readonly string[], options?: TandemOptions): Promise<TandemEnd> =>
    runTandem([...argv, '--data-dir', dataDir], options);
  /** Runs it with --json; whatever else it says goes to standard error, so the answer always parses. */
  async function json(argv: readonly string[], options?: TandemOptions): Promise<Json> {
    const end = await tandem([...argv, '--json'], options);
    if (end.code !== 0) throw new Error(`${argv.join(' ')}: ${end.code} ${end.err}`);
    return JSON.parse(end.out);
  }
  const openPositions = async (): Promise<Json[]> => (await json(['positions'])).positions;

  it('says what to do first: no key yet', async () => {
    const end = await tandem(['positions']);
    expect([end.code, end.out]).to.deep.equal([1, '']);
    expect(end.err).to.equal(
      'tandem: no API key: make one with `tandem keys create --save`, or set TANDEM_API_KEY',
    );
  });

  it('makes the first user and a key, and keeps the key for itself alone', async () => {
    const end = await tandem(['keys', 'create', '--save', '--label', 'bot', ...EMAIL], {
      env: { TANDEM_PASSWORD: PASSWORD },
    });
    expect(end.code).to.equal(0);
    expect(end.out).to.match(/^tdm_[A-Za-z0-9_-]{43}$/);
    expect(end.err).to.contain('funded paper account').and.to.contain('shown only this once');
    const file = join(dataDir, 'cli.json');
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
    expect(JSON.parse(await readFile(file, 'utf8')).apiKey).to.equal(end.out);

    const list = await tandem(['keys', 'list', ...EMAIL], { input: `${PASSWORD}\n` });
    expect(list.out).to.match(/^bot +read_write +tdm_/m);
    expect(list.out).not.to.contain(end.out);
    const wrong = await tandem(['keys', 'list', ...EMAIL], { input: 'not the password\n' });
    expect([wrong.code, wrong.err]).to.deep.equal([1, 'tandem: wrong email or password']);
  });

  it('shows the gateway and the account', async () => {
    const [status, accounts] = await Promise.all([tandem(['status']), tandem(['accounts'])]);
    expect(status.code).to.equal(0);
    expect(status.out)
      .to.contain(url)
      .and.to.match(/^ready +yes$/m)
      .and.to.match(/^paper-cross +PAPER +UP$/m);
    expect(accounts.out).to.match(/^Paper +paper +PAPER +READY +[0-9a-f-]{36}$/m);
  });

  it('plans a basket without ordering anything', async () => {
    const end = await tandem(['open', ...BASKET, '--dry-run']);
    expect(end.code).to.equal(0);
    expect(end.out)
      .to.match(/^BTC +long /m)
      .and.to.match(/^SOL +short /m)
      .and.to.match(/^free margin +100,000\.00 USD$/m);
    expect(end.err).to.equal('Dry run: nothing was ordered.');
    expect((await json(['executions'])).executions).to.deep.equal([]);
  });

  it('opens it, and a tail that is running hears it', async () => {
    const tail = startTandem(['tail', '--json', '--channel', 'status', '--data-dir', dataDir]);
    await tail.line((line) => JSON.parse(line).channel === 'status');
    const completed = tail.line((line) => JSON.parse(line).event === 'execution.completed');
    const created = tail.line((line) => JSON.parse(line).event === 'position.created');

    const end = await tandem(['open', ...BASKET]);
    expect([end.code, end.err]).to.deep.equal([0, '']);
    expect(end.out)
      .to.match(/^PAPER: Paper \(paper\)\nExecution [0-9a-f-]{36} +OPEN +COMPLETED/)
      .and.to.match(/^BTC-PERP +buy +FILLED/m);
    const [, executionId] = /^Execution ([0-9a-f-]{36})/m.exec(end.out) ?? [];
    const [, positionId] = /^Position ([0-9a-f-]{36})$/m.exec(end.out) ?? [];
    expect(JSON.parse(await completed).data.entityId).to.equal(executionId);
    expect(JSON.parse(await created).data.entityId).to.equal(positionId);
    expect((await tail.stop('SIGINT')).code).to.equal(0);

    const one = await json(['executions', executionId ?? '']);
    expect(one.execution).to.include({ id: executionId, status: 'COMPLETED', positionId });
  });

  it('passes on what happens when a leg of a waiting order fails @long', async () => {
    const pair = ['--long', 'BTC=500', '--short', 'ETH=500', '--on-leg-failure', 'unwind'];
    const ladder = ['--of', 'BTC', '--above', '90000000,99000000', '--levels', '2'];
    for (const words of [
      ['triggers', 'open', '--when', 'BTC>90000000'],
      ['ladders', 'open', ...ladder],
    ]) {
      const { id, onLegFailure } = await json([...words, ...pair]);
      expect(onLegFailure, words.join(' ')).to.equal('UNWIND');
      expect((await tandem([words[0] ?? '', 'cancel', id])).code).to.equal(0);
    }
    const refused = await tandem(['close', '0', '--on-leg-failure', 'unwind']);
    expect([refused.code, refused.err.split('\n')[0]]).to.deep.equal([
      2,
      "tandem: --on-leg-failure must be one of keep, retry, not 'unwind'",
    ]);
  });

  it('closes a part by the id that positions shows, then the rest', async () => {
    const table = await tandem(['positions', '--legs']);
    const id = /[0-9a-f]{12}$/m.exec(table.out)?.[0] ?? '';
    const part = await tandem(['close', id, '--fraction', '0.5']);
    expect(part.code).to.equal(0);
    expect(part.out).to.match(/REDUCE +COMPLETED/);
    const rest = await tandem(['close', id]);
    expect(rest.code).to.equal(0);
    expect(rest.out).to.match(/CLOSE +COMPLETED/);
    expect((await tandem(['positions'])).out).to.equal('PAPER: Paper (paper)\nNo open positions.');
    expect((await tandem(['positions', '--all'])).out).to.match(/^BTC \/ ETH\+SOL .* CLOSED /m);
    const nothing = await tandem(['close', id]);
    expect([nothing.code, nothing.err]).to.deep.equal([
      1,
      `tandem: no open position '${id}'; see tandem positions`,
    ]);
  });

  it('finds a taken port, and says when it is Tandem that has it', async () => {
    const folder = await temporaryFolder();
    const end = await runTandem([
      'start',
      '--data-dir',
      folder,
      '--port',
      new URL(url).port,
      '--log-level',
      'silent',
    ]);
    expect([end.code, end.out]).to.deep.equal([1, '']);
    expect(end.err).to.match(
      /^tandem: port \d+ is taken by another Tandem \(\d+\.\d+\.\d+, on another data folder\); stop it, or choose another port/,
    );
  });

  it('examines the installation: 0 when it works, 1 when something is broken @long', async () => {
    const port = ['--port', new URL(url).port, '--vault', 'file'];
    const well = await json(['doctor', ...port]);
    expect(well.healthy).to.equal(true);
    expect(well.findings.find((one: Json) => one.check === 'data folder').detail).to.contain(url);
    const broken = await temporaryFolder();
    await writeFile(join(broken, 'tandem.db'), 'no database');
    const ill = await runTandem(['doctor', '--data-dir', broken, '--port', '0', '--vault', 'file']);
    expect(ill.code).to.equal(1);
    expect(ill.out)
      .to.match(/^FAIL +database /m)
      .and.to.match(/→ restore a backup/);
  });

  it('runs the bot of docs/bots.md as it is written there @long', async () => {
    const [, bot = ''] = /```ts\n([\s\S]*?)```/.exec(await readFile(BOTS, 'utf8')) ?? [];
    const outfile = join(await temporaryFolder(), 'bot.mjs');
    await build({
      stdin: { contents: bot, resolveDir: ROOT, loader: 'ts' },
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      external: ['bufferutil', 'utf-8-validate'],
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      },
    });
    const account = (await json(['accounts'])).tradeAccounts[0].id;
    const key = JSON.parse(await readFile(join(dataDir, 'cli.json'), 'utf8')).apiKey;
    const env = { TANDEM_URL: url, TANDEM_API_KEY: key, TANDEM_ACCOUNT: account };
    const printed = await new Promise<string>((resolve, reject) => {
      execFile(process.execPath, [outfile], { env }, (error, stdout, stderr) =>
        error === null ? resolve(stdout) : reject(new Error(`${error.message}: ${stderr}`)),
      );
    });
    expect(printed.trimEnd().split('\n')).to.have.length(3);
    expect(printed).to.match(/^COMPLETED \ngross \d+(\.\d+)? unrealised -?\d+(\.\d+)?\nCOMPLETED\n$/);
    expect(await openPositions()).to.deep.equal([]);
  });

  it('stops gracefully on Ctrl-C, which npm sends a second time', async () => {
    const ended = gateway.stop('SIGINT');
    // Apart, or the system would deliver both as one: whoever answers or refuses afterwards has had the first.
    await fetch(`${url}/health`).catch(() => undefined);
    gateway.stop('SIGINT').catch(() => undefined);
    // A second one that finds it closed already ends it by the signal; not waiting for the close would be a 1.
    expect((await ended).code).not.to.equal(1);
    await expectNoFile(join(dataDir, 'gateway.lock'));
    await start();
    expect(await gateway.stop('SIGTERM')).to.deep.equal({ code: 0, signal: null });
  });
});

async function expectNoFile(path: string): Promise<void> {
  const found = await stat(path).then(
    () => true,
    () => false,
  );
  expect(found, path).to.equal(false);
}
