/** Commands of triggers: open, change, pause, cancel. Every change of a trigger goes through its lock. */
import { placedBy } from '../../../domain/authority.ts';
import { KeyedQueue } from '../../../domain/keyed-queue.ts';
import { endedWords } from '../../../domain/loosening.ts';
import type { Principal, TradeAccount } from '../../../domain/model.ts';
import { approvedAt, inMode, modeOf } from '../../../domain/position-setup.ts';
import { fail, ok, type Result } from '../../../domain/result.ts';
import {
  cancelTrigger,
  isRestingTrigger,
  pauseTrigger,
  resumeTrigger,
  type Trigger,
} from '../../../domain/trigger.ts';
import { busy, type EngineError, FINE, noop, notFound, type Refusable } from '../../core/errors.ts';
import { type FollowUp, together } from '../../core/follow-ups.ts';
import type { Answered, MakeCommand } from '../../core/idempotency.ts';
import { mayOpen } from '../../core/may-open.ts';
import type { Admission } from '../../core/reservations.ts';
import { oneUnit } from '../../core/unit-parts.ts';
import { changedBy, endsUsersPause, pauserOf } from '../../core/users-pause.ts';
import { basketKeyOf } from '../../execution/basket-key.ts';
import { checkBracketsFit, checkPlannedBrackets, checkValueOfPlan } from '../../execution/bracket-checks.ts';
import { checkSymbols } from '../../execution/check-symbols.ts';
import { loosenedByOrder } from '../../execution/loosening.ts';
import { mayCloseLater, mayWait, refusal, withReservation } from '../../execution/may-wait.ts';
import { checkClient } from '../../execution/open-basket.ts';
import type { CancelReport } from '../../execution/order-service.ts';
import type { AcceptDeps } from '../../execution/start-execution.ts';
import type { StoreError, UnitOfWork } from '../../ports/unit-of-work.ts';
import { type ClosePosition, openPositionOf } from '../../positions/change-position.ts';
import { mayTell } from './alert-bounds.ts';
import {
  checkCondition,
  checkExpiry,
  checkFeed,
  checkMinimum,
  checkNotMet,
  checkWindow,
} from './check-watch.ts';
import type { FirstLook } from './first-look.ts';
import { makeWaiting } from './make-waiting.ts';
import {
  newAlert,
  newClosing,
  newOpening,
  type OpenAlert,
  type OpenTrigger,
  openingWeights,
  type Watch,
} from './new-trigger.ts';
import { withSeen } from './observation.ts';
import { type ChangeTrigger, refusedFields } from './trigger-change.ts';
import {
  closedBy,
  committedWith,
  loosenedByChange,
  mayChange,
  mayEnd,
  reservedFor,
  type TriggerChange,
} from './trigger-mandate.ts';
import type { TriggerParts } from './trigger-parts.ts';

/** Maximum number of triggers cancelled in one unit. */
const CANCELLED_AT_ONCE = 250;

interface Step extends Partial<Pick<TriggerChange, 'loosens'>> {
  readonly after: Trigger;
  readonly firstLook: FirstLook;
  /** Reservation that the risk check admitted. Default none. */
  readonly admission?: Admission | null;
}

type Moved = Result<Step, EngineError>;

export type TriggerService = ReturnType<typeof createTriggerService>;

