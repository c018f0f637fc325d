/** Metrics of the HTTP layer, implemented in system/metrics.ts; nothing is allocated per request. */
export interface RouteSeries {
  record(status: number, durationMs: number): void;
}

export interface RequestMetrics {
  /** Monotonic time in milliseconds, with decimals. */
  now(): number;
  /** The metric series of one route (`POST /trade/open`); requested once at start. */
  route(label: string): RouteSeries;
}
