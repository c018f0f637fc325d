/** `docs/examples/event-journal`, killed at random moments: no event is lost, and none is written twice. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { processClient } from '../../real-time/support/process-client.ts';
import { until } from '../../real-time/support/until.ts';
import { ROOT } from '../../support/documents.ts';
import { buildGateway, type GatewayProcess, launchGateway } from '../../support/gateway-process.ts';
import { findPython, PYTHON_PACKAGES } from '../../support/python.ts';
import { StormRandom } from '../../support/storm-random.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { PAIR, type Trader, trader } from '../../support/trader.ts';
import { followEvents } from '../support/event-follower.ts';

const EXAMPLES = join(ROOT, 'docs', 'examples');
const KILLS = 12;
const SEED = Number(process.env['TANDEM_SEED'] ?? 3);

interface Line {
  readonly seq: number;
  readonly event: string;
  readonly entityId?: string;
}

describe('the event journal of docs/examples', function () {
  this.timeout(240_000);
  let gateway: GatewayProcess;
  let bot: Trader;
  let port: number;
  let url: string;
  let journal: string;

  before(() => buildGateway());
  beforeEach(async () => {
    gateway = launchGateway({ dataDir: await temporaryFolder() });
    ({ url, port } = await gateway.ready);
    bot = await trader(processClient(url));
    journal = join(await temporaryFolder(), 'events.jsonl');
  });
  afterEach(() => gateway.stop('SIGKILL'));

  /** Whole lines of the journal. */
  async function lines(): Promise<readonly Line[]> {
    const text = await readFile(journal, 'utf8').catch(() => '');
    return text
      .slice(0, text.lastIndexOf('\n') + 1)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  }

  function start(command: readonly string[]): ChildProcess {
    return spawn(command[0] ?? '', command.slice(1), {
      cwd: ROOT,
      env: {
        PATH: process.env['PATH'],
        PYTHONPATH: join(ROOT, 'gateway', 'client', 'python'),
        TANDEM_URL: url,
        TANDEM_API_KEY: bot.key,
        JOURNAL: journal,
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  }

  async function kill(child: ChildProcess): Promise<void> {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    expect((await ended)[1], 'it had not ended by itself').to.equal('SIGKILL');
  }

  async function survives(command: readonly string[]): Promise<void> {
    const random = new StormRandom(SEED);
    const first = start(command);
    await until('the journal has its place', async () => (await lines()).length > 0);
    let isTrading = true;
    let trades = 0;
    const trading = (async () => {
      for (; isTrading; trades += 1) {
        const { positionId } = await bot.open(PAIR);
        const closing = await bot.call('POST', `/positions/${positionId}/close`, { type: 'MARKET' });
        await bot.ended(closing.json.execution.id);
      }
    })();
    let child = first;
    for (let kills = 0; kills < KILLS; kills += 1) {
      // Some are killed while they start, the others after some lines.
      const wanted = (await lines()).length + Math.floor(random.between(0, 25));
      if (random.uniform() > 0.2)
        await until(`${wanted} lines, seed ${SEED}`, async () => (await lines()).length >= wanted);
      await kill(child);
      // A kill within a write leaves a part of a line.
      if (random.uniform() < 0.3) await appendFile(journal, '{"seq":99999,"ev');
      child = start(command);
    }
    isTrading = false;
    await trading;
    const follower = followEvents({ key: bot.key, accountId: bot.accountId });
    await follower.join(port);
    const told = await until('every event is in the journal', async () => {
      const last = follower.heard.at(-1)?.seq ?? 0;
      return last > 0 && (await lines()).at(-1)?.seq === last && follower.heard;
    });
    await kill(child);
    follower.leave();
    const [begin, ...written] = await lines();
    expect(begin?.event).to.equal('subscribed');
    const after = told.filter(({ seq }) => seq > (begin?.seq ?? 0));
    expect(after.length, `${trades} trades`).to.be.above(100);
    expect(written.map(({ seq, event, entityId }) => ({ seq, event, entityId }))).to.deep.equal(after);
    expect(follower.complaints).to.deep.equal([]);
  }

  it('loses nothing and repeats nothing when it is killed, in TypeScript', () =>
    survives([process.execPath, '--import', 'tsx', join(EXAMPLES, 'event-journal.ts')]));

  it('loses nothing and repeats nothing when it is killed, in Python', async function () {
    const python = findPython();
    if (python === null) {
      if (process.env['CI'] !== undefined) throw new Error(`no Python with ${PYTHON_PACKAGES} is here`);
      return this.skip();
    }
    await survives([python, join(EXAMPLES, 'event_journal.py')]);
  });
});
