/**
 * Arms an order's take-profit and stop-loss in the unit of its first fills, so that the position exists at no commit
 * without them. If a leg has not filled, a loss in USD stands in for a level of the whole basket
 * (`domain/stand-in.ts`), and the trader is notified if the execution ends like that, or fills nothing. A value
 * requested for the whole order is scaled to the filled part, and is exact once all has filled.
 *
 * An order with `onLegFailure: UNWIND` may have its fills closed again. So the position's own brackets stay until it has
 * ended without that. Brackets of a kind that the position did not have stay in any case: protection ends with the
 * position only.
 */
import { inherited } from '../../../domain/authority.ts';
import { askedBrackets, type GivesWay, givesWayWhole, mayReplace } from '../../../domain/bracket-fate.ts';
import type { BracketRecord } from '../../../domain/bracket-rounds.ts';
import { resized } from '../../../domain/bracket-size.ts';
import { loosenedBracket } from '../../../domain/loosening.ts';
import type { Execution, Position } from '../../../domain/model.ts';
import { pausedBy } from '../../../domain/pause.ts';
import { lacksLeg } from '../../../domain/stand-in.ts';
import { levelsOf } from '../../../domain/trailing.ts';
import type { Bracket, Trigger } from '../../../domain/trigger.ts';
import type { Loss } from '../../core/asked.ts';
import type { EngineDeps } from '../../core/deps.ts';
import { type FollowUp, together } from '../../core/follow-ups.ts';
import { marketFacts } from '../../core/market-facts.ts';
import { givesWayTo } from '../../core/users-brackets.ts';
import { changedBy } from '../../core/users-pause.ts';
import { reducesPosition } from '../../execution/basket-job.ts';
import { loosenedUnit } from '../../execution/loosening.ts';
import { isUnwound } from '../../execution/unwind.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import type { LiveTriggers } from './live-triggers.ts';
import { newBracket } from './new-trigger.ts';
import { stopNotBrought, stopNotComparable, stopNotReplaced } from './stop-not-set.ts';
import type { TriggerChanges } from './trigger-changes.ts';
import type { TriggerWatcher } from './trigger-watcher.ts';

const REPLACED = 'Replaced by the bracket of a later order';

export interface SetupParts {
  readonly live: LiveTriggers;
  readonly changes: TriggerChanges;
  readonly watcher: Pick<TriggerWatcher, 'watch'>;
  readonly cancel: (triggers: readonly Trigger[], reason: string) => readonly FollowUp[];
}

/** True: everything has filled. A slice never counts as whole, because it is a part of its plan. */
function isWhole({ origin, orders }: Execution): boolean {
  return origin !== 'SCHEDULE' && orders.every(({ status }) => status === 'FILLED');
}

/** True: the fills are closed again, or will be if the execution fails. */
function mayBeUnwound(execution: Execution): boolean {
  const { onLegFailure, finishedAt } = execution;
  if (onLegFailure !== 'UNWIND' || reducesPosition(execution)) return false;
  return finishedAt === null || isUnwound(execution);
}

/**
 * True: a present bracket stays, whatever becomes of the order. One newer than the execution is either the order's own,
 * armed before a restart, or set by the trader since.
 */
function isKept(execution: Execution, bracket: Bracket, present: BracketRecord, givesWay: GivesWay): boolean {
  return !mayReplace(bracket, present, givesWay) || (present.id > execution.id && !givesWay(present));
}

export class SetupArming {
  readonly #deps: Pick<EngineDeps, 'state' | 'clock' | 'ids' | 'market' | 'warden'>;
  readonly #parts: SetupParts;
  /** Brackets already armed, as `<execution ID> <bracket kind>`, of executions that have not ended. */
  readonly #armed = new Set<string>();

  constructor(deps: Pick<EngineDeps, 'state' | 'clock' | 'ids' | 'market' | 'warden'>, parts: SetupParts) {
    this.#deps = deps;
    this.#parts = parts;
  }

