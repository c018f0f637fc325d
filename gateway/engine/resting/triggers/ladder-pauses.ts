/**
 * Pauses the pending rungs of a ladder after a rung has ended with uneven legs, in one unit with the notification. The
 * pause follows the commit of the rung's end, because it needs the locks of the other rungs. If the process dies in
 * between, the next start pauses every rung that has not been changed since that end.
 */
import { isApart } from '../../../domain/ladder.ts';
import { ladderNotification } from '../../../domain/notification.ts';
import { pauseTrigger, type Trigger } from '../../../domain/trigger.ts';
import type { EngineDeps } from '../../core/deps.ts';
import { noticeOf } from '../../notices/notify.ts';
import type { TriggerParts } from './trigger-parts.ts';

const TRY_AGAIN_MS = 1_000;
const ADVICE =
  'Resume its rungs to go on with those that wait (no rung is tried again), cancel it, or close what is held';

export class LadderPauses {
  readonly #deps: Pick<EngineDeps, 'clock' | 'ids' | 'market' | 'store' | 'logger'>;
  readonly #parts: TriggerParts;
  #isStopping = false;

  constructor(deps: Pick<EngineDeps, 'clock' | 'ids' | 'market' | 'store' | 'logger'>, parts: TriggerParts) {
    this.#deps = deps;
    this.#parts = parts;
  }

  /** Pauses the rungs that wait for the market. */
  pause(ladderId: string): void {
    void this.#untilPaused(ladderId, false);
  }

  /** The same at start, for rungs that nobody has resumed or changed since. */
  mend(ladderId: string): void {
    void this.#untilPaused(ladderId, true);
  }

  stop(): void {
    this.#isStopping = true;
  }

  async #untilPaused(ladderId: string, isMending: boolean): Promise<void> {
    while (!this.#isStopping) {
      try {
        if (await this.#tryToPause(ladderId, isMending)) break;
      } catch (error) {
        if (!this.#isStopping) this.#deps.logger.error({ err: error, ladderId }, 'a ladder was not paused');
      }
      if (!this.#isStopping) await this.#deps.clock.sleep(TRY_AGAIN_MS);
    }
    if (!this.#isStopping) this.#parts.ladders.paused(ladderId);
  }

  /** False: the database refuses. */
  async #tryToPause(ladderId: string, isMending: boolean): Promise<boolean> {
    const { live, ladders, changes, table } = this.#parts;
    const ladder = ladders.get(ladderId)?.ladder;
    if (ladder === undefined) return true;
    const waiting = ladder.rungs.filter(({ triggerId }) => live.get(triggerId) !== undefined);
    const unlock = await live.lockAll(waiting.map(({ triggerId }) => triggerId));
    try {
      // Rungs are read with their locks held: one may have been cancelled meanwhile.
      const rungs = await this.#deps.store.triggersOfLadder(ladderId);
      const last = rungs.filter(isMending ? isApart : isCause).sort((a, b) => b.updatedAt - a.updatedAt)[0];
      if (last === undefined) return true;
      const index = (last.rungIndex ?? 0) + 1;
      const why = last.error === null ? '' : ` (${last.error})`;
      const reason = `Rung ${index} ended with its legs apart${why}. ${ADVICE}`;
      const now = this.#deps.clock.now();
      const due = rungs.filter((rung) => isWaiting(rung) && !(isMending && rung.updatedAt > last.updatedAt));
      const paused = due.flatMap((rung) => {
        const next = pauseTrigger({ ...rung, error: reason }, 'LEG_IMBALANCE', now);
        return next.ok ? [next.value] : [];
      });
      if (paused.length === 0) return true;
      const notice = noticeOf(this.#deps, ladder, { legs: ladder.legs }, (subject) =>
        ladderNotification(subject, ladder.id, reason, 'PLAN_PAUSED_LEG_IMBALANCE'),
      );
      const all = paused.map((rung) => changes.changed(rung));
      return (await table.commit(due, [...all, { unit: notice }])).ok;
    } finally {
      unlock();
    }
  }
}

/** True: a rung ended with uneven legs, or has an order that needs review. */
function isCause(rung: Trigger): boolean {
  return isApart(rung) || rung.status === 'FAILED';
}

/** True: the rung waits for the market. Pauses by the trader or a mandate stay. */
function isWaiting({ status, pauseReason }: Trigger): boolean {
  return status === 'ACTIVE' || (status === 'PAUSED' && pauseReason === 'FEED_STALE');
}
