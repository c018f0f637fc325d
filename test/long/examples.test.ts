/** The bots of `docs/examples`, as they are, each on an account of its own, on a paper venue at high speed. */
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { ROOT } from '../support/documents.ts';
import { gatewayClient } from '../support/gateway-client.ts';
import { buildGateway, type GatewayProcess, launchGateway } from '../support/gateway-process.ts';
import { findPython, PYTHON_PACKAGES } from '../support/python.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Trader, trader } from '../support/trader.ts';

const FOLDER = join(ROOT, 'docs', 'examples');
const SIGNAL = '{"id":"s-1","long":"SOL-PERP","short":"AVAX-PERP","usd":"200"}';
const CLOSE = '{"id":"s-2","close":"s-1"}';

interface Example {
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Checks the example's output and the account afterwards. */
  readonly holds: (said: string, bot: Trader) => Promise<void>;
}

const open = async (bot: Trader) => (await bot.positions()).length;

const EXAMPLES: Readonly<Record<string, Example>> = {
  // Every z-score opens, and every one closes.
  'pair-mean-reversion': {
    env: { ENTRY: '0', EXIT: '100', MIN_GAIN: '0', ROUNDS: '3', EVERY: '0.1' },
    async holds(said, bot) {
      const one = 'z -?[\\d.]+: ';
      expect(said).to.match(
        new RegExp(`^${one}opened COMPLETED\\n${one}closed COMPLETED\\n${one}opened COMPLETED\\n$`),
      );
      expect(await open(bot)).to.equal(1);
    },
  },
  'index-against-majors': {
    env: { UNTIL: 'position.created' },
    async holds(said, bot) {
      expect(said).to.match(/^opened COMPLETED/m);
      expect(said).to.match(/^position\.created /m);
      expect(said).to.match(/^rebalancing ACTIVE$/m);
      const [position] = await bot.positions();
      expect(position.legs).to.have.length(6);
      expect(position.autoRebalance.minimumDrift).to.equal('0.02');
    },
  },
  // At this speed the range of three minutes breaks in a moment.
  breakout: {
    env: { CANDLES: '3' },
    async holds(said, bot) {
      expect(said).to.match(/broke out: (BUY|SELL) \w+-PERP, (BUY|SELL) \w+-PERP\n/);
      const { json } = await bot.call('GET', '/triggers?status=ACTIVE&kind=OPEN');
      expect(json.triggers).to.deep.equal([]);
      const { json: all } = await bot.call('GET', '/triggers');
      expect(all.triggers.map((one: { bracketType: string | null }) => one.bracketType)).to.include.members([
        'TAKE_PROFIT',
        'STOP_LOSS',
      ]);
    },
  },
  'copy-feed': {
    env: {},
    input: `${SIGNAL}\n${SIGNAL}\nnonsense\n${CLOSE}\n${CLOSE}\n${SIGNAL}\n`,
    async holds(said, bot) {
      expect(said.split('\n').filter((line) => line === 's-1: opened COMPLETED')).to.have.length(3);
      expect(said).to.contain('s-2: closed COMPLETED\n');
      const { json } = await bot.call('GET', '/executions');
      expect(json.executions.map(({ intent }: { intent: string }) => intent)).to.deep.equal([
        'CLOSE',
        'OPEN',
      ]);
      expect(await open(bot)).to.equal(0);
    },
  },
};

/** Tried on default folders, because it chooses its instruments itself. */
const CHOOSING = 'funding-carry';
const SEEDS = Array.from({ length: 20 }, (_, seed) => seed);

interface Spoken {
  readonly said: string;
  readonly complaints: string;
  readonly code: number | null;
}

