/**
 * Data folders whose files do not belong together: removed, put back from another day, damaged. The start names the file and
 * what to do, and ends with 1; the repair that it names makes the folder start again.
 */
import { cp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { gatewayProcesses } from '../real-time/support/gateway-processes.ts';
import { processClient } from '../real-time/support/process-client.ts';
import { until } from '../real-time/support/until.ts';
import { tandem } from '../support/command-line.ts';
import type { GatewayClient } from '../support/gateway-client.ts';
import type { Json } from '../support/json.ts';
import { recordingTerminal } from '../support/recording-terminal.ts';
import { runTandem } from '../support/tandem-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { PAIR, type Trader, trader, traderOn } from '../support/trader.ts';

const startOf = (dataDir: string) => [
  ...['start', '--json-ready', '--port', '0', '--data-dir', dataDir, '--vault', 'file'],
  ...['--log-level', 'silent', '--registration', 'open'],
  ...['--paper-seed', '7', '--paper-profile', 'frictionless'],
];

describe('files that do not belong together', function () {
  this.timeout(120_000);
  const processes = gatewayProcesses();
  /** As a kill left it, after trades, and as the orderly stop before it did. */
  let killed: string;
  let stopped: string;
  let bot: Trader;

  const start = (dataDir: string) => processes.start({ dataDir });

  /** The command `tandem start` in this process. */
  async function startHere(dataDir: string) {
    const terminal = recordingTerminal();
    const stopping = new AbortController();
    let code: number | null = null;
    const ended = tandem(startOf(dataDir), { terminal, interrupted: stopping.signal }).then((end) => {
      code = end.code;
      return end.code;
    });
    const line = await until('it serves', () => terminal.outLines[0] ?? (code === null ? null : 'ended'));
    expect(line, terminal.errLines.join('\n')).not.to.equal('ended');
    return {
      ...processClient(JSON.parse(line).url),
      stop() {
        stopping.abort();
        return ended;
      },
    };
  }

  async function copyOf(folder: string): Promise<string> {
    const copy = await temporaryFolder();
    // A killed gateway leaves its socket there, which is no file.
    await cp(folder, copy, { recursive: true, filter: (path) => basename(path) !== 'socket' });
    return copy;
  }

  const inside = async (dataDir: string, prefix: string) =>
    (await readdir(dataDir)).filter((name) => name.startsWith(prefix)).map((name) => join(dataDir, name));
  const remove = async (dataDir: string, ...prefixes: string[]) => {
    for (const prefix of prefixes) for (const path of await inside(dataDir, prefix)) await rm(path);
  };

  before(async function () {
    this.timeout(120_000);
    const dataDir = await temporaryFolder();
    const first = await start(dataDir);
    bot = await trader(first);
    await bot.open(PAIR);
    await first.process.stop('SIGTERM');
    stopped = await copyOf(dataDir);
    const second = await start(dataDir);
    for (let n = 0; n < 3; n += 1) await traderOn(second, bot).open(PAIR);
    await second.process.stop('SIGKILL');
    killed = await copyOf(dataDir);
  });
  afterEach(processes.killAll);

  /** Error line of a start that must fail, in a process of its own. */
  async function refusalOfProcess(dataDir: string): Promise<string> {
    const process = processes.launch({ dataDir });
    const { code } = await process.ended;
    const said = process.errorLines.filter((line) => !line.startsWith('{'));
    expect(code, said.join('\n')).to.equal(1);
    expect(said).to.have.length(1);
    return said[0] ?? '';
  }

  /** Error line of a start that must fail, run without a process of its own: there are many kinds of harm. */
  async function refusal(dataDir: string): Promise<string> {
    const { code, err } = await tandem(startOf(dataDir), { interrupted: AbortSignal.timeout(60_000) });
    expect(code, err).to.equal(1);
    expect(err.split('\n')).to.have.length(1);
    return err;
  }

  async function startsAndTrades(dataDir: string, as: Trader = bot): Promise<void> {
    const again = await startHere(dataDir);
    try {
      await tradesOn(again, as);
    } finally {
      expect(await again.stop()).to.equal(0);
    }
  }

  async function tradesOn(gateway: GatewayClient, as: Trader): Promise<void> {
    const execution = await traderOn(gateway, as).open(PAIR);
    expect(execution.status).to.equal('COMPLETED');
    const fills: Json[] = (await traderOn(gateway, as).call('GET', '/fills?limit=200')).json.fills;
    expect(new Set(fills.map(({ tradeId }) => tradeId)).size).to.equal(fills.length);
  }

  interface Case {
    readonly name: string;
    readonly harm: (dataDir: string) => Promise<unknown>;
    readonly says: RegExp;
    /** null: it takes a backup. */
    readonly repair: 'database' | 'paper' | 'start-over' | null;
    /** Shown by the program as it is installed too, one for each repair; a process of its own is most of a case's cost. */
    readonly isShown?: true;
  }
  const older = async (dataDir: string, prefix: string) => {
    await remove(dataDir, prefix);
    for (const path of await inside(stopped, prefix)) await cp(path, path.replace(stopped, dataDir));
  };
  const garble = (file: string) => (dataDir: string) =>
    writeFile(join(dataDir, file), 'this is nothing that Tandem has written\nnor this\n');
  const cases: readonly Case[] = [
    {
      name: 'the database removed',
      harm: (dataDir) => remove(dataDir, 'tandem.db'),
      says: /tandem\.db is missing beside paper\.\*/,
      repair: 'start-over',
      isShown: true,
    },
    {
      name: 'the database removed, its log still there',
      harm: (dataDir) => rm(join(dataDir, 'tandem.db')),
      says: /tandem\.db is missing beside paper\.\*/,
      repair: 'start-over',
    },
    {
      name: 'an empty database in the place of the old one',
      harm: async (dataDir) => {
        await remove(dataDir, 'tandem.db');
        await writeFile(join(dataDir, 'tandem.db'), '');
      },
      says: /tandem\.db is empty beside paper\.\*/,
      repair: 'start-over',
    },
    {
      name: 'the write-ahead log removed',
      harm: (dataDir) => remove(dataDir, 'tandem.db-'),
      says: /tandem\.db-wal is missing: Tandem did not stop in order/,
      repair: 'database',
      isShown: true,
    },
    {
      name: 'a database of an earlier day',
      harm: (dataDir) => older(dataDir, 'tandem.db'),
      says: /tandem\.db(-wal is missing| is older than the rest of the folder)/,
      repair: 'database',
    },
    {
      name: 'the files of the paper venue removed',
      harm: (dataDir) => remove(dataDir, 'paper.'),
      says: /paper\.db is missing beside tandem\.db/,
      repair: 'paper',
      isShown: true,
    },
    {
      name: 'the database of the paper venue removed',
      harm: (dataDir) => remove(dataDir, 'paper.db'),
      says: /paper\.db is missing beside .*paper\.journal/,
      repair: 'paper',
    },
    {
      name: 'the journal of the paper venue removed',
      harm: (dataDir) => remove(dataDir, 'paper.journal'),
      says: /paper\.journal is missing beside paper\.db, and tandem\.db knows later trades/,
      repair: 'paper',
    },
    {
      name: 'files of the paper venue of an earlier day',
      harm: (dataDir) => older(dataDir, 'paper.'),
      says: /paper\.db and paper\.journal are older than tandem\.db/,
      repair: 'paper',
    },
    {
      name: 'a damaged database of the paper venue',
      harm: garble('paper.db'),
      says: /paper\.db is damaged/,
      repair: 'paper',
    },
    {
      name: 'a damaged journal',
      harm: garble('paper.journal'),
      says: /paper\.journal is damaged in line 1/,
      repair: 'paper',
    },
    {
      name: 'a database of the paper venue that was cut',
      harm: (dataDir) => truncate(join(dataDir, 'paper.db'), 5_000),
      says: /paper\.db is damaged/,
      repair: 'paper',
    },
    {
      name: 'a damaged database',
      harm: async (dataDir) => {
        await remove(dataDir, 'tandem.db-');
        await garble('tandem.db')(dataDir);
      },
      says: /tandem\.db is not a database\. Restore a backup copy/,
      repair: null,
      isShown: true,
    },
  ];

  /** Cases that also run as a process: a repair, and one that takes a backup. */
  const SHORT = ['the database removed', 'a damaged database'];

  it('a first start that was killed before its venues had a snapshot: the next one goes on @long', async () => {
    const dataDir = await temporaryFolder();
    for (const connector of ['paper', 'paper-cross']) {
      for (const kind of ['journal', 'archive']) await writeFile(join(dataDir, `${connector}.${kind}`), '');
    }
    const first = await start(dataDir);
    const fresh = await trader(first);
    await first.process.stop('SIGKILL');
    await startsAndTrades(dataDir, fresh);
  });

  for (const { name, harm, says, repair, isShown } of cases) {
    it(`are named: ${name}${SHORT.includes(name) ? '' : ' @long'}`, async () => {
      const dataDir = await copyOf(killed);
      await harm(dataDir);
      const said = await refusal(dataDir);
      expect(said).to.match(says);
      // Refused again, and in the same words from the program itself: the first refusal has changed nothing.
      expect(await (isShown ? refusalOfProcess : refusal)(dataDir)).to.equal(said);
      if (repair === null) return;
      expect(said).to.contain(`run tandem doctor --repair ${repair}`);
      const doctor = await tandem(['doctor', '--json', '--data-dir', dataDir, '--vault', 'file']);
      expect(doctor.code).to.equal(1);
      const finding = JSON.parse(doctor.out).findings.find((one: Json) => one.check === 'data files');
      expect(finding.level).to.equal('FAIL');
      expect(said).to.contain(finding.detail);

      const repaired = await (isShown ? runTandem : tandem)([
        'doctor',
        '--repair',
        repair,
        '--data-dir',
        dataDir,
        '--vault',
        'file',
      ]);
      expect(repaired.out).to.match(/OK +data files +belong together/);
      if (repair !== 'start-over') return startsAndTrades(dataDir);
      const fresh = await startHere(dataDir);
      try {
        expect((await (await trader(fresh)).open(PAIR)).status).to.equal('COMPLETED');
      } finally {
        expect(await fresh.stop()).to.equal(0);
      }
      expect(await inside(dataDir, 'set-aside-')).to.have.length(1);
    });
  }

  it('start as they are after a kill, and after the journal of the venue was emptied', async () => {
    await startsAndTrades(await copyOf(killed));
    const emptied = await copyOf(killed);
    await truncate(join(emptied, 'paper.journal'), 0);
    await startsAndTrades(emptied);
  });

  it('are repaired by nobody while a gateway runs on them', async () => {
    const dataDir = await copyOf(stopped);
    const { process } = await start(dataDir);
    const refused = await runTandem(['doctor', '--repair', 'paper', '--data-dir', dataDir]);
    expect(refused.code).to.equal(1);
    expect(refused.err).to.match(/a gateway \(pid \d+\) runs on/);
    expect(await process.stop('SIGTERM')).to.deep.equal({ code: 0, signal: null });
    const unknown = await runTandem(['doctor', '--repair', 'all', '--data-dir', dataDir]);
    expect(unknown.code).to.equal(2);
  });
});