export function createTriggerService(parts: TriggerParts & { readonly deps: AcceptDeps }) {
  const { deps, live, reader, table, changes, watcher, windows } = parts;
  /** Queue of new alerts, by user. */
  const alerts = new KeyedQueue();

  /** 200 with the trigger. With `allowImmediate` it may be TRIGGERED by the time of the answer. */
  async function open(
    principal: Principal,
    command: MakeCommand<Trigger>,
    asked: OpenTrigger,
  ): Refusable<Answered> {
    const { account } = command;
    const { condition, legs, totalUsd } = asked;
    for (const checked of [
      checkSymbols(deps, account, legs),
      checkCondition(deps, account, condition, legs),
      checkBracketsFit(asked, legs),
      checkClient(deps, principal, asked.clientId),
    ]) {
      if (!checked.ok) return checked;
    }
    return makeWaiting(deps, command, async (record) => {
      const feed = checkFeed(deps, account, condition);
      const weights = openingWeights(
        legs,
        totalUsd,
        (symbol) => deps.market.quote(account.connector, symbol)?.mark ?? '0',
      );
      const watched = { connector: account.connector, legs, weights, priceSource: asked.priceSource };
      for (const checked of [
        checkExpiry(deps, asked.expiresAt),
        feed.ok ? await checkWindow(windows, condition, watched) : FINE,
        feed.ok && !asked.allowImmediate ? checkNotMet(deps, windows, condition, watched) : FINE,
        feed.ok ? checkMinimum(deps, account.connector, legs, totalUsd) : FINE,
        feed,
        checkValueOfPlan(deps, account, asked),
        mayOpen(deps, account, placedBy(principal)),
        deps.limits.mayAsk(account, legs, totalUsd, false),
      ]) {
        if (!checked.ok) return checked;
      }
      const basketKey = basketKeyOf(deps, legs);
      const admitted = mayWait(deps, principal, () => ({
        ...{ account, kind: 'when', basketKey, rests: 1, asked: command.asked ?? null },
        trades: [{ legs, totalUsd, slippage: asked.slippage }],
        setup: asked,
        loosens: loosenedByOrder(deps, deps.state.positions.ofBasket(account.id, basketKey), asked),
      }));
      if (!admitted.ok) return refusal(deps, admitted);
      const placed = placedBy(principal);
      const at = admitted.value?.approved?.at;
      const terms = at === undefined ? asked : approvedAt(asked, at);
      const trigger = newOpening(deps, account, terms, { basketKey, weights, placed });
      const json = command.answer(trigger);
      const firstLook = asked.allowImmediate ? 'now' : 'next_tick';
      return withReservation(
        deps,
        admitted.value,
        reservedFor(deps, account, [trigger], trigger.id),
        (reserved) =>
          table.make(
            [changes.created(trigger, firstLook)],
            json,
            record(200, json, trigger.createdAt),
            reserved,
          ),
      );
    });
  }

  /** 200 with a trigger of kind CLOSE. NOOP_ERROR if the position is already closed. */
  async function close(
    principal: Principal,
    command: MakeCommand<Trigger>,
    asked: ClosePosition & Watch,
  ): Refusable<Answered> {
    const { account } = command;
    const { condition } = asked;
    const client = checkClient(deps, principal, asked.clientId);
    if (!client.ok) return client;
    return makeWaiting(deps, command, async (record) => {
      const early = checkExpiry(deps, asked.expiresAt);
      if (!early.ok) return early;
      const found = await openPositionOf(deps, command, asked.positionId);
      const legs = found.ok ? found.value.legs : [];
      const fitting = found.ok ? checkCondition(deps, account, condition, legs) : FINE;
      if (!fitting.ok) return fitting;
      const feed = checkFeed(deps, account, condition);
      if (!feed.ok) return feed;
      if (!found.ok) return found;
      const { basketKey } = found.value;
      // In the queue of the position's basket, so that the position cannot close between this check and the commit.
      return deps.state.positions.queue.run(`${account.id} ${basketKey}`, async () => {
        const position = deps.state.positions.get(asked.positionId);
        if (position === undefined) return noop('The position is already closed');
        const trigger = newClosing(deps, position, asked, placedBy(principal));
        const allowed = mayCloseLater(deps, principal, account, position, closedBy(trigger));
        if (!allowed.ok) return refusal(deps, allowed);
        const window = await checkWindow(windows, condition, trigger);
        if (!window.ok) return window;
        const met = asked.allowImmediate ? FINE : checkNotMet(deps, windows, condition, trigger);
        if (!met.ok) return met;
        const json = command.answer(trigger);
        const firstLook = asked.allowImmediate ? 'now' : 'next_tick';
        const [kept, approved] = [record(200, json, trigger.createdAt), allowed.value?.approved];
        return table.make([changes.created(trigger, firstLook)], json, kept, approved?.alongside(trigger.id));
      });
    });
  }

  /** 200 with the alert. With `allowImmediate` its notification may be sent before the answer. */
  async function tell(
    principal: Principal,
    command: MakeCommand<Trigger>,
    asked: OpenAlert,
  ): Refusable<Answered> {
    const { account } = command;
    const { condition, legs, totalUsd } = asked;
    for (const checked of [
      checkSymbols(deps, account, legs),
      checkCondition(deps, account, condition, legs),
    ]) {
      if (!checked.ok) return checked;
    }
    return makeWaiting(deps, command, async (record) => {
      const early = checkExpiry(deps, asked.expiresAt);
      if (!early.ok) return early;
      const weights = legs.length === 0 ? [] : openingWeights(legs, totalUsd, () => '1');
      const watched = { connector: account.connector, legs, weights, priceSource: asked.priceSource };
      const told = checkFeed(deps, account, condition);
      if (!told.ok) return told;
      // Outside the queue: reading candles may take long, and must not delay the user's other alerts.
      const window = await checkWindow(windows, condition, watched);
      if (!window.ok) return window;
      // One at a time, so that two do not share the last place.
      return alerts.run(account.userId, async () => {
        const feed = checkFeed(deps, account, condition);
        if (!feed.ok) return feed;
        const met = asked.allowImmediate ? FINE : checkNotMet(deps, windows, condition, watched);
        if (!met.ok) return met;
        const free = await mayTell(deps, live, account, placedBy(principal), asked.bounds);
        if (!free.ok) return free;
        const basketKey = legs.length === 0 ? '' : basketKeyOf(deps, legs);
        const alert = newAlert(deps, account, asked, { basketKey, weights, placed: placedBy(principal) });
        const json = command.answer(alert);
        const firstLook = asked.allowImmediate ? 'now' : 'next_tick';
        return table.make([changes.created(alert, firstLook)], json, record(200, json, alert.createdAt));
      });
    });
  }

  /** Changes one pending trigger of the account. */
  async function move(
    account: TradeAccount,
    triggerId: string,
    step: (trigger: Trigger) => Moved,
    principal?: Principal,
    what: 'trigger' | 'alert' = 'trigger',
  ): Promise<Result<Trigger, EngineError>> {
    const name = what === 'alert' ? 'Alert' : 'Trigger';
    const isOther = ({ kind }: Trigger) => (kind === 'ALERT') !== (what === 'alert');
    const unlock = await live.lock(triggerId);
    try {
      const known = live.get(triggerId);
      if (known === undefined || known.tradeAccountId !== account.id) {
        const stored = await deps.store.trigger(account.id, triggerId);
        if (stored === null || isOther(stored)) return notFound(name);
        return noop(`The ${what} is ${stored.status} already`);
      }
      if (known.status === 'TRIGGERED') return busy('The trigger is firing', { status: 'TRIGGERED' });
      const trigger = await reader.read(triggerId);
      if (trigger === undefined || !isRestingTrigger(trigger) || isOther(trigger)) return notFound(name);
      const moved = step(trigger);
      if (!moved.ok) return refusal(deps, moved);
      const { firstLook } = moved.value;
      const { after, rest } = committedWith(deps, principal, trigger, moved.value);
      const committed = await table.commit([trigger], [changes.changed(after, firstLook)], rest);
      return committed.ok ? ok(after) : committed;
    } finally {
      unlock();
    }
  }

  /** A pause keeps the last observation, because a paused trigger is not watched. */
  function paused(trigger: Trigger, principal: Principal | undefined): Moved {
    const noted = withSeen(trigger, watcher.observation(trigger.id));
    return stepped(pauseTrigger(noted, 'USER', deps.clock.now(), pauserOf(deps, principal)));
  }

  /** A step that stops a trigger for good, with a risk check if the trigger protects a position. */
  function stopped(
    principal: Principal | undefined,
    account: TradeAccount,
    trigger: Trigger,
    what: 'removed' | 'paused',
    next: Moved,
  ): Moved {
    if (!next.ok || trigger.kind !== 'CLOSE' || principal === undefined) return next;
    const loosens = [{ words: endedWords(trigger, what), owner: trigger }];
    const admitted = mayEnd(deps, principal, account, trigger, loosens);
    return admitted.ok ? ok({ ...next.value, admission: admitted.value, loosens }) : admitted;
  }

  /** The step, if the account is armed for its caller and the mandate allows it. */
  function judged(principal: Principal, account: TradeAccount, trigger: Trigger, step: () => Moved): Moved {
    const armed = trigger.kind === 'OPEN' ? deps.limits.mayOpen(account, placedBy(principal)) : FINE;
    const next = armed.ok ? step() : armed;
    if (!next.ok) return next;
    const { after } = next.value;
    const loosens = loosenedByChange(deps, trigger, after);
    const admitted = mayChange(deps, principal, account, { before: trigger, after, loosens });
    return admitted.ok ? ok({ ...next.value, admission: admitted.value, loosens }) : admitted;
  }

  function resumed(principal: Principal, trigger: Trigger): Moved {
    if (trigger.pauseReason === 'FEED_STALE') {
      return busy('It waits for its market data and goes on by itself', { reason: 'FEED_STALE' });
    }
    if (trigger.pauseReason === 'OTHER_BRACKET') {
      return busy("The position's other bracket is closing it", { reason: 'OTHER_BRACKET' });
    }
    if (trigger.status === 'ACTIVE') return noop('The trigger is not paused');
    const free = endsUsersPause(deps, principal, trigger);
    if (!free.ok) return free;
    const resuming = { ...trigger, ...changedBy(deps, trigger, placedBy(principal)) };
    return stepped(resumeTrigger(resuming, deps.clock.now()), 'after_pause');
  }

  function changed(principal: Principal, trigger: Trigger, change: ChangeTrigger): Moved {
    const { level, allowImmediate, expiresAt, takeProfit, stopLoss } = change;
    const refused = refusedFields(trigger, change);
    if (refused !== null) return refused;
    const free = endsUsersPause(deps, principal, trigger);
    if (!free.ok) return free;
    const expiry = checkExpiry(deps, expiresAt ?? null);
    if (!expiry.ok) return expiry;
    const mode = change.brackets ?? modeOf(trigger);
    const brackets = {
      takeProfit: inMode(takeProfit === undefined ? trigger.takeProfit : takeProfit, mode),
      stopLoss: inMode(stopLoss === undefined ? trigger.stopLoss : stopLoss, mode),
    };
    const fitting = checkPlannedBrackets(deps, trigger, { ...trigger, ...brackets });
    if (!fitting.ok) return fitting;
    const terms = {
      expiresAt: expiresAt === undefined ? trigger.expiresAt : expiresAt,
      ...brackets,
      ...changedBy(deps, trigger, placedBy(principal)),
      updatedAt: deps.clock.now(),
    };
    if (level === undefined || trigger.condition === null) {
      return ok({ after: { ...trigger, ...terms }, firstLook: 'next_tick' });
    }
    const condition = { ...trigger.condition, value: level };
    const met = allowImmediate ? FINE : checkNotMet(deps, windows, condition, trigger);
    if (!met.ok) return met;
    return ok({
      after: { ...trigger, ...terms, condition, error: trigger.status === 'ACTIVE' ? null : trigger.error },
      firstLook: allowImmediate ? 'now' : 'next_tick',
    });
  }

  /**
   * Cancels all pending triggers, brackets and rungs included, and ends their ladders. NOOP_ERROR if there is none. An
   * agent's request leaves closing triggers alone.
   * @param keepBrackets true: take-profits and stop-losses stay, and end with their position
   */
  async function cancelAll(
    account: TradeAccount,
    {
      keepBrackets = false,
      principal,
    }: { readonly keepBrackets?: boolean; readonly principal?: Principal } = {},
  ): Promise<Result<CancelReport, EngineError>> {
    const isAgents = pauserOf(deps, principal) === 'AGENT';
    const stays = (id: string) => {
      const { kind, bracketType = null } = live.get(id)?.record ?? {};
      return (isAgents && kind === 'CLOSE') || (keepBrackets && bracketType !== null);
    };
    const waiting = live.waitingOf(account.id).filter((id) => !live.isAlert(id) && !stays(id));
    return waiting.length === 0 ? noop('No trigger waits') : ok(await cancelMany(waiting));
  }

  /** Cancels the given triggers, as far as they are pending. */
  async function cancelMany(waiting: readonly string[]): Promise<CancelReport> {
    const cancelled: string[] = [];
    const failed: { id: string; error: EngineError }[] = [];
    for (let from = 0; from < waiting.length; from += CANCELLED_AT_ONCE) {
      const ids = waiting.slice(from, from + CANCELLED_AT_ONCE);
      const done = await cancelSome(ids);
      if (done.ok) cancelled.push(...done.value);
      else for (const id of ids) failed.push({ id, error: done.error });
    }
    return { cancelled, failed };
  }

  /** Returns the ids of the cancelled triggers: others may have fired or ended since. */
  async function cancelSome(ids: readonly string[]): Promise<Result<readonly string[], EngineError>> {
    const unlock = await live.lockAll(ids);
    try {
      const { before, moved } = await cancellations(ids);
      if (moved.length === 0) return ok([]);
      const committed = await table.commit(before, moved);
      return committed.ok ? ok(before.map(({ id }) => id)) : fail(committed.error);
    } finally {
      unlock();
    }
  }

  /** Cancellations of the triggers that are still pending. To be called by the holder of their locks. */
  async function cancellations(ids: readonly string[]) {
    const read = await Promise.all(ids.map((id) => reader.read(id)));
    const before: Trigger[] = [];
    const moved: FollowUp[] = [];
    for (const trigger of read) {
      const next = trigger === undefined ? null : cancelTrigger(trigger, null, deps.clock.now());
      if (trigger === undefined || next === null || !next.ok) continue;
      before.push(trigger);
      moved.push(changes.changed(next.value));
    }
    return { before, moved };
  }

  /**
   * Removes an account and ends its alerts in the unit of the removal; if the removal fails, they stay. The account is
   * removed only while their locks are held, so that an alert that is met meanwhile finds its account. Alerts of its
   * user that are being created are finished first.
   */
  async function removeAccount(
    { id, userId }: TradeAccount,
    remove: (
      commit: (removal: UnitOfWork) => Promise<Result<unknown, StoreError>>,
    ) => Promise<Result<void, StoreError>>,
  ): Promise<Result<void, StoreError>> {
    return alerts.run(userId, async () => {
      const waiting = live.waitingOf(id).filter((one) => live.isAlert(one));
      const unlock = await live.lockAll(waiting);
      try {
        const ended = together((await cancellations(waiting)).moved);
        const removed = await remove((removal) => deps.store.commit(oneUnit(removal, ended.unit)));
        if (removed.ok) ended.committed?.();
        return removed;
      } finally {
        unlock();
      }
    });
  }

  return {
    open,
    close,
    /**
     * If a user changes or resumes a trigger, it runs under the user's authority from then on; an agent's change does
     * not change the authority.
     */
    change: (principal: Principal, account: TradeAccount, id: string, change: ChangeTrigger) =>
      move(
        account,
        id,
        (trigger) => judged(principal, account, trigger, () => changed(principal, trigger, change)),
        principal,
      ),
    /** @param principal left out: the user */
    cancel: (account: TradeAccount, id: string, principal?: Principal) =>
      move(
        account,
        id,
        (trigger) => {
          const cancelled = stepped(cancelTrigger(trigger, null, deps.clock.now()));
          return stopped(principal, account, trigger, 'removed', cancelled);
        },
        principal,
      ),
    /** @param principal left out: the user */
    pause: (account: TradeAccount, id: string, principal?: Principal) =>
      move(
        account,
        id,
        (trigger) => stopped(principal, account, trigger, 'paused', paused(trigger, principal)),
        principal,
      ),
    resume: (principal: Principal, account: TradeAccount, id: string) =>
      move(account, id, (trigger) => judged(principal, account, trigger, () => resumed(principal, trigger))),
    cancelAll,
    cancelMany,
    tell,
    removeAccount,
    changeAlert: (
      principal: Principal,
      account: TradeAccount,
      id: string,
      change: Pick<ChangeTrigger, 'level' | 'allowImmediate' | 'expiresAt'>,
    ) => move(account, id, (alert) => changed(principal, alert, change), principal, 'alert'),
    cancelAlert: (account: TradeAccount, id: string) =>
      move(account, id, (alert) => stepped(cancelTrigger(alert, null, deps.clock.now())), undefined, 'alert'),
    /** undefined: the trigger is no longer pending, so its stored row is complete. */
    observation: (id: string) => watcher.observation(id),
  };
}

function stepped(next: Result<Trigger, unknown>, firstLook: FirstLook = 'next_tick'): Moved {
  return next.ok ? ok({ after: next.value, firstLook }) : noop('The trigger is so already');
}
