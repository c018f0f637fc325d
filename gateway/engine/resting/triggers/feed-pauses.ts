/**
 * Pauses triggers whose feed went stale (FEED_STALE), and resumes them when the feed is back, as after a gap in
 * watching. Changes many at a time, because a lost connector stops all of its triggers. The trader is told of each
 * stop-loss that cannot be compared, unless all prices of its connector are stale: that has a notification of its own.
 */
import { watchesWhilePaused } from '../../../domain/bracket-rounds.ts';
import { stopNotification } from '../../../domain/notification.ts';
import { isRestingTrigger, pauseTrigger, resumeTrigger, type Trigger } from '../../../domain/trigger.ts';
import type { EngineDeps } from '../../core/deps.ts';
import type { FollowUp } from '../../core/follow-ups.ts';
import { noticeOf } from '../../notices/notify.ts';
import { withSeen } from './observation.ts';
import type { TriggerParts } from './trigger-parts.ts';

const AT_ONCE = 250;
const TRY_AGAIN_MS = 1_000;
/** Minimum time between two notifications about one stop-loss, because a feed may come and go. */
const AT_MOST_EVERY_MS = 60_000;

type Deps = Pick<EngineDeps, 'clock' | 'ids' | 'logger' | 'market'>;

export class FeedPauses {
  readonly #deps: Deps;
  readonly #parts: TriggerParts;
  /** Stop-losses and the uptime at which their trader was told, ms. */
  readonly #told = new Map<string, number>();
  readonly #toPause = new Set<string>();
  readonly #toLookAt = new Set<string>();
  #isWorking = false;
  #isStopping = false;

  constructor(deps: Deps, parts: TriggerParts) {
    this.#deps = deps;
    this.#parts = parts;
  }

  pause(ids: readonly string[]): void {
    for (const id of ids) {
      if (this.#parts.live.get(id)?.status !== 'ACTIVE') continue;
      this.#toPause.add(id);
      this.#toLookAt.delete(id);
    }
    this.#work();
  }

  /** Resumes triggers that can be watched again, as after a gap in watching. */
  lookAgain(ids: readonly string[]): void {
    for (const id of ids) {
      this.#toPause.delete(id);
      this.#toLookAt.add(id);
    }
    this.#work();
  }

  stop(): void {
    this.#isStopping = true;
  }

  #work(): void {
    if (this.#isWorking || this.#isStopping) return;
    this.#isWorking = true;
    this.#workOff()
      .catch((error: unknown) => {
        if (!this.#isStopping) this.#deps.logger.error({ err: error }, 'stale feeds were not followed');
      })
      .finally(() => {
        this.#isWorking = false;
      });
  }

  async #workOff(): Promise<void> {
    while (!this.#isStopping && this.#toLookAt.size + this.#toPause.size > 0) {
      const isBack = this.#toLookAt.size > 0;
      const from = isBack ? this.#toLookAt : this.#toPause;
      const ids = [...from].slice(0, AT_ONCE);
      for (const id of ids) from.delete(id);
      if (await this.#change(ids, isBack)) continue;
      for (const id of ids) from.add(id);
      await this.#deps.clock.sleep(TRY_AGAIN_MS);
    }
  }

  /** Pauses or resumes these triggers in one unit. False: the database refuses. */
  async #change(ids: readonly string[], isBack: boolean): Promise<boolean> {
    const { live, reader, table, changes } = this.#parts;
    const unlock = await live.lockAll(ids);
    try {
      const read = await Promise.all(ids.map((id) => reader.read(id)));
      const triggers = read.filter((one) => one !== undefined && isRestingTrigger(one)) as Trigger[];
      const moved = triggers.flatMap((trigger) => (isBack ? this.#resumed(trigger) : this.#paused(trigger)));
      const committed = moved.length === 0 || (await table.commit(triggers, moved)).ok;
      if (!committed || !isBack) return committed;
      // If a trigger's pause was never written, its record is still ACTIVE: it only has to be watched again.
      for (const trigger of triggers) {
        if (trigger.status === 'ACTIVE' || watchesWhilePaused(trigger)) changes.take(trigger, 'after_gap');
      }
      return true;
    } finally {
      unlock();
    }
  }

  #paused(trigger: Trigger): readonly FollowUp[] {
    if (trigger.status !== 'ACTIVE') return [];
    const noted = withSeen(trigger, this.#parts.watcher.observation(trigger.id));
    const paused = pauseTrigger(noted, 'FEED_STALE', this.#deps.clock.now());
    return paused.ok ? [this.#parts.changes.noted(paused.value), this.#news(trigger)] : [];
  }

  #news(trigger: Trigger): FollowUp {
    const { clock, market } = this.#deps;
    const { id, connector, legs, positionId, bracketType } = trigger;
    const now = clock.uptime();
    for (const [one, at] of this.#told) if (now - at >= AT_MOST_EVERY_MS) this.#told.delete(one);
    const isStale = (symbol: string) => market.isStale(connector, symbol);
    if (bracketType !== 'STOP_LOSS' || this.#told.has(id)) return { unit: {} };
    if (market.instruments(connector).every((instrument) => isStale(instrument.id))) return { unit: {} };
    const stale = legs.map(({ symbol }) => symbol).filter(isStale);
    const what = stale.length === 0 ? 'what it compares' : stale.join(', ');
    const reason = `There is no current price of ${what}: the stop-loss cannot fire until there is one`;
    const about = { legs, ...(positionId === null ? {} : { positionId }) };
    return {
      unit: noticeOf(this.#deps, trigger, about, (subject) =>
        stopNotification('STOP_LOSS_NOT_SET', subject, reason),
      ),
      committed: () => this.#told.set(id, now),
    };
  }

  #resumed(trigger: Trigger): readonly FollowUp[] {
    if (trigger.pauseReason !== 'FEED_STALE') return [];
    const resumed = resumeTrigger(trigger, this.#deps.clock.now());
    return resumed.ok ? [this.#parts.changes.changed(resumed.value, 'after_gap')] : [];
  }
}
