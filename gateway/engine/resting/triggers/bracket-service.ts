/** Commands for take-profit and stop-loss of open positions, which are armed and fired like all triggers. */
import { placedBy } from '../../../domain/authority.ts';
import { type AskedBrackets, askedBrackets, namedBrackets } from '../../../domain/bracket-fate.ts';
import { type BracketRecord, isRoundRunning, waitsForRound } from '../../../domain/bracket-rounds.ts';
import type { Position, Principal, TradeAccount } from '../../../domain/model.ts';
import type { Protection } from '../../../domain/protection.ts';
import { ok } from '../../../domain/result.ts';
import { type BracketKind, cancelTrigger, resumeTrigger, type Trigger } from '../../../domain/trigger.ts';
import { busy, noop, notFound, type Refusable } from '../../core/errors.ts';
import type { FollowUp } from '../../core/follow-ups.ts';
import { oneUnit } from '../../core/unit-parts.ts';
import { changedBy, endsUsersPauses } from '../../core/users-pause.ts';
import { checkBrackets } from '../../execution/bracket-checks.ts';
import { actorOf, loosenedByBrackets, loosenedUnit } from '../../execution/loosening.ts';
import { mayProtect, refusal } from '../../execution/may-wait.ts';
import { protectionIfSet } from '../../execution/protection-after.ts';
import type { AcceptDeps } from '../../execution/start-execution.ts';
import { checkBracketWindow } from './check-watch.ts';
import { newBracket } from './new-trigger.ts';
import type { TriggerParts } from './trigger-parts.ts';

export type BracketTrigger = Extract<Trigger, { readonly bracketType: BracketKind }>;

/** A position's brackets that have not ended. */
export interface PositionBrackets {
  readonly takeProfit: BracketTrigger | null;
  readonly stopLoss: BracketTrigger | null;
}

export type BracketService = ReturnType<typeof createBracketService>;

export function createBracketService(parts: TriggerParts & { readonly deps: AcceptDeps }) {
  const { deps, live, changes, table, windows } = parts;

  /** The brackets from memory; both null for a position without any. */
  function bracketsOf(positionId: string): PositionBrackets {
    const found = live.ofPosition(positionId);
    const of = (kind: BracketRecord['bracketType']): BracketRecord | null => {
      const bracket = found.find((one) => one.bracketType === kind);
      return bracket === undefined || bracket.bracketType === null ? null : bracket;
    };
    return { takeProfit: of('TAKE_PROFIT'), stopLoss: of('STOP_LOSS') };
  }

  async function openPosition(account: TradeAccount, positionId: string): Refusable<Position> {
    const known = deps.state.positions.get(positionId);
    if (known?.tradeAccountId === account.id) return ok(known);
    const stored = await deps.store.position(account.id, positionId);
    return stored === null ? notFound('Position') : noop('The position is already closed');
  }

  /** Protection if the brackets were set. Records nothing; levels and metrics are refused as in `set`. */
  async function plan(
    account: TradeAccount,
    positionId: string,
    change: AskedBrackets,
  ): Refusable<readonly Protection[]> {
    const found = await openPosition(account, positionId);
    if (!found.ok) return found;
    const checked = checkBrackets(deps, account.connector, change, found.value.legs);
    return checked.ok ? ok(protectionIfSet(deps, account.connector, found.value, change)) : checked;
  }

  /**
   * Sets brackets. One left out stays; null removes it; otherwise a new trigger replaces it, old and new in one unit.
   * Errors: a level that is passed already (path `takeProfit.value`, `stopLoss.value`), a metric that does not fit the
   * legs (`…type`); NOOP_ERROR for a closed position or the removal of a missing bracket; RESOURCE_BUSY while the
   * bracket's round is executing (between two rounds it can be changed).
   */
  async function set(
    principal: Principal,
    account: TradeAccount,
    positionId: string,
    change: AskedBrackets,
  ): Refusable<PositionBrackets> {
    const known = await openPosition(account, positionId);
    if (!known.ok) return known;
    // Runs in the position's queue, so that the position cannot close or change between check and commit.
    return deps.state.positions.queue.run(`${account.id} ${known.value.basketKey}`, async () => {
      const unlock = await live.lockAll(live.bracketsOf(positionId).map(({ id }) => id));
      try {
        return await setLocked(principal, account, positionId, change);
      } finally {
        unlock();
      }
    });
  }

  async function setLocked(
    principal: Principal,
    account: TradeAccount,
    positionId: string,
    change: AskedBrackets,
  ): Refusable<PositionBrackets> {
    const position = deps.state.positions.get(positionId);
    if (position === undefined) return noop('The position is already closed');
    const checked = checkBrackets(deps, account.connector, change, position.legs);
    if (!checked.ok) return checked;
    for (const asked of askedBrackets(change)) {
      const window = await checkBracketWindow(deps, windows, asked, position);
      if (!window.ok) return window;
    }
    const old = namedBrackets(change, live.bracketsOf(positionId));
    if (old.some(isRoundRunning))
      return busy('The bracket is closing the position right now', { reason: 'ROUND_RUNNING' });
    const free = endsUsersPauses(deps, principal, old);
    if (!free.ok) return free;
    const made: FollowUp[] = old.flatMap((one) => {
      const cancelled = cancelTrigger(one, null, deps.clock.now());
      return cancelled.ok ? [changes.changed(cancelled.value)] : [];
    });
    // A bracket paused for the removed bracket is watched again.
    const waiting = live.bracketsOf(positionId).filter(({ pauseReason }) => pauseReason === 'OTHER_BRACKET');
    for (const other of old.some(waitsForRound) ? waiting : []) {
      const resumed = old.includes(other) ? null : resumeTrigger(other, deps.clock.now());
      if (resumed?.ok === true) made.push(changes.changed(resumed.value, 'now'));
    }
    const [asker, loosens] = [placedBy(principal), loosenedByBrackets(deps, position, change)];
    // An agent that moves another party's bracket nearer is not its owner; one that it moves away gives way.
    const kept = old.filter((one) => loosens.every(({ owner }) => owner !== one));
    for (const { kind, bracket } of askedBrackets(change)) {
      const before = kept.find(({ bracketType }) => bracketType === kind) ?? asker;
      const fresh = newBracket(deps, position, kind, bracket, changedBy(deps, before, asker));
      if (fresh !== null) made.push(changes.created(fresh, 'next_tick'));
    }
    if (made.length === 0) return noop('The position has no such bracket');
    const allowed = mayProtect(deps, principal, account, position, change, loosens);
    if (!allowed.ok) return refusal(deps, allowed);
    const told = loosenedUnit(deps, actorOf(principal, asker), { ...position, positionId }, loosens);
    const alongside = allowed.value?.approved?.alongside(positionId) ?? {};
    const committed = await table.commit(old, made, oneUnit(alongside, told));
    return committed.ok ? ok(bracketsOf(positionId)) : committed;
  }

  return { set, plan, of: bracketsOf };
}
