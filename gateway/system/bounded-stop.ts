/**
 * Steps of a stop, none of which keeps the others waiting for ever: each has its limit and all of them have one together.
 * What a step did not finish is left as a crash would leave it, which the next start takes up.
 */
import type { Logger } from '../engine/ports/system.ts';
import { systemClock } from './clock.ts';

export interface StopStep {
  readonly name: string;
  readonly run: () => unknown;
  /** Of this step alone. */
  readonly limitMs: number;
}

/**
 * Runs the steps in the given order, whatever became of those before. True when all of them ended in time and well. Limits
 * are of real time, whatever clock the gateway runs on: whoever waits for the process does.
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
      // Of a step that nobody waits for any more.
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
