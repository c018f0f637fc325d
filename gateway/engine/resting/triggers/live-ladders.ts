/**
 * Ladders that have not ended, with the states of their rungs. A rung's end is noted when it is decided, before it is
 * on disk. So if two rungs end at the same time, the second one sees that the first has ended and ends the ladder in
 * its own unit.
 *
 * Rungs of several legs fire one after the other: a rung may end with uneven legs, and then the next must not open more
 * of the filled legs.
 */
import { type Ladder, type LadderEvent, ladderOutcome, moveLadder } from '../../../domain/ladder.ts';
import { ladderNotification } from '../../../domain/notification.ts';
import type { Trigger, TriggerStatus } from '../../../domain/trigger.ts';
import type { EngineDeps } from '../../core/deps.ts';
import { eventOf, restingEvent } from '../../core/events.ts';
import type { FollowUp } from '../../core/follow-ups.ts';
import { oneUnit } from '../../core/unit-parts.ts';
import { noticeOf } from '../../notices/notify.ts';
import type { MetCondition } from './trigger-watcher.ts';

interface LiveLadder {
  readonly ladder: Ladder;
  readonly statuses: Map<string, TriggerStatus>;
  /** Conditions that were met while another rung was firing, or while the rungs are being paused; by rung. */
  readonly waiting: Map<string, MetCondition>;
  /** The rung being fired; null: none. */
  turn: string | null;
  /** True from the decision to pause its pending rungs until they are paused. */
  isPausing: boolean;
}

type Rung = Pick<Trigger, 'id' | 'status' | 'ladderId' | 'updatedAt'>;

export class LiveLadders {
  readonly #deps: Pick<EngineDeps, 'clock' | 'ids' | 'market'>;
  readonly #all = new Map<string, LiveLadder>();
  /** Called after a rung of the ladder has ended with uneven legs, to pause its pending rungs. */
  onApart: (ladderId: string) => void = () => {};
  /** Called with conditions that waited for their turn. */
  onTurn: (met: readonly MetCondition[]) => void = () => {};

  constructor(deps: Pick<EngineDeps, 'clock' | 'ids' | 'market'>) {
    this.#deps = deps;
  }

  put(ladder: Ladder, statuses: ReadonlyMap<string, TriggerStatus>): void {
    const own = ladder.rungs.map(
      ({ triggerId }) => [triggerId, statuses.get(triggerId) ?? 'ACTIVE'] as const,
    );
    const idle = { waiting: new Map(), turn: null, isPausing: false };
    this.#all.set(ladder.id, { ladder, statuses: new Map(own), ...idle });
  }

  get(id: string): LiveLadder | undefined {
    return this.#all.get(id);
  }

  forget(id: string): void {
    this.#all.delete(id);
  }

  /** Notes a rung's next status. Returns its ladder's follow-up; null: no change of the ladder. */
  rungMoves(rung: Rung): FollowUp | null {
    const live = this.#ofRung(rung);
    if (live === undefined) return null;
    live.statuses.set(rung.id, rung.status);
    const { ladder } = live;
    if (!hasEnded(rung.status)) return null;
    return this.settle(ladder.id) ?? goesOn(ladder, rung.updatedAt, () => this.#release(live));
  }

  /**
   * True: the rung may fire now, and no other rung of its ladder until `endTurn`. False: it waits, and goes to `onTurn`
   * later.
   */
  takeTurn(rung: Pick<Trigger, 'id' | 'ladderId' | 'legs'>, met: MetCondition): boolean {
    const live = rung.legs.length < 2 ? undefined : this.#ofRung(rung);
    if (live === undefined) return true;
    const isBusy = live.isPausing || (live.turn !== null && live.turn !== rung.id);
    if (isBusy || [...live.statuses].some(([id, status]) => status === 'TRIGGERED' && id !== rung.id)) {
      live.waiting.set(rung.id, met);
      return false;
    }
    live.turn = rung.id;
    return true;
  }

  /** Ends the rung's turn. If it has fired, the others wait until it has ended. */
  endTurn(rung: Pick<Trigger, 'id' | 'ladderId'>): void {
    const live = this.#ofRung(rung);
    if (live === undefined || live.turn !== rung.id) return;
    live.turn = null;
    if (live.statuses.get(rung.id) !== 'TRIGGERED') this.#release(live);
  }

  /** Stops the other rungs from firing until they are paused, because a rung is about to end with uneven legs. */
  endedApart(rung: Pick<Trigger, 'ladderId'>): FollowUp | null {
    const live = this.#ofRung(rung);
    if (live === undefined) return null;
    live.isPausing = true;
    return { unit: {}, committed: () => this.onApart(live.ladder.id) };
  }

  /** Ladders with an unevenly ended rung and an ACTIVE one. None of their rungs fires until `paused`. */
  pauseUnsure(): readonly string[] {
    return [...this.#all.values()].flatMap((live) => {
      const statuses = [...live.statuses.values()];
      const isUnsure = live.ladder.legs.length > 1 && statuses.includes('PARTIALLY_COMPLETED');
      if (!isUnsure || !statuses.includes('ACTIVE')) return [];
      live.isPausing = true;
      return [live.ladder.id];
    });
  }

  /** Notes that the pending rungs are paused. */
  paused(id: string): void {
    const live = this.#all.get(id);
    if (live === undefined) return;
    live.isPausing = false;
    this.#release(live);
  }

  /** Takes back the noted status of a rung whose change was not written to disk. */
  rungIs(rung: Pick<Trigger, 'id' | 'status' | 'ladderId'>): void {
    this.#ofRung(rung)?.statuses.set(rung.id, rung.status);
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

  #ofRung({ ladderId }: Pick<Trigger, 'ladderId'>): LiveLadder | undefined {
    return ladderId === null ? undefined : this.#all.get(ladderId);
  }

  #release({ waiting }: LiveLadder): void {
    const met = [...waiting.values()];
    waiting.clear();
    if (met.length > 0) this.onTurn(met);
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
 * Event of a ladder after one more rung has ended. Rung statuses are read from the triggers, so the ladder's row does
 * not change.
 */
function goesOn(ladder: Ladder, updatedAt: number, committed: () => void): FollowUp {
  return { unit: { events: [eventOf({ ...ladder, updatedAt }, 'ladder.updated')] }, committed };
}
