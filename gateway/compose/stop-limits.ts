/** Limits on the duration of a stop and its parts, ms (system/bounded-stop.ts). */

/** Time that running executions have to end before the gateway stops; the rest continue after the next start. */
export const DRAIN_LIMIT_MS = 4_000;
/** Limit of the whole stop, a second less than `END_ANYWAY_MS`, which ends the process (cli/commands/start.ts). */
export const STOP_LIMIT_MS = 8_000;
/** Default limit of one step: by far enough, unless the disk or the event loop is stuck. */
export const STEP_LIMIT_MS = 2_000;
/** Limit of closing the store, which finishes waiting writes and takes in the write-ahead log. */
export const STORE_LIMIT_MS = 3_000;
export const ENGINE_LIMIT_MS = DRAIN_LIMIT_MS + 1_500;
/** Time that requests in progress have to finish. */
export const ANSWER_GRACE_MS = 1_500;

/** Announces a step of the stop. Steps run in the reverse order of their announcement, each within its own limit, ms. */
export type OnStop = (name: string, run: () => unknown, limitMs?: number) => void;
