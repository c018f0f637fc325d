/** Portfolio analytics over a year with a million fills, against an SQL aggregate of the fills. */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseFile } from '../../../gateway/config.ts';
import { type Benchmark, loop, type Target, warmUp } from '../bench-context.ts';
import { rate } from '../closed-loop-figures.ts';
import { type Identity, makeFolder, settle, startGateway } from '../gateway-home.ts';
import { alternate } from '../rounds.ts';
import { FILLS, seedHistory } from '../seed-history.ts';
import { openSeedDatabase } from '../seed-orders.ts';
import { median } from '../statistics.ts';
import { ratioMeasure, valueMeasure } from '../verdict.ts';

const DAY_MS = 86_400_000;

function getRequest(port: number, who: Identity, path: string): Buffer {
  return Buffer.from(
    `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nx-api-key: ${who.apiKey}\r\nx-trade-account-id: ${who.tradeAccountId}\r\n\r\n`,
  );
}

/** The same figures from the fills themselves: result, cost and volume of each day. */
const aggregateOf = (tradeAccountId: string): string =>
  `SELECT timestamp / ${DAY_MS} AS day, sum(realized_pnl) AS pnl, sum(fee) AS fees, sum(notional) AS volume,
     count(*) AS fills FROM fills WHERE trade_account_id = '${tradeAccountId}' GROUP BY day`;

export const analytics: Benchmark = async (context) => {
  const dataDir = await makeFolder();
  const identity = await settle(dataDir);
  context.say(`analytics: storing ${FILLS.toLocaleString('en')} fills`);
  await seedHistory(databaseFile(dataDir), identity.tradeAccountId, Date.now());
  const server = await startGateway(dataDir);
  const database = await openSeedDatabase(databaseFile(dataDir));
  const target: Target = {
    ...server,
    requests: [getRequest(server.port, identity, '/portfolio/analytics?includeSeries=true')],
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
        await database.all(aggregateOf(identity.tradeAccountId));
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
