/** From the rounds of a closed loop to figures. */
import { LatencyHistogram } from './latency-histogram.ts';
import type { ClosedLoopResult } from './load/load-protocol.ts';
import { median } from './statistics.ts';

export function rate(round: ClosedLoopResult): number {
  return (round.answers * 1_000) / round.elapsedMs;
}

export function rates(rounds: readonly ClosedLoopResult[]): readonly number[] {
  return rounds.map(rate);
}

export interface LoopFigures {
  readonly perSecond: number;
  readonly p50Us: number;
  readonly p99Us: number;
  /** All threads of the server, per answer; null where the system does not tell. */
  readonly cpuUs: number | null;
  /** Its main thread alone. */
  readonly loopCpuUs: number | null;
  /** Share of the time in which the load process was busy. */
  readonly loadBusy: number;
}

export function loopFigures(rounds: readonly ClosedLoopResult[]): LoopFigures {
  const latency = new LatencyHistogram();
  for (const round of rounds) latency.add(round.latencyUs);
  const cpu = rounds.flatMap(({ serverCpu, answers }) =>
    serverCpu === null ? [] : [{ all: serverCpu.allUs / answers, loop: serverCpu.loopUs / answers }],
  );
  return {
    perSecond: median(rates(rounds)),
    p50Us: latency.percentile(0.5),
    p99Us: latency.percentile(0.99),
    cpuUs: cpu.length === 0 ? null : median(cpu.map(({ all }) => all)),
    loopCpuUs: cpu.length === 0 ? null : median(cpu.map(({ loop }) => loop)),
    loadBusy: median(rounds.map(({ loadBusy }) => loadBusy)),
  };
}

/** p99 ÷ p50 of each round. */
export function tails(rounds: readonly ClosedLoopResult[]): readonly number[] {
  return rounds.map((round) => {
    const latency = LatencyHistogram.from(round.latencyUs);
    return latency.percentile(0.99) / latency.percentile(0.5);
  });
}

/**
 * The same ratio by CPU time an answer, all threads of the server. Neighbours that take processor time change it least, so
 * it is what to look at where the rates are too noisy to judge.
 */
function cpuRatio(base: readonly ClosedLoopResult[], variant: readonly ClosedLoopResult[]): number | null {
  const [ours, theirs] = [loopFigures(base).cpuUs, loopFigures(variant).cpuUs];
  return ours === null || theirs === null ? null : ours / theirs;
}

/** Figures of two sides under their names: `durable.p50Us`, and their ratio by CPU time. */
export function compared(
  [baseName, base]: readonly [string, readonly ClosedLoopResult[]],
  [variantName, variant]: readonly [string, readonly ClosedLoopResult[]],
): Readonly<Record<string, number | null>> {
  return { cpuRatio: cpuRatio(base, variant), ...named(baseName, base), ...named(variantName, variant) };
}

/** Figures of one side under its name: `durable.p50Us`. */
function named(side: string, rounds: readonly ClosedLoopResult[]): Readonly<Record<string, number | null>> {
  return Object.fromEntries(
    Object.entries(loopFigures(rounds)).map(([name, value]) => [`${side}.${name}`, value]),
  );
}
