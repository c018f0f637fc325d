/** Triggers made through the API, durably, and what a start with them takes. */
import { performance } from 'node:perf_hooks';
import { requestBytes, seededRandom } from '../basket-requests.ts';
import type { BenchContext, Benchmark } from '../bench-context.ts';
import { loopFigures, rate } from '../closed-loop-figures.ts';
import { type Gateway, instrumentIds, makeFolder, settle, startGateway } from '../gateway-home.ts';
import type { ClosedLoopResult } from '../load/load-protocol.ts';
import { type Measure, valueMeasure } from '../verdict.ts';

const ARMED = 100_000;
const CONNECTIONS = 64;
/** Made anew for each round, which sends about as many: hardly two triggers are on the same basket with the same weights. */
const BODIES = 8_192;

/** Weighted ratios of two to five instruments, far from where they are. */
function bodies(instruments: readonly string[], seed: number): readonly string[] {
  const random = seededRandom(seed);
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
  const instruments = await instrumentIds(gateway.port);
  const rounds: ClosedLoopResult[] = [];
  for (let made = 0; made < ARMED; ) {
    const requests = bodies(instruments, rounds.length + 1).map((body) =>
      requestBytes(
        gateway.port,
        'POST',
        '/triggers/open',
        { 'x-api-key': gateway.apiKey, 'x-trade-account-id': gateway.tradeAccountId },
        body,
      ),
    );
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
  const emptyBytes = await first.keptBytes();
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
  const bytes = await second.keptBytes();
  await second.stop();
  const elapsedMs = rounds.reduce((all, round) => all + round.elapsedMs, 0);
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
        },
      },
      (startMs - emptyMs) / 1_000,
    ),
    valueMeasure(
      {
        name: 'arming/100k/memory-per-10k',
        about: `resident memory of a gateway that was started with ${ARMED} triggers, above that of one without, garbage collected, per 10,000`,
        unit: 'MB',
        goal: { bound: 'at most', value: 7 },
        figures: { emptyMegabytes: emptyBytes / 2 ** 20, megabytes: bytes / 2 ** 20 },
      },
      ((bytes - emptyBytes) / 2 ** 20 / count) * 10_000,
    ),
  ];
  return measures;
};
