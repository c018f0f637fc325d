/**
 * Consequences of an execution's end, or of a change of a position, for triggers, schedules, ladders, brackets and
 * notifications. Their rows are in the same unit as the end or change, so that no crash can come between the two; this
 * also holds for executions that end after a restart.
 */
import type { Execution, Position } from '../../domain/model.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';
import type { VenueFill } from '../ports/venue.ts';
import { oneUnit } from './unit-parts.ts';

export interface FollowUp {
  readonly unit: UnitOfWork;
  /**
   * Executions that begin after the ended one: IDLE, made with `newExecution`, their `parentId` set. They are put into
   * the unit, run once their basket is free, and also after a restart.
   */
  readonly children?: readonly Execution[];
  /** Called after the commit, to make the same change in memory. Must not throw. */
  readonly committed?: () => void;
}

/** @param position the position after the execution; null: the basket is not open */
export type OnExecutionEnded = (ended: Execution, position: Position | null) => FollowUp | null;

/**
 * @param next the position after the commit; CLOSED: every object that waits for it ends
 * @param cause the execution that changed the position; null: the change came from outside (liquidation, outside
 * orders)
 */
export type OnPositionChanged = (next: Position, cause: Execution | null) => FollowUp | null;

/**
 * @param execution an execution that has ended, with the fill
 * @param fill reported by the venue after the end
 * @param position the position with the fill; null: the basket is not open
 */
export type OnFilledLate = (
  execution: Execution,
  fill: VenueFill,
  position: Position | null,
) => Promise<FollowUp | null>;

/** Planned proportions of the legs, by instrument; null: the execution is not part of a plan. */
export type PlannedShares = (execution: Execution) => ReadonlyMap<string, string> | null;

export class FollowUps {
  /** Planned proportions of an execution's plan, which may order its remaining amount several times. */
  plannedShares: PlannedShares = () => null;
  /** Called after the commit of a fill outside Tandem that is in no basket. @param at time of the fill, epoch ms */
  tradedOutside: (tradeAccountId: string, at: number) => void = () => {};
  readonly #onEnded: OnExecutionEnded[] = [];
  readonly #onPosition: OnPositionChanged[] = [];
  readonly #onFilledLate: OnFilledLate[] = [];

  /** `follow` is called for every ended execution, whatever its origin; null: no follow-up for this end. */
  onExecutionEnded(follow: OnExecutionEnded): void {
    this.#onEnded.push(follow);
  }

  /** `follow` is called for every change of quantities or status. */
  onPositionChanged(follow: OnPositionChanged): void {
    this.#onPosition.push(follow);
  }

  onFilledLate(follow: OnFilledLate): void {
    this.#onFilledLate.push(follow);
  }

  ofEnd(ended: Execution, position: Position | null): FollowUp {
    return together(this.#onEnded.map((follow) => follow(ended, position)));
  }

  ofChange(next: Position, cause: Execution | null): FollowUp {
    return together(this.#onPosition.map((follow) => follow(next, cause)));
  }

  async ofLateFill(...of: Parameters<OnFilledLate>): Promise<FollowUp> {
    return together(await Promise.all(this.#onFilledLate.map((follow) => follow(...of))));
  }
}

export function together(all: readonly (FollowUp | null)[]): FollowUp {
  const some = all.filter((one) => one !== null);
  const [only] = some;
  if (only !== undefined && some.length === 1) return only;
  const children = some.flatMap((one) => one.children ?? []);
  return {
    unit: oneUnit(...some.map((one) => one.unit)),
    children,
    committed: () => {
      for (const one of some) one.committed?.();
    },
  };
}
