/**
 * A change of a trigger: the rows, events and notifications that commit together, and the updates of memory and watcher
 * afterwards. Every change of a trigger is made here.
 */
import {
  type BracketRecord,
  isRoundTold,
  roundsOf,
  watchesWhilePaused,
} from '../../../domain/bracket-rounds.ts';
import { isApart } from '../../../domain/ladder.ts';
import { agentLimitNotification, triggerNotification } from '../../../domain/notification.ts';
import { firingLevel } from '../../../domain/trailing.ts';
import type { Late, Trigger, TriggerStatus } from '../../../domain/trigger.ts';
import type { EngineDeps } from '../../core/deps.ts';
import { eventOf, restingEvent } from '../../core/events.ts';
import { type FollowUp, together } from '../../core/follow-ups.ts';
import { oneUnit } from '../../core/unit-parts.ts';
import { notice, noticeOf, notificationLegs } from '../../notices/notify.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { ExpiryQueue } from './expiry-queue.ts';
import type { FirstLook } from './first-look.ts';
import type { LiveLadders } from './live-ladders.ts';
import type { LiveTriggers } from './live-triggers.ts';
import type { MetCondition, TriggerWatcher } from './trigger-watcher.ts';

export const POSITION_REVERSED = 'The position was reversed';

type Outcome = Parameters<typeof triggerNotification>[1];

const OUTCOMES: Readonly<Partial<Record<TriggerStatus, Outcome>>> = {
  COMPLETED: 'executed',
  PARTIALLY_COMPLETED: 'failed',
  FAILED: 'failed',
  EXPIRED: 'expired',
};

const LATE: Readonly<Record<Late, string>> = {
  gap: 'The condition was met while the gateway was not watching: it fired late',
  pause: 'The condition was met while it was paused: it fired late',
};
const PLACED_LATE = 'The condition was met before and could not be placed then: it fired late';

interface ChangeParts {
  readonly live: LiveTriggers;
  readonly ladders: LiveLadders;
  readonly watcher: Pick<TriggerWatcher, 'watch' | 'unwatch'>;
}

export class TriggerChanges {
  readonly #deps: Pick<EngineDeps, 'clock' | 'ids' | 'market' | 'warden'>;
  readonly #parts: ChangeParts;
  /** Triggers that fired late, each with the reason. */
  readonly #late = new Map<string, string>();
  readonly expiries = new ExpiryQueue();
  /** Called with a stop-loss that was met while paused, and is no longer paused. */
  onMet: (condition: MetCondition) => void = () => {};
  /** Called when an expiry was added to `expiries`. */
  onExpiry: () => void = () => {};

  constructor(deps: Pick<EngineDeps, 'clock' | 'ids' | 'market' | 'warden'>, parts: ChangeParts) {
    this.#deps = deps;
    this.#parts = parts;
  }

  /** Follow-up of a new trigger, which is ACTIVE, or of a moved bracket, which is PAUSED. */
  created(trigger: Trigger, firstLook: FirstLook): FollowUp {
    return {
      unit: { triggers: [trigger], events: [eventOf(trigger, `${nameOf(trigger)}.created`)] },
      committed: () => this.take(trigger, firstLook),
    };
  }

