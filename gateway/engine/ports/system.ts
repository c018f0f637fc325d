/** Clock, ids and log. Adapters are in system/. Times are epoch milliseconds. */

export type Unsubscribe = () => void;

export interface Clock {
  /** Wall clock, epoch ms. */
  now(): number;
  /**
   * Milliseconds on a monotonic clock, for ages and waits. Only differences have a meaning. The operating system
   * determines if it counts while the machine sleeps.
   */
  uptime(): number;
  /** Calls `run` once after `delayMs`; the returned function cancels it. Does not keep the process alive. */
  after(delayMs: number, run: () => void): Unsubscribe;
  sleep(delayMs: number): Promise<void>;
}

export interface Ids {
  /** UUID v7, strictly increasing, also over restarts. */
  next(): string;
}

export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