/** Runs a bot until it ends. */
async function spoken(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  input = '',
): Promise<Spoken> {
  const child = spawn(command[0] ?? '', command.slice(1), {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], PYTHONPATH: join(ROOT, 'gateway', 'client', 'python'), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  child.stdin.end(input);
  const [said, complaints, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { said, complaints, code };
}

const typescript = (name: string) => [process.execPath, '--import', 'tsx', join(FOLDER, `${name}.ts`)];
const pythonFile = (name: string) => join(FOLDER, `${name.replaceAll('-', '_')}.py`);

/** null: the test is skipped, because no Python is here. */
function pythonFor(name: string): string | null {
  const python = findPython();
  if (python === null) {
    if (process.env['CI'] !== undefined) throw new Error(`no Python with ${PYTHON_PACKAGES} is here`);
    console.warn(`    *** ${name}.py HAS NOT BEEN RUN: no python3 with ${PYTHON_PACKAGES} here ***`);
  }
  return python;
}

describe('the bots of docs/examples', () => {
  let gateway: GatewayProcess;
  let url: string;

  before(async () => {
    buildGateway();
    gateway = launchGateway({ dataDir: await temporaryFolder(), flags: ['--paper-speed', '600'] });
    url = (await gateway.ready).url;
  });
  after(() => gateway.stop('SIGKILL'));

  it('are all tried here, in both languages', () => {
    // The journal is killed in test/recovery/long/event-journal.test.ts.
    const names = [...Object.keys(EXAMPLES), CHOOSING, 'event-journal'];
    expect(readdirSync(FOLDER).filter((name) => /\.(ts|py)$/.test(name))).to.have.members(
      names.flatMap((name) => [`${name}.ts`, `${name.replaceAll('-', '_')}.py`]),
    );
  });

  async function run(command: readonly string[], { env, input = '', holds }: Example, email: string) {
    const bot = await trader(gatewayClient(url), { email });
    const own = { TANDEM_URL: url, TANDEM_API_KEY: bot.key, ...env };
    const { said, complaints, code } = await spoken(command, own, input);
    expect(complaints.replaceAll(/^not a signal.*\n/gm, ''), said).to.equal('');
    expect(code).to.equal(0);
    await holds(said, bot);
  }

  for (const [name, example] of Object.entries(EXAMPLES)) {
    it(`${name} trades, in TypeScript`, () => run(typescript(name), example, `${name}@ts.test`));

    it(`${name} trades, in Python`, async function () {
      const python = pythonFor(name);
      if (python === null) return this.skip();
      await run([python, pythonFile(name)], example, `${name}@py.test`);
    });
  }
});

describe('the bots of docs/examples on a default folder', () => {
  /** Runs a bot on an account of its own. @returns its lines */
  async function lines(
    command: readonly string[],
    url: string,
    email: string,
    env: Readonly<Record<string, string>>,
  ): Promise<readonly string[]> {
    const bot = await trader(gatewayClient(url), { email });
    const own = { TANDEM_URL: url, TANDEM_API_KEY: bot.key, ...env };
    const { said, complaints, code } = await spoken(command, own);
    expect({ complaints, code }, said).to.deep.equal({ complaints: '', code: 0 });
    return said.trim().split('\n');
  }

  /** Two rounds of funding-carry and one basket of index-against-majors. True: funding-carry has opened. */
  async function trade(commandOf: (name: string) => readonly string[], seed: number): Promise<boolean> {
    const gateway = launchGateway({ dataDir: await temporaryFolder(), profile: 'realistic', seed });
    try {
      const { url } = await gateway.ready;
      const rounds = { ROUNDS: '2', EVERY: '0.1' };
      const [first = '', second = ''] = await lines(commandOf(CHOOSING), url, 'carry@seed.test', rounds);
      const opens = /^opened COMPLETED: long \S+, short \S+, [\d.]+% an hour, costs \$[\d.]+$/.test(first);
      expect(first, `seed ${seed}`).to.match(opens ? /^opened/ : /^waits: /);
      expect(second, `seed ${seed}`).to.match(opens ? /^holds [\d.]+% an hour/ : /^waits: /);
      const until = { UNTIL: 'position.created' };
      const index = await lines(commandOf('index-against-majors'), url, 'index@seed.test', until);
      expect(index.slice(0, 2).join('\n'), `seed ${seed}`).to.match(/^costs, .*\nopened COMPLETED/);
      return opens;
    } finally {
      await gateway.stop('SIGKILL');
    }
  }

  async function allSeeds(commandOf: (name: string) => readonly string[]): Promise<void> {
    const opened: number[] = [];
    for (const seed of SEEDS) if (await trade(commandOf, seed)) opened.push(seed);
    expect(opened.length, `opened with seeds ${opened}`).to.be.at.least(SEEDS.length / 2);
  }

  it('open what can be traded and pays its costs, in TypeScript', async function () {
    this.timeout(600_000);
    await allSeeds(typescript);
  });

  it('open what can be traded and pays its costs, in Python', async function () {
    this.timeout(600_000);
    const python = pythonFor(CHOOSING);
    if (python === null) return this.skip();
    await allSeeds((name) => [python, pythonFile(name)]);
  });
});
