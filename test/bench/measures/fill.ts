/** Time from the 202 to the news that the basket is filled, on a venue without delay of its own. */
import { balancedBodies, openRequest } from '../basket-requests.ts';
import type { Benchmark } from '../bench-context.ts';
import { instrumentIds, newGateway } from '../gateway-home.ts';
import { LatencyHistogram } from '../latency-histogram.ts';
import { type Measure, valueMeasure } from '../verdict.ts';

const PER_SECOND = 100;
/** More baskets than a run sends: every execution opens a position of its own, and the account holds all of them. */
const PAIRS = 2_000;

export const fill: Benchmark = async (context) => {
  const gateway = await newGateway({ held: false });
  try {
    const instruments = await instrumentIds(gateway.port);
    context.say(`fill: ${PER_SECOND} executions a second`);
    const found = await context.load.run({
      kind: 'fill',
      port: gateway.port,
      perSecond: PER_SECOND,
      warmUpMs: 2_000,
      measureMs: context.rounds * context.roundMs,
      requests: balancedBodies(instruments, PAIRS).map((body) => openRequest(gateway, body)),
      apiKey: gateway.apiKey,
      tradeAccountId: gateway.tradeAccountId,
      serverPid: gateway.pid,
    });
    const afterAck = LatencyHistogram.from(found.afterAckUs);
    const ack = LatencyHistogram.from(found.ackUs);
    const figures = {
      sent: found.sent,
      completed: found.completed,
      failed: found.failed,
      refused: found.refused,
      missing: found.missing,
      eventBefore202: found.early,
      ackP50Ms: ack.percentile(0.5) / 1_000,
      ackP99Ms: ack.percentile(0.99) / 1_000,
      cpuUsPerExecution: found.serverCpu === null ? null : found.serverCpu.allUs / found.sent,
      loadBusy: found.loadBusy,
      machineDelayP50Ms: found.delayMs.p50,
      machineDelayP99Ms: found.delayMs.p99,
    };
    const about =
      'last byte of the 202 read → `execution.completed` read from a WebSocket, both in the load process; four legs, 100 executions a second';
    const latency = (name: string, share: number, goal: number, machineDelay: number): Measure =>
      valueMeasure(
        { name, about, unit: 'ms', goal: { bound: 'at most', value: goal }, figures },
        afterAck.percentile(share) / 1_000,
        machineDelay,
      );
    return [
      latency('fill/100/p50-after-202', 0.5, 5, found.delayMs.p50),
      latency('fill/100/p99-after-202', 0.99, 25, found.delayMs.p99),
      valueMeasure(
        {
          name: 'fill/100/not-completed',
          about: 'executions that were refused, failed or had not ended 5 s after the last request',
          unit: 'executions',
          goal: { bound: 'at most', value: 0 },
          figures: {},
        },
        found.sent - found.completed,
      ),
    ];
  } finally {
    await gateway.stop();
  }
};
