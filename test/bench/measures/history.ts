/** What a year of history costs: pages at any depth, analytics over a million fills, and the start on such a file. */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseFile } from '../../../gateway/config.ts';
import { encodeCursor } from '../../../gateway/contract/cursor.ts';
import { type BenchContext, type Benchmark, loop, type Target, warmUp } from '../bench-context.ts';
import { loopFigures, rate, rates } from '../closed-loop-figures.ts';
import { type Identity, makeFolder, settle, startGateway } from '../gateway-home.ts';
import { alternate } from '../rounds.ts';
import { EXECUTIONS, FILLS, POSITIONS, seedHistory } from '../seed-history.ts';
import { openSeedDatabase, type SeedDatabase } from '../seed-orders.ts';
import { median } from '../statistics.ts';
import { CACHE_WRITTEN_MS, end, spawnTandem, startAndAsk, timeToAnswer } from '../timed-start.ts';
import { type Measure, ratioMeasure, valueMeasure } from '../verdict.ts';

const DAY_MS = 86_400_000;

interface Home extends Identity {
  readonly dataDir: string;
}

let seeded: Promise<Home> | null = null;

/** One folder for all measures of a run. */
function home(context: BenchContext): Promise<Home> {
  seeded ??= (async () => {
    const dataDir = await makeFolder();
    const identity = await settle(dataDir);
    context.say(`history: storing ${EXECUTIONS} executions, ${FILLS} fills, ${POSITIONS} closed positions`);
    await seedHistory(databaseFile(dataDir), identity.tradeAccountId, Date.now());
    return { ...identity, dataDir };
  })();
  return seeded;
}

function getRequest(port: number, who: Identity, path: string): Buffer {
  return Buffer.from(
    `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nx-api-key: ${who.apiKey}\r\nx-trade-account-id: ${who.tradeAccountId}\r\n\r\n`,
  );
}

interface List {
  readonly path: string;
  readonly table: string;
  readonly key: string;
  readonly id: string;
  readonly depth: number;
}

const LISTS: readonly List[] = [
  { path: '/fills', table: 'fills', key: 'timestamp', id: 'id', depth: 500_000 },
  { path: '/executions', table: 'executions', key: 'created_at', id: 'id', depth: EXECUTIONS / 2 },
  { path: '/positions', table: 'positions', key: 'created_at', id: 'id', depth: POSITIONS / 2 },
  {
    path: '/positions/closed',
    table: 'closed_trades',
    key: 'closed_at',
    id: 'position_id',
    depth: POSITIONS / 2,
  },
];

async function cursorAt(database: SeedDatabase, list: List, who: Identity): Promise<string> {
  const [row] = await database.all(
    `SELECT ${list.key} AS key, ${list.id} AS id FROM ${list.table} WHERE trade_account_id = '${who.tradeAccountId}'
      ORDER BY 1 DESC, 2 DESC LIMIT 1 OFFSET ${list.depth}`,
  );
  return encodeCursor({ key: Number(row?.['key']), id: String(row?.['id']) });
}

export const historyPages: Benchmark = async (context) => {
  const place = await home(context);
  const server = await startGateway(place.dataDir);
  const database = await openSeedDatabase(databaseFile(place.dataDir));
  try {
    const measures: Measure[] = [];
    for (const list of LISTS) {
      const target = (path: string): Target => ({
        ...server,
        requests: [getRequest(server.port, place, path)],
        status: 200,
      });
      const first = target(list.path);
      const deep = target(`${list.path}?cursor=${await cursorAt(database, list, place)}`);
      await warmUp(context, first, 1);
      await warmUp(context, deep, 1);
      context.say(`history: ${list.path} at depth ${list.depth}`);
      const found = await alternate(context.rounds, {
        deep: loop(context, deep, 1),
        first: loop(context, first, 1),
      });
      measures.push(
        ratioMeasure(
          {
            name: `history-pages${list.path}/depth-${list.depth}-vs-first`,
            about: `time of a page of 20 by cursor at depth ${list.depth} ÷ time of the first page, one connection`,
            goal: { bound: 'at most', value: 1.2 },
            figures: {
              deepP50Us: loopFigures(found.deep).p50Us,
              firstP50Us: loopFigures(found.first).p50Us,
            },
          },
          // Pages a second are the inverse of the time of a page.
          rates(found.deep),
          rates(found.first),
        ),
      );
    }
    return measures;
  } finally {
    await database.close();
    await server.stop();
  }
};

/** What a portfolio page would ask of the fills themselves: each day's result, cost and volume. */
const aggregateOf = (tradeAccountId: string): string =>
  `SELECT timestamp / ${DAY_MS} AS day, sum(realized_pnl) AS pnl, sum(fee) AS fees, sum(notional) AS volume,
     count(*) AS fills FROM fills WHERE trade_account_id = '${tradeAccountId}' GROUP BY day`;

export const analytics: Benchmark = async (context) => {
  const place = await home(context);
  const server = await startGateway(place.dataDir);
  const database = await openSeedDatabase(databaseFile(place.dataDir));
  const target: Target = {
    ...server,
    requests: [getRequest(server.port, place, '/portfolio/analytics?includeSeries=true')],
    status: 200,
  };
  const ask = loop(context, target, 1);
  try {
    await warmUp(context, target, 1);
    context.say('analytics: against the aggregate of the fills');
    const watched: number[] = [];
    const idle: number[] = [];
    const times = await alternate(context.rounds, {
      analytics: async () => {
        const stop = await server.watchLoop();
        const round = await ask();
        watched.push(await stop());
        return 1_000 / rate(round);
      },
      aggregate: async () => {
        const startedAt = performance.now();
        await database.all(aggregateOf(place.tradeAccountId));
        return performance.now() - startedAt;
      },
    });
    for (let round = 0; round < context.rounds; round += 1) {
      const stop = await server.watchLoop();
      await sleep(context.roundMs);
      idle.push(await stop());
    }
    return [
      ratioMeasure(
        {
          name: 'analytics/vs-sql-aggregate',
          about: `SQL aggregate by day over ${FILLS} fills ÷ GET /portfolio/analytics with its series over HTTP`,
          goal: { bound: 'at least', value: 200 },
          figures: { analyticsMs: median(times.analytics), aggregateMs: median(times.aggregate) },
        },
        times.analytics,
        times.aggregate,
      ),
      valueMeasure(
        {
          name: 'analytics/longest-loop-delay',
          about: `longest delay of the gateway's event loop in a round of analytics one after the other, lowest of the rounds: a busy machine only adds to it`,
          unit: 'ms',
          goal: { bound: 'at most', value: 10 },
          figures: { rounds: watched, idle },
        },
        Math.min(...watched),
        Math.min(...idle),
      ),
    ];
  } finally {
    await database.close();
    await server.stop();
  }
};

export const historyStart: Benchmark = async (context) => {
  const place = await home(context);
  const tandem = spawnTandem(place.dataDir);
  context.say('history: starts');
  const first = await startAndAsk(tandem);
  await sleep(CACHE_WRITTEN_MS);
  await end(first.child);
  const times: number[] = [];
  for (let round = 0; round < context.rounds; round += 1) times.push(await timeToAnswer(tandem));
  return [
    valueMeasure(
      {
        name: 'history-start/first-answer',
        about: `process start → first answer with ${EXECUTIONS} executions, ${FILLS} fills and ${POSITIONS} closed positions stored`,
        unit: 'ms',
        goal: { bound: 'at most', value: 1_500 },
        figures: { rounds: times, veryFirstStartMs: first.firstAnswerMs },
      },
      median(times),
    ),
  ];
};
