/**
 * Steps of a stop, none of which blocks the others for ever: each step has a limit, and all steps together have one.
 * Work that a step did not finish is left as after a crash, and the next start takes it up.
 */
import type { Logger } from '../engine/ports/system.ts';
import { systemClock } from './clock.ts';

export interface StopStep {
  readonly name: string;
  readonly run: () => unknown;
  /** Limit of this step alone, ms. */
  readonly limitMs: number;
}

/**
 * Runs the steps in the given order, even after one fails. True when all steps succeeded in time. Limits are real
 * time, whatever clock the gateway runs on, because whoever waits for the process to end waits in real time.
 */
export async function stopWithin(
  steps: readonly StopStep[],
  limitMs: number,
  { logger }: { readonly logger: Logger },
): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  let complete = true;
  for (const { name, run, limitMs: own } of steps) {
    const left = Math.max(0, Math.min(own, deadline - performance.now()));
    let cancel = () => {};
    const late = new Promise<'late'>((resolve) => {
      cancel = systemClock.after(left, () => resolve('late'));
    });
    try {
      const ended = Promise.resolve(run());
      // A step may still fail after its time limit, which must not cause an unhandled rejection.
      ended.catch(() => undefined);
      if ((await Promise.race([ended, late])) === 'late') {
        complete = false;
        logger.warn({ step: name, waitedMs: left }, 'A step of stopping takes too long; going on without it');
      }
    } catch (error) {
      complete = false;
      logger.error({ err: error, step: name }, 'A step of stopping failed');
    } finally {
      cancel();
    }
  }
  return complete;
}
