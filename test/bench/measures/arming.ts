/** Triggers made through the API, durably, and what a start with them takes. */
import { performance } from 'node:perf_hooks';
import { requestBytes, seededRandom } from '../basket-requests.ts';
import type { BenchContext, Benchmark } from '../bench-context.ts';
import { loopFigures, rate } from '../closed-loop-figures.ts';
import { residentBytes } from '../cpu-meter.ts';
import { type Gateway, instrumentIds, makeFolder, settle, startGateway } from '../gateway-home.ts';
import type { ClosedLoopResult } from '../load/load-protocol.ts';
import { type Measure, valueMeasure } from '../verdict.ts';

const ARMED = 100_000;
const CONNECTIONS = 64;
/** More different requests than a connection sends in a row would say the same. */
const BODIES = 8_192;

/** Weighted ratios of two to five instruments, far from where they are. */
function bodies(instruments: readonly string[]): readonly string[] {
  const random = seededRandom(11);
  return Array.from({ length: BODIES }, () => {
    const legs = new Map<string, string>();
    const count = 2 + Math.floor(random() * 4);
    while (legs.size < count) {
      const symbol = instruments[Math.floor(random() * instruments.length)] ?? '';
      legs.set(symbol, String(20 + Math.floor(random() * 80)));
    }
    return JSON.stringify({
      legs: [...legs].map(([symbol, amount], at) => ({
        symbol,
        side: at % 2 === 0 ? 'BUY' : 'SELL',
        mode: 'USD',
        amount,
      })),
      condition: { type: 'WEIGHTED_RATIO', direction: 'MORE_THAN', value: '99999999999' },
    });
  });
}

async function armed(context: BenchContext, gateway: Gateway): Promise<readonly ClosedLoopResult[]> {
  const requests = bodies(await instrumentIds(gateway.port)).map((body) =>
    requestBytes(
      gateway.port,
      'POST',
      '/triggers/open',
      { 'x-api-key': gateway.apiKey, 'x-trade-account-id': gateway.tradeAccountId },
      body,
    ),
  );
  const rounds: ClosedLoopResult[] = [];
  for (let made = 0; made < ARMED; ) {
    const round = await context.load.run({
      kind: 'closed-loop',
      port: gateway.port,
      connections: CONNECTIONS,
      rampMs: 0,
      measureMs: 2_000,
      requests,
      status: 200,
      serverPid: gateway.pid,
    });
    rounds.push(round);
    made += round.answers;
    context.say(`arming: ${made} triggers, ${Math.round(rate(round))} a second`);
  }
  return rounds;
}

export const arming: Benchmark = async (context) => {
  const dataDir = await makeFolder();
  const identity = await settle(dataDir);
  const emptyStartedAt = performance.now();
  const first = await startGateway(dataDir);
  const emptyMs = performance.now() - emptyStartedAt;
  const emptyBytes = residentBytes(first.pid);
  let rounds: readonly ClosedLoopResult[];
  try {
    rounds = await armed(context, { ...first, ...identity });
  } finally {
    await first.stop();
  }
  const count = rounds.reduce((all, { answers }) => all + answers, 0);
  const startedAt = performance.now();
  const second = await startGateway(dataDir);
  const startMs = performance.now() - startedAt;
  const bytes = residentBytes(second.pid);
  await second.stop();
  const elapsedMs = rounds.reduce((all, round) => all + round.elapsedMs, 0);
  const grown = bytes === null || emptyBytes === null ? null : bytes - emptyBytes;
  const measures: Measure[] = [
    valueMeasure(
      {
        name: 'arming/100k/through-the-api',
        about: `\`POST /triggers/open\` a second until ${ARMED} were armed, ${CONNECTIONS} connections: weighted ratios of 2–5 instruments, each answered after its commit`,
        unit: 'triggers/s',
        goal: { bound: 'at least', value: 3_000 },
        figures: { ...loopFigures(rounds) },
      },
      (count * 1_000) / elapsedMs,
    ),
    valueMeasure(
      {
        name: 'arming/100k/start',
        about: `what a start with ${ARMED} triggers in the database takes longer than one without`,
        unit: 's',
        goal: { bound: 'at most', value: 3 },
        figures: {
          triggers: count,
          emptyMs,
          startMs,
          residentMegabytesPer10k: grown === null ? null : (grown / 2 ** 20 / count) * 10_000,
        },
      },
      (startMs - emptyMs) / 1_000,
    ),
  ];
  return measures;
};
