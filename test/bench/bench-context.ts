import type { LoadProcess } from './child-programs.ts';
import type { ClosedLoopResult } from './load/load-protocol.ts';
import type { Measure } from './verdict.ts';

export interface BenchContext {
  readonly rounds: number;
  /** Counted length of one round. */
  readonly roundMs: number;
  readonly load: LoadProcess;
  /** A line of progress for whoever waits. */
  readonly say: (line: string) => void;
}

export type Benchmark = (context: BenchContext) => Promise<readonly Measure[]>;

/** Requests that are sent but not counted at the start of each round. */
export const RAMP_MS = 150;
/** Once per server before the first round, so that V8 has compiled what the rounds run. */
const WARM_UP_MS = 2_000;

export interface Target {
  readonly port: number;
  readonly pid: number;
  readonly requests: readonly Buffer[];
  readonly status: number;
}

/** A round of the closed loop on a target, for `alternate`. */
export function loop(
  context: BenchContext,
  target: Target,
  connections: number,
): () => Promise<ClosedLoopResult> {
  return () => measure(context, target, connections, context.roundMs);
}

export async function warmUp(context: BenchContext, target: Target, connections: number): Promise<void> {
  await measure(context, target, connections, WARM_UP_MS);
}

function measure(
  context: BenchContext,
  target: Target,
  connections: number,
  measureMs: number,
): Promise<ClosedLoopResult> {
  return context.load.run({
    kind: 'closed-loop',
    port: target.port,
    connections,
    rampMs: RAMP_MS,
    measureMs,
    requests: target.requests,
    status: target.status,
    serverPid: target.pid,
  });
}