  /** @param position position after the fills */
  filled(execution: Execution, position: Position): FollowUp | null {
    // The brackets of a reversal wait for its opening execution.
    const setup = execution.intent === 'REVERSE' ? undefined : this.#deps.state.setups.get(execution.id);
    if (setup === undefined || position.status !== 'OPEN') return null;
    const givesWay = givesWayTo(this.#deps, execution);
    const isUncertain = mayBeUnwound(execution);
    const whole = this.#parts.live
      .bracketsOf(position.id)
      .filter((one) => !isUncertain && one.id < execution.id && givesWayWhole(setup, one, givesWay));
    const all: FollowUp[] = [...this.#parts.cancel(whole, REPLACED)];
    for (const { kind, bracket } of askedBrackets(setup)) {
      const key = `${execution.id} ${kind}`;
      if (this.#armed.has(key)) continue;
      const present = this.#parts.live.bracketsOf(position.id).filter((one) => one.bracketType === kind);
      if (present.some((one) => isUncertain || isKept(execution, bracket, one, givesWay))) continue;
      // An agent may not replace a bracket that the user paused; the plan reports this (`keptForUser`).
      if (present.some((one) => pausedBy(one) === 'USER') && this.#deps.warden.isAgent(execution)) continue;
      const { sizedFor: _, ...asked } = bracket;
      const terms = isWhole(execution) ? asked : bracket;
      const before = bracket.owner ?? present.find((one) => one.bracketType === kind);
      const placed = before === undefined ? inherited(execution) : changedBy(this.#deps, before, execution);
      const made = newBracket(this.#deps, position, kind, terms, placed, true);
      const fresh = made === null || bracket.pausedByUser !== true ? made : this.#paused(made);
      if (fresh === null) continue;
      const lost = this.#lost(present, fresh, position);
      if (lost.length > 0 && !this.#mayLoosen(execution, bracket, present, lost)) continue;
      // A level that an agent has moved away gives way to the next order of its user.
      const owned = lost.length === 0 ? fresh : { ...fresh, ...inherited(execution) };
      this.#armed.add(key);
      const about = { ...position, positionId: position.id };
      all.push(
        { unit: loosenedUnit(this.#deps, execution, about, lost) },
        ...this.#parts.cancel(present, REPLACED),
        this.#parts.changes.created(owned, 'next_tick'),
      );
    }
    return all.length === 0 ? null : together(all);
  }

  /** Paused copy, because the user had paused the bracket from which it was moved. */
  #paused(bracket: BracketRecord): BracketRecord {
    return { ...bracket, status: 'PAUSED', pauseReason: 'USER', pausedBy: null };
  }

  /** Protection lost if an order's bracket replaces the position's own, both at the size after the fills. */
  #lost(present: readonly BracketRecord[], { armed }: BracketRecord, position: Position): readonly Loss[] {
    const { state, market } = this.#deps;
    const before = state.positions.get(position.id)?.legs ?? position.legs;
    const facts = marketFacts(market, position.connector);
    return present.flatMap((one) => {
      const legs = { before, after: position.legs };
      const standing = { ...one, armed: resized(one.bracketType, one.armed, legs, facts) };
      const words = loosenedBracket(standing, armed, position.legs);
      return words === null ? [] : [{ words, owner: one }];
    });
  }

  /** True: the order may loosen protection. Protection set after its approval stays. */
  #mayLoosen(
    execution: Execution,
    { approvedAt }: Bracket,
    present: readonly BracketRecord[],
    lost: readonly Loss[],
  ): boolean {
    const isApproved = approvedAt !== undefined && present.every(({ createdAt }) => createdAt <= approvedAt);
    return isApproved || this.#deps.warden.shares.mayLoosen(execution, lost);
  }

  ended(execution: Execution, position: Position | null): FollowUp | null {
    const hasFilled = execution.orders.some(({ filledQuantity }) => filledQuantity !== '0');
    const setup = this.#deps.state.setups.get(execution.id);
    const made = hasFilled && position !== null ? this.filled(execution, position) : null;
    const committed = () => {
      for (const kind of ['TAKE_PROFIT', 'STOP_LOSS']) this.#armed.delete(`${execution.id} ${kind}`);
    };
    if (setup === undefined) return made;
    const whole = position === null || !isWhole(execution) ? [] : this.#asAsked(execution, position);
    const notSet = { unit: this.#notSet(execution, position, hasFilled), committed };
    return together([made, ...whole, notSet]);
  }

  /** Sets scaled values to the requested ones after the whole order has filled. */
  #asAsked(execution: Execution, position: Position): readonly FollowUp[] {
    const { live, watcher } = this.#parts;
    const scaled = live.bracketsOf(position.id).filter(({ bracketType, armed: { bracket, sized } }) => {
      const isOwn = this.#armed.has(`${execution.id} ${bracketType}`);
      return isOwn && sized !== undefined && bracket.type === 'POSITION_VALUE';
    });
    return scaled.map(({ id, bracketType, armed: { bracket, direction, peak } }) => {
      const sized = levelsOf(bracketType, { bracket, direction, peak });
      const committed = () => {
        const one = live.get(id)?.record ?? null;
        if (one === null || one.bracketType === null) return;
        const armed = { ...one.armed, sized };
        live.follow(id, armed);
        if (one.status === 'ACTIVE') watcher.watch({ ...one, armed }, 'next_tick');
      };
      return { unit: { bracketLevels: [{ triggerId: id, sized }] }, committed };
    });
  }

  #notSet(execution: Execution, position: Position | null, hasFilled: boolean): UnitOfWork {
    const stop = this.#deps.state.setups.get(execution.id)?.stopLoss ?? null;
    if (stop === null || position === null) return {};
    // The stop-loss of a reversal is for the opposite position. Later slices of a TWAP bring its stop-loss again.
    const isOfPosition = execution.intent !== 'REVERSE' && execution.origin !== 'SCHEDULE';
    if (!hasFilled) return isOfPosition ? stopNotBrought(this.#deps, position, execution.error) : {};
    const givesWay = givesWayTo(this.#deps, execution);
    const isNotReplaced = this.#parts.live
      .bracketsOf(position.id)
      .some((one) => one.bracketType === 'STOP_LOSS' && !isKept(execution, stop, one, givesWay));
    if (isNotReplaced && isUnwound(execution)) return stopNotReplaced(this.#deps, position, execution.error);
    const armed = { bracket: stop, direction: 'LESS_THAN', peak: null } as const;
    return lacksLeg({ armed, legs: position.legs }, position.legs)
      ? stopNotComparable(this.#deps, position, stop.type)
      : {};
  }
}
