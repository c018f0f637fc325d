/** Messages between the benchmark and the process that measures firings. */
import type { HistogramCounts } from './latency-histogram.ts';
import type { LoopDelay } from './load/load-protocol.ts';

export interface FiringTask {
  /** An empty folder for the database. */
  readonly folder: string;
  readonly perSecond: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
}

export interface FiringFigures {
  /** Ticks that met a condition, in the measured time. */
  readonly met: number;
  /** Orders that arrived at the venue for them. */
  readonly sent: number;
  /** The call with the tick → the call of the venue. */
  readonly latencyUs: HistogramCounts;
  /** Triggers whose TRIGGERED was not on disk when their order arrived. */
  readonly unwritten: number;
  /** CPU time of all threads per firing, µs; null where the system does not tell. */
  readonly cpuUs: number | null;
  /** CPU time of the main thread alone per firing, µs; null where the system does not tell. */
  readonly loopCpuUs: number | null;
  readonly delayMs: LoopDelay;
}
