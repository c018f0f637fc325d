/**
 * Consequences of executions and positions for triggers: a fired trigger ends with its execution, an order's brackets
 * are armed with its fills, a closed position ends the triggers that wait for it, and a changed position moves the
 * figures that its brackets watch.
 */
import { type BracketRecord, waitsForRound, watchesWhilePaused } from '../../../domain/bracket-rounds.ts';
import { resized, resizedLoss, withUsers } from '../../../domain/bracket-size.ts';
import { dec, text } from '../../../domain/decimal.ts';
import { filledLegs, lessUnwound } from '../../../domain/filled.ts';
import type { Execution, Position } from '../../../domain/model.ts';
import { lacksLeg, standInLevel, wholeBasket } from '../../../domain/stand-in.ts';
import {
  type ArmedBracket,
  cancelTrigger,
  completeTrigger,
  failTrigger,
  isRestingTrigger,
  type Trigger,
  unwindTrigger,
} from '../../../domain/trigger.ts';
import type { EngineDeps } from '../../core/deps.ts';
import { eventOf } from '../../core/events.ts';
import { type FollowUp, together } from '../../core/follow-ups.ts';
import { marketFacts } from '../../core/market-facts.ts';
import { oneUnit } from '../../core/unit-parts.ts';
import { keptForUser } from '../../core/users-pause.ts';
import { isUnwound } from '../../execution/unwind.ts';
import { SetupArming } from './arm-setup.ts';
import { type BracketRounds, POSITION_CLOSED } from './bracket-rounds.ts';
import type { LiveTriggers } from './live-triggers.ts';
import { stopNotComparable } from './stop-not-set.ts';
import { POSITION_REVERSED, type TriggerChanges } from './trigger-changes.ts';
import type { TriggerWatcher } from './trigger-watcher.ts';

const SUPERSEDED = 'The other bracket of the position fired';

type Deps = Pick<EngineDeps, 'state' | 'clock' | 'ids' | 'market' | 'followUps' | 'warden'>;

export function followExecutions(
  deps: Deps,
  parts: {
    readonly live: LiveTriggers;
    readonly changes: TriggerChanges;
    readonly watcher: Pick<TriggerWatcher, 'watch'>;
    readonly rounds: BracketRounds;
  },
): void {
  const setups = new SetupArming(deps, {
    ...parts,
    cancel: (triggers, reason) => cancelAll(deps, parts, triggers, reason),
  });
  deps.followUps.onExecutionEnded((ended, position) =>
    either([
      endedTrigger(deps, parts, ended, position),
      setups.ended(ended, position),
      leftByClose(deps, parts, ended, position),
    ]),
  );
  deps.followUps.onPositionChanged((next, cause) =>
    next.status === 'CLOSED'
      ? closedPosition(deps, parts, next, cause)
      : either([
          changedPosition(deps, parts, next, cause),
          cause === null ? null : setups.filled(cause, next),
        ]),
  );
}

type Parts = Parameters<typeof followExecutions>[1];

function either(all: readonly (FollowUp | null)[]): FollowUp | null {
  return all.every((one) => one === null) ? null : together(all);
}

function endedTrigger(
  deps: Deps,
  { live, changes, rounds }: Parts,
  ended: Execution,
  position: Position | null,
): FollowUp | null {
  const trigger = live.ofExecution(ended.id);
  if (trigger === undefined) return unwoundTrigger(deps, { live, changes }, ended);
  if (trigger.bracketType !== null) return rounds.ended(trigger, ended, position);
  const now = deps.clock.now();
  const fired = { ...trigger, filled: filledLegs(ended.orders) };
  const next = isUnwound(ended)
    ? unwindTrigger(fired, ended.error, now)
    : ended.status === 'COMPLETED'
      ? completeTrigger(fired, ended.positionId ?? position?.id ?? null, now)
      : failTrigger(fired, ended.error ?? 'Its execution was cancelled', now);
  const isDoubtful = ended.orders.some(({ errorCode }) => errorCode === 'NEEDS_REVIEW');
  if (!next.ok) return null;
  const reasons = [next.value.error, keptForUser(deps, ended, position)].filter((one) => one !== null);
  const error = reasons.length === 0 ? null : reasons.join('. ');
  return changes.ended({ ...next.value, error }, isDoubtful);
}

