/** How long the parts of a stop may take, ms (system/bounded-stop.ts). */

/** How long running executions may end before the gateway stops; what is left continues after the next start. */
export const DRAIN_LIMIT_MS = 4_000;
/** All of the stop, which ends a second before whoever started the process loses patience (cli/commands/start.ts). */
export const STOP_LIMIT_MS = 8_000;
/** One step of it: by far enough, unless the disk or the loop is held up. */
export const STEP_LIMIT_MS = 2_000;
/** Writes that wait are finished, and the log is taken in. */
export const STORE_LIMIT_MS = 3_000;
export const ENGINE_LIMIT_MS = DRAIN_LIMIT_MS + 1_500;
/** How long requests that are being answered may go on. */
export const ANSWER_GRACE_MS = 1_500;

/** Announces a step of the stop. Steps run in the reverse order of their announcement, each within its own limit, ms. */
export type OnStop = (name: string, run: () => unknown, limitMs?: number) => void;