  changed(after: Trigger, firstLook: FirstLook = 'next_tick'): FollowUp {
    return together([
      {
        unit: { triggers: [after], events: [restingEvent(nameOf(after), after)] },
        committed: () => this.take(this.#withSeen(after), firstLook),
      },
      { unit: this.#notification(after) },
      this.#parts.ladders.rungMoves(after),
    ]);
  }

  /**
   * Follow-up when a fired trigger has ended, or when its unwind begins.
   * @param isDoubtful true: an order may have executed although nothing of it is recorded
   */
  ended(after: Trigger, isDoubtful: boolean): FollowUp {
    const isUneven = isApart(after) || (isDoubtful && after.legs.length > 1 && after.status === 'FAILED');
    return together([this.changed(after), isUneven ? this.#parts.ladders.endedApart(after) : null]);
  }

  /** Follow-up of a bracket's round that left the position open. Every round has an event, but only some notify. */
  wentOn(after: BracketRecord): FollowUp {
    return {
      unit: oneUnit(
        { triggers: [after], events: [eventOf(after, 'trigger.updated')] },
        isRoundTold(roundsOf(after)) ? this.#notice(after, 'failed', after.error) : {},
      ),
      committed: () => this.take(after, 'next_tick'),
    };
  }

  /** Follow-up of a trigger that its mandate did not allow to fire. */
  heldBack(after: Trigger, reason: string): FollowUp {
    const { id: triggerId, ladderId } = after;
    const which = ladderId === null ? { triggerId } : { triggerId, ladderId };
    const told = noticeOf(this.#deps, after, { legs: after.legs }, (subject) =>
      agentLimitNotification(subject, which, reason),
    );
    return together([this.changed(after), { unit: told }]);
  }

  /**
   * Follow-up of a change that does not affect the watcher. A trigger paused for a stale feed stays in the trigger
   * index, which ignores it meanwhile.
   */
  noted(after: Trigger): FollowUp {
    return {
      unit: { triggers: [after], events: [eventOf(after, `${nameOf(after)}.updated`)] },
      committed: () => this.#parts.live.put(after),
    };
  }

  /** Call with the trigger as it was before it fired. */
  firesLate({ id, error }: Pick<Trigger, 'id' | 'error'>, late: Late): void {
    this.#late.set(id, error === null ? LATE[late] : PLACED_LATE);
  }

  /** Puts a committed record into memory, and starts or stops watching the trigger. */
  take(trigger: Trigger, firstLook: FirstLook): void {
    this.#parts.live.put(trigger);
    this.#deps.warden.reservations.triggerIs(trigger);
    const { id, status, expiresAt } = trigger;
    const met = trigger.armed?.met;
    const isWatched = status === 'ACTIVE' || (status === 'PAUSED' && trigger.pauseReason === 'FEED_STALE');
    if (met === undefined && (isWatched || watchesWhilePaused(trigger))) {
      this.#parts.watcher.watch(trigger, firstLook);
    } else {
      this.#parts.watcher.unwatch(id);
    }
    if (met !== undefined && status === 'ACTIVE') this.onMet({ id, value: met, late: null });
    if (expiresAt !== null && (status === 'ACTIVE' || status === 'PAUSED')) {
      this.expiries.add({ at: expiresAt, id });
      this.onExpiry();
    }
    if (trigger.triggeredAt !== null && status !== 'TRIGGERED') this.#late.delete(id);
  }

  /** Peaks and levels move with market and position, without the trigger's lock, so those in memory are newest. */
  #withSeen(trigger: Trigger): Trigger {
    const seen = this.#parts.live.get(trigger.id)?.record?.armed ?? null;
    if (seen === null || trigger.bracketType === null) return trigger;
    const { peak = trigger.armed.peak, sized = trigger.armed.sized } = seen;
    return { ...trigger, armed: { ...trigger.armed, peak, ...(sized === undefined ? {} : { sized }) } };
  }

  #notification(trigger: Trigger): UnitOfWork {
    const { status, error } = trigger;
    // Whoever reverses a position may rely on the trigger that was to close it.
    const isReversed = status === 'CANCELLED' && error === POSITION_REVERSED;
    const outcome = isReversed ? 'failed' : OUTCOMES[status];
    if (outcome === undefined) return {};
    const rounds = trigger.bracketType === null ? 0 : roundsOf(trigger);
    const reasons = [
      this.#late.get(trigger.id) ?? null,
      status === 'COMPLETED' && rounds > 0 ? `The position was closed in round ${rounds + 1}` : null,
    ].filter((one) => one !== null);
    const added = reasons.length === 0 ? null : reasons.join('. ');
    return this.#notice(trigger, outcome, outcome === 'failed' ? (trigger.error ?? added) : added);
  }

  #notice(trigger: Trigger, outcome: Outcome, reason: string | null): UnitOfWork {
    const { connector, userId, tradeAccountId } = trigger;
    const legs = notificationLegs(this.#deps, connector, trigger.legs);
    const level = trigger.armed === null ? null : firingLevel(trigger.bracketType, trigger.armed);
    const named =
      trigger.condition !== null && 'symbol' in trigger.condition ? trigger.condition.symbol : null;
    const instrument =
      named === null
        ? null
        : { id: named, symbol: this.#deps.market.instrument(connector, named)?.symbol ?? named };
    const text = triggerNotification(trigger, outcome, legs, level, reason, instrument);
    return notice(this.#deps, text, userId, [tradeAccountId]);
  }
}

/** First word of the trigger's events. */
function nameOf({ kind }: Pick<Trigger, 'kind'>): 'alert' | 'trigger' {
  return kind === 'ALERT' ? 'alert' : 'trigger';
}
