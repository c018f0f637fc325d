/** Clock, ids and log. Adapters live in system/. Times are epoch milliseconds. */

export type Unsubscribe = () => void;

export interface Clock {
  /** Wall clock, epoch ms. */
  now(): number;
  /**
   * Milliseconds on a clock that nobody can set and that never goes back, for ages and waits. Only differences of its
   * values have a meaning; whether it counts while the machine sleeps is the system's choice.
   */
  uptime(): number;
  /** Calls `run` once after `delayMs`; the returned function cancels it. Does not keep the process alive. */
  after(delayMs: number, run: () => void): Unsubscribe;
  sleep(delayMs: number): Promise<void>;
}

export interface Ids {
  /** UUID v7, strictly increasing within the process. */
  next(): string;
}

export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