/** Ends the trigger after its unwind. A quantity that the unwind did not close is still held. */
function unwoundTrigger(
  deps: Deps,
  { live, changes }: Pick<Parts, 'live' | 'changes'>,
  unwind: Execution,
): FollowUp | null {
  const trigger = unwind.parentId === null ? undefined : live.ofExecution(unwind.parentId);
  if (trigger === undefined || trigger.bracketType !== null) return null;
  const filled = lessUnwound(trigger.filled, unwind.orders);
  const reason = [trigger.error, unwind.error].filter((one) => one !== null).join('. ');
  const next = failTrigger({ ...trigger, filled }, reason, deps.clock.now());
  return next.ok ? changes.ended(next.value, false) : null;
}

/** Ends a closed position's triggers; a bracket whose round is executing ends with that round. */
function closedPosition(deps: Deps, parts: Parts, next: Position, cause: Execution | null): FollowUp | null {
  const closer = cause === null ? undefined : parts.live.ofExecution(cause.id);
  const all = parts.live.ofPosition(next.id);
  const isSuperseded = closer !== undefined && closer.bracketType !== null;
  const brackets = all.filter(({ bracketType }) => bracketType !== null);
  const rest = all.filter(({ bracketType }) => bracketType === null);
  const ended = [
    ...cancelAll(deps, parts, brackets, isSuperseded ? SUPERSEDED : POSITION_CLOSED),
    ...cancelAll(deps, parts, rest, cause?.intent === 'REVERSE' ? POSITION_REVERSED : POSITION_CLOSED),
  ];
  return ended.length === 0 ? null : together(ended);
}

/** Cancels triggers. One whose lock is taken is cancelled right afterwards, unless its own round has begun. */
function cancelAll(
  deps: Deps,
  { live, changes }: Pick<Parts, 'live' | 'changes'>,
  triggers: readonly Trigger[],
  reason: string,
): readonly FollowUp[] {
  return triggers.filter(mayBeCancelled).flatMap((trigger) => {
    const cancelled = cancelTrigger(trigger, reason, deps.clock.now());
    if (!cancelled.ok) return [];
    const unlock = live.tryLock(trigger.id);
    if (unlock === null) {
      live.cancelLater(trigger.id, reason);
      return [];
    }
    // The lock is kept until the commit, which is retried until the unit of the execution's end is on disk.
    const change = changes.changed(cancelled.value);
    const committed = () => {
      change.committed?.();
      unlock();
    };
    return [{ ...change, committed }];
  });
}

function mayBeCancelled(trigger: Trigger): boolean {
  return isRestingTrigger(trigger) || (trigger.bracketType !== null && waitsForRound(trigger));
}

/**
 * A position's figures (PnL, value) jump when it grows or shrinks although the market has not moved. Levels and peaks
 * of its brackets move with them (`domain/bracket-size.ts`).
 */
function changedPosition(
  deps: Deps,
  { live, watcher }: Parts,
  next: Position,
  cause: Execution | null,
): FollowUp | null {
  const brackets = live.bracketsOf(next.id);
  if (brackets.length === 0) return null;
  const before = deps.state.positions.get(next.id);
  const stood = brackets
    .filter(({ status }) => status !== 'TRIGGERED')
    .flatMap((one) => standing(deps, one, before, next, cause));
  const moves = new Map(
    brackets.map((one) => [one.id, { from: one.armed, to: movedLevels(deps, one, before, next, cause) }]),
  );
  const seenAt = deps.clock.now();
  const moved = [...moves].filter(([, { from, to }]) => from !== to);
  const trailingPeaks = moved.flatMap(
    ([
      triggerId,
      {
        from,
        to: { peak },
      },
    ]) => (peak === null || peak === from.peak ? [] : [{ triggerId, peak, seenAt }]),
  );
  const bracketLevels = moved.flatMap(
    ([
      triggerId,
      {
        from,
        to: { sized },
      },
    ]) => (sized === undefined || sized === from.sized ? [] : [{ triggerId, sized }]),
  );
  const isPassing = cause !== null && cause.intent === 'CLOSE';
  const stoodIn = new Set(brackets.flatMap(({ id, armed }) => (armed.standIn === undefined ? [] : [id])));
  const lost = stood.find(({ id, armed }) => armed.standIn !== undefined && !stoodIn.has(id));
  return {
    unit: oneUnit(
      {
        trailingPeaks,
        bracketLevels,
        triggers: stood,
        events: stood.map((one) => eventOf(one, 'trigger.updated')),
      },
      lost === undefined || isPassing ? {} : stopNotComparable(deps, next, lost.armed.bracket.type),
    ),
    committed: () => {
      for (const one of stood) live.put(one);
      for (const one of live.bracketsOf(next.id)) {
        const move = moves.get(one.id);
        const armed = move === undefined ? one.armed : moveAlong(one.armed, move);
        live.follow(one.id, armed);
        const isWatched = one.status === 'ACTIVE' || watchesWhilePaused(one);
        if (isWatched && armed.met === undefined) watcher.watch({ ...one, armed }, 'next_tick');
      }
    },
  };
}

