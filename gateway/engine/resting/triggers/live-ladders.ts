/**
 * The ladders that have not ended, with the states of their rungs. A rung's end is noted when it is decided, before
 * it is on disk. So if two rungs end at the same time, the second one sees that the first has ended and ends the
 * ladder in its own unit.
 */
import { type Ladder, type LadderEvent, ladderOutcome, moveLadder } from '../../../domain/ladder.ts';
import { ladderNotification } from '../../../domain/notification.ts';
import type { Trigger, TriggerStatus } from '../../../domain/trigger.ts';
import type { EngineDeps } from '../../core/deps.ts';
import { eventOf, restingEvent } from '../../core/events.ts';
import type { FollowUp } from '../../core/follow-ups.ts';
import { oneUnit } from '../../core/unit-parts.ts';
import { noticeOf } from '../../notices/notify.ts';

interface LiveLadder {
  readonly ladder: Ladder;
  readonly statuses: Map<string, TriggerStatus>;
}

export class LiveLadders {
  readonly #deps: Pick<EngineDeps, 'clock' | 'ids' | 'market'>;
  readonly #all = new Map<string, LiveLadder>();

  constructor(deps: Pick<EngineDeps, 'clock' | 'ids' | 'market'>) {
    this.#deps = deps;
  }

  put(ladder: Ladder, statuses: ReadonlyMap<string, TriggerStatus>): void {
    const own = ladder.rungs.map(
      ({ triggerId }) => [triggerId, statuses.get(triggerId) ?? 'ACTIVE'] as const,
    );
    this.#all.set(ladder.id, { ladder, statuses: new Map(own) });
  }

  get(id: string): LiveLadder | undefined {
    return this.#all.get(id);
  }

  forget(id: string): void {
    this.#all.delete(id);
  }

  /** Notes the status that a rung is about to have. Returns its ladder's follow-up; null: no change of the ladder. */
  rungMoves(rung: Pick<Trigger, 'id' | 'status' | 'ladderId' | 'updatedAt'>): FollowUp | null {
    const live = rung.ladderId === null ? undefined : this.#all.get(rung.ladderId);
    if (live === undefined) return null;
    live.statuses.set(rung.id, rung.status);
    const { ladder } = live;
    return this.settle(ladder.id) ?? (hasEnded(rung.status) ? goesOn(ladder, rung.updatedAt) : null);
  }

  /** Takes back the noted status of a rung whose change was not written to disk. */
  rungIs(rung: Pick<Trigger, 'id' | 'status' | 'ladderId'>): void {
    if (rung.ladderId !== null) this.#all.get(rung.ladderId)?.statuses.set(rung.id, rung.status);
  }

  /** Ends the ladder when all its rungs have ended. */
  settle(id: string): FollowUp | null {
    const live = this.#all.get(id);
    const outcome = live === undefined ? null : ladderOutcome([...live.statuses.values()]);
    return live === undefined || outcome === null ? null : this.end(live.ladder, outcome);
  }

  end(ladder: Ladder, event: LadderEvent): FollowUp | null {
    const ended = moveLadder(ladder, event, this.#deps.clock.now());
    if (!ended.ok) return null;
    return {
      unit: oneUnit(
        { ladders: [ended.value], events: [restingEvent('ladder', ended.value)] },
        this.#notification(ended.value),
      ),
      committed: () => this.forget(ladder.id),
    };
  }

  #notification(ladder: Ladder) {
    const { status, legs, id } = ladder;
    if (status !== 'COMPLETED' && status !== 'PARTIALLY_COMPLETED') return {};
    const reason = status === 'COMPLETED' ? null : 'Not every rung was filled';
    return noticeOf(this.#deps, ladder, { legs }, (subject) => ladderNotification(subject, id, reason));
  }
}

function hasEnded(rung: TriggerStatus): boolean {
  return rung !== 'ACTIVE' && rung !== 'PAUSED' && rung !== 'TRIGGERED';
}

/**
 * Event of a ladder of which one more rung has ended. Rung statuses are read from the triggers, so the ladder's row
 * does not change.
 */
function goesOn(ladder: Ladder, updatedAt: number): FollowUp {
  return { unit: { events: [eventOf({ ...ladder, updatedAt }, 'ladder.updated')] } };
}
