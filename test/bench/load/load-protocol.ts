/** Tasks of the benchmark for its load process and their results, sent over the pipe between them. */
import type { CpuTime } from '../cpu-meter.ts';
import type { HistogramCounts } from '../latency-histogram.ts';

export interface ClosedLoopTask {
  readonly kind: 'closed-loop';
  readonly port: number;
  readonly connections: number;
  /** Requests are sent but not counted so long, once every connection is made. */
  readonly rampMs: number;
  readonly measureMs: number;
  /** Connection i sends requests i, i + connections, … of the list, over and over. */
  readonly requests: readonly Uint8Array[];
  /** Any other status ends the run as an error: refusals are cheaper than work and would flatter. */
  readonly status: number;
  /** Whose CPU time is read at both ends of the measured window. */
  readonly serverPid: number;
}

export interface ClosedLoopResult {
  readonly answers: number;
  /** Length of the measured window as it was. */
  readonly elapsedMs: number;
  readonly latencyUs: HistogramCounts;
  readonly serverCpu: CpuTime | null;
  /** Share of the window in which the load process's loop was busy; near 1 it is the load that is measured. */
  readonly loadBusy: number;
}

/** Delay of the load process's timers, ms: latency that the machine adds because it is busy with other things. */
export interface LoopDelay {
  readonly p50: number;
  readonly p99: number;
}

export interface FillTask {
  readonly kind: 'fill';
  readonly port: number;
  readonly perSecond: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
  readonly requests: readonly Uint8Array[];
  readonly apiKey: string;
  readonly tradeAccountId: string;
  readonly serverPid: number;
}

export interface FillResult {
  readonly sent: number;
  readonly completed: number;
  readonly failed: number;
  /** Neither completed nor failed 5 s after the last request. */
  readonly missing: number;
  /** Statuses other than 202. */
  readonly refused: number;
  /** Events that arrived before their own 202; they count as 0 µs. */
  readonly early: number;
  /** Receipt of the 202 → receipt of `execution.completed`. */
  readonly afterAckUs: HistogramCounts;
  /** Sending of the request → receipt of the 202. */
  readonly ackUs: HistogramCounts;
  readonly serverCpu: CpuTime | null;
  readonly loadBusy: number;
  readonly delayMs: LoopDelay;
}

export interface StreamTask {
  readonly kind: 'stream';
  readonly port: number;
  readonly clients: number;
  /** Number of them that also listen to the account. */
  readonly privateClients: number;
  /** Number of the private ones that stop reading for a while in the middle. */
  readonly stalledClients: number;
  readonly channel: string;
  readonly measureMs: number;
  readonly apiKey: string;
  readonly tradeAccountId: string;
  /** Sent one after the other through the window, so that private events happen. */
  readonly requests: readonly Uint8Array[];
  readonly requestsPerSecond: number;
  readonly serverPid: number;
}

export interface StreamResult {
  readonly clients: number;
  readonly elapsedMs: number;
  /** Updates on the public channel, all clients together. */
  readonly updates: number;
  readonly updateBytes: number;
  /** Updates with a text of their own: how often the channel was serialised. */
  readonly distinctUpdates: number;
  /** `timestamp` of the message → its last byte read, clients that keep reading. One clock for both. */
  readonly deliveryUs: HistogramCounts;
  readonly privateEvents: number;
  /** Highest number of events that any private client had. */
  readonly privateEventsPerClient: number;
  /** Holes in `seq`, and clients that ended behind the others. */
  readonly privateLost: number;
  readonly closed: number;
  readonly serverCpu: CpuTime | null;
  readonly loadBusy: number;
  readonly delayMs: LoopDelay;
}

export type LoadTask = ClosedLoopTask | FillTask | StreamTask;

export interface ResultOf {
  readonly 'closed-loop': ClosedLoopResult;
  readonly fill: FillResult;
  readonly stream: StreamResult;
}