/**
 * Bracket with a changed stand-in loss, or without one; empty if nothing changes. A leg added by a holder who may not
 * loosen the stop-loss does not end the loss in USD: a few USD of it would turn the unhedged position into a ratio.
 */
function standing(
  deps: Deps,
  bracket: BracketRecord,
  before: Position | undefined,
  next: Position,
  cause: Execution | null,
): readonly BracketRecord[] {
  const { armed, bracketType } = bracket;
  const isLacking = bracketType === 'STOP_LOSS' && lacksLeg(bracket, next.legs);
  const { standIn, ...own } = armed;
  const facts = marketFacts(deps.market, next.connector);
  if (!isLacking && standIn === undefined) return [];
  const staysNear = keepsStopNear(deps, cause, before);
  if (!isLacking && !staysNear) return [{ ...bracket, armed: own, updatedAt: deps.clock.now() }];
  const level =
    standIn === undefined
      ? standInLevel(bracketType, own, next.legs, facts, staysNear)
      : resizedLoss({ ...own, standIn }, { before: before?.legs ?? [], after: next.legs }, facts, staysNear)
          .level;
  if (level === standIn) return [];
  return [{ ...bracket, armed: { ...own, standIn: level }, updatedAt: deps.clock.now() }];
}

/** Notification of a close that ended with a leg open, so that a level of the whole basket cannot be compared. */
function leftByClose(
  deps: Deps,
  { live }: Pick<Parts, 'live'>,
  ended: Execution,
  position: Position | null,
): FollowUp | null {
  if (position === null || ended.intent !== 'CLOSE' || ended.origin === 'BRACKET') return null;
  const lost = live
    .bracketsOf(position.id)
    .find((one) => one.bracketType === 'STOP_LOSS' && lacksLeg(one, position.legs));
  return lost === undefined ? null : { unit: stopNotComparable(deps, position, lost.armed.bracket.type) };
}

function movedLevels(
  deps: Deps,
  { id, armed, bracketType, legs }: BracketRecord,
  before: Position | undefined,
  next: Position,
  cause: Execution | null,
): ArmedBracket {
  if (before === undefined) return armed;
  // Its own order is still filling: the weights are not yet the requested ones.
  if (armed.bracket.transform !== undefined && cause !== null && id > cause.id) return armed;
  const facts = marketFacts(deps.market, next.connector);
  const staysNear = keepsStopNear(deps, cause, before);
  // A missing leg counts with its target weight, so that the levels fit again once it is held.
  const isLacking = (position: Position) => lacksLeg({ armed, legs }, position.legs);
  const of = (position: Position) =>
    isLacking(position) ? wholeBasket(position.legs, facts) : position.legs;
  const change = { before: of(before), after: of(next) };
  const { standIn } = armed;
  if (standIn === undefined) {
    const moved = resized(bracketType, armed, change, facts, staysNear);
    // A stand-in loss that starts now is based on the current holdings.
    return isLacking(next) ? withUsers(moved, undefined) : moved;
  }
  const moved = resized(bracketType, withUsers(armed, undefined), change, facts);
  if (!isLacking(next) && !staysNear) return moved;
  const held = { before: before.legs, after: next.legs };
  return withUsers(moved, resizedLoss({ ...armed, standIn }, held, facts, staysNear).users);
}

/** True: the change must not move a stop-loss further from the market. Uses the shares before the change. */
function keepsStopNear(deps: Deps, cause: Execution | null, before: Position | undefined): boolean {
  return cause !== null && before !== undefined && deps.warden.shares.keepsStopNear(cause, before);
}

/** Combines both moves: the market may have moved the peak since the position's change was prepared. */
function moveAlong(
  armed: ArmedBracket,
  { from, to }: { readonly from: ArmedBracket; readonly to: ArmedBracket },
): ArmedBracket {
  if (from === to) return armed;
  if (armed === from) return to;
  const isPeakMoved = armed.peak !== null && from.peak !== null && to.peak !== null;
  return {
    ...armed,
    ...(to.sized === undefined ? {} : { sized: to.sized }),
    ...(isPeakMoved ? { peak: text(dec(armed.peak).plus(to.peak).minus(from.peak)) } : {}),
  };
}
