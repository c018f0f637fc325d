/** Time from a met condition to its order, including the commit in between. */
import type { Benchmark } from '../bench-context.ts';
import { measureFiring } from '../child-programs.ts';
import { makeFolder } from '../gateway-home.ts';
import { LatencyHistogram } from '../latency-histogram.ts';
import { watchLoopDelay } from '../load/loop-delay.ts';
import { type Measure, valueMeasure } from '../verdict.ts';

const PER_SECOND = 1_000;

export const firing: Benchmark = async (context) => {
  context.say(`firing: ${PER_SECOND} conditions met a second`);
  const folder = await makeFolder();
  // This process only waits: how late its timers are is what the machine, busy with other things, adds.
  const machineDelay = watchLoopDelay();
  const found = await measureFiring({
    folder,
    perSecond: PER_SECOND,
    warmUpMs: 2_000,
    measureMs: context.rounds * context.roundMs,
  });
  const delayMs = machineDelay();
  const latency = LatencyHistogram.from(found.latencyUs);
  const figures = {
    met: found.met,
    cpuUsPerFiring: found.cpuUs,
    loopCpuUsPerFiring: found.loopCpuUs,
    loopDelayP50Ms: found.delayMs.p50,
    loopDelayP99Ms: found.delayMs.p99,
    machineDelayP50Ms: delayMs.p50,
    machineDelayP99Ms: delayMs.p99,
  };
  const about =
    'the call with the tick → the order at a venue that takes no time: TRIGGERED and the execution are committed in between, then the prepared order; one leg, 300 instruments, 1,000 a second';
  const late = (name: string, share: number, goal: number, disturbance: number): Measure =>
    valueMeasure(
      { name, about, unit: 'ms', goal: { bound: 'at most', value: goal }, figures },
      latency.percentile(share) / 1_000,
      disturbance,
    );
  const none = (name: string, what: string, value: number): Measure =>
    valueMeasure(
      { name, about: what, unit: 'triggers', goal: { bound: 'at most', value: 0 }, figures: {} },
      value,
    );
  return [
    late('firing/1000/p50-tick-to-order', 0.5, 10, delayMs.p50),
    late('firing/1000/p99-tick-to-order', 0.99, 50, delayMs.p99),
    none('firing/1000/missing', 'conditions that were met without an order', found.met - found.sent),
    none('firing/1000/unwritten', 'orders that left before their TRIGGERED was on disk', found.unwritten),
  ];
};
