/** Commands of TWAP schedules. Every change is on disk before its answer; the scheduler sends the slices. */
import { type Placed, placedBy } from '../../../domain/authority.ts';
import { dec, text, textRounded } from '../../../domain/decimal.ts';
import type { Principal, TradeAccount } from '../../../domain/model.ts';
import { approvedAt } from '../../../domain/position-setup.ts';
import { ok, type Result } from '../../../domain/result.ts';
import { endSchedule, pauseSchedule, resumeSchedule, type Schedule } from '../../../domain/schedule.ts';
import { resumedSlices } from '../../../domain/slice-timing.ts';
import { remainingOf } from '../../../domain/slicing.ts';
import type { IllegalTransition } from '../../../domain/transition.ts';
import type { AskedTrade, Loss } from '../../core/asked.ts';
import { askedOf } from '../../core/caller.ts';
import { busy, type EngineError, noop, notFound, type Refusable, storeFailed } from '../../core/errors.ts';
import type { Answered, MakeCommand } from '../../core/idempotency.ts';
import type { Without } from '../../core/mandate-usage.ts';
import { mayOpen } from '../../core/may-open.ts';
import type { Admission } from '../../core/reservations.ts';
import { oneUnit } from '../../core/unit-parts.ts';
import { changedBy, endsUsersPause, pauserOf } from '../../core/users-pause.ts';
import { actorOf, loosenedByOrder, loosenedUnit, mayChangeProtection } from '../../execution/loosening.ts';
import { mayCloseLater, mayWait, refusal, withReservation } from '../../execution/may-wait.ts';
import { checkClient } from '../../execution/open-basket.ts';
import type { AcceptDeps } from '../../execution/start-execution.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { askedPosition, type ClosePosition } from '../../positions/change-position.ts';
import {
  type CreateSchedule,
  checkSchedule,
  newBasketSchedule,
  newClosingSchedule,
  type Slicing,
} from './new-schedule.ts';
import type { PlanScheduler } from './plan-scheduler.ts';
import { scheduleCreated } from './schedule-rows.ts';
import { sharesOf } from './slice-order.ts';

export type ScheduleService = ReturnType<typeof createScheduleService>;

type Change = (schedule: Schedule, now: number) => Result<Schedule, IllegalTransition>;

export function createScheduleService(deps: AcceptDeps, scheduler: PlanScheduler) {
  deps.followUps.plannedShares = ({ id }) => {
    const schedule = scheduler.schedules.ofExecution(id);
    return schedule === undefined ? null : sharesOf(schedule.ledger);
  };

  function make(
    principal: Principal,
    command: MakeCommand<Schedule>,
    placed: Placed,
    build: () => Result<Schedule, EngineError>,
  ): Promise<Result<Answered, EngineError>> {
    return deps.idempotency.run(command.idempotency, async (record) => {
      if (!deps.accepting()) return busy('The gateway is stopping', { reason: 'STOPPING' });
      if (deps.accountOf(command.account.id) === undefined) return notFound('Trade account');
      const built = build();
      if (!built.ok) return built;
      const asked = built.value;
      if (asked.kind === 'OPEN') {
        const allowed = mayOpen(deps, command.account, placed);
        if (!allowed.ok) return allowed;
      }
      const admitted = mandateAllows(principal, command, asked);
      if (!admitted.ok) return refusal(deps, admitted);
      const at = admitted.value?.approved?.at;
      const schedule = at === undefined ? asked : approvedAt(asked, at);
      const json = command.answer(schedule);
      const committed = await withReservation(
        deps,
        admitted.value,
        reservedFor(admitted.value, schedule),
        async (reserved) => {
          const idempotency = record(200, json, schedule.createdAt);
          const kept = await deps.store.commit(oneUnit(scheduleCreated(schedule), reserved, { idempotency }));
          return kept.ok ? ok(null) : storeFailed(kept.error);
        },
      );
      if (!committed.ok) return committed;
      scheduler.schedules.put(schedule);
      scheduler.look(schedule.id);
      return ok({ status: 200, json, replayed: false });
    });
  }

  /** Reservation for the schedule; null: nothing to reserve. */
  function mandateAllows(
    principal: Principal,
    { account, asked = null }: Pick<MakeCommand<Schedule>, 'account' | 'asked'>,
    schedule: Schedule,
    without?: Without,
  ): Result<Admission | null, EngineError> {
    if (schedule.kind === 'OPEN') {
      return mayWait(deps, principal, () => ({
        ...{ account, kind: 'over_time', basketKey: schedule.basketKey, rests: 1, asked },
        trades: [wholeOf(schedule)],
        setup: schedule,
        loosens: loosenedByOrder(
          deps,
          deps.state.positions.ofBasket(account.id, schedule.basketKey),
          schedule,
        ),
        ...(without === undefined ? {} : { without }),
      }));
    }
    const position = deps.state.positions.get(schedule.positionId ?? '');
    if (position === undefined) return ok(null);
    const { slippage } = schedule;
    return mayCloseLater(deps, principal, account, position, { legs: closedLegs(deps, schedule), slippage });
  }

  /** An agent may resume its own schedule, judged as if new. Only the user resumes one that its mandate stopped. */
  function mayResume(
    principal: Principal,
    account: TradeAccount,
    schedule: Schedule,
  ): Result<Admission | null, EngineError> {
    const free = endsUsersPause(deps, principal, schedule);
    if (!free.ok) return free;
    const bound = deps.warden.ofPrincipal(principal);
    if (bound !== null && schedule.pauseReason === 'AGENT_LIMIT') {
      return busy('Its mandate stopped it: its user may resume it', { reason: 'AGENT_LIMIT' });
    }
    const asked = askedOf(principal);
    const without = { waiting: { id: schedule.id, usd: null } };
    return mandateAllows(principal, { account, asked }, schedule, without);
  }

  /** Checks that the caller may stop a schedule. A closing schedule protects its position. */
  function mayStop(
    principal: Principal | undefined,
    account: TradeAccount,
    schedule: Schedule,
    loosens: readonly Loss[],
  ): Result<Admission | null, EngineError> {
    const bound = principal === undefined ? null : deps.warden.ofPrincipal(principal);
    if (principal === undefined || bound === null || loosens.length === 0) return ok(null);
    const isOwn = deps.warden.isHis(bound, schedule);
    return mayChangeProtection(deps, principal, { account, kind: 'over_time', isOwn, loosens });
  }

  /** Pauses or cancels a schedule. @param principal left out: the user */
  function stop(
    account: TradeAccount,
    id: string,
    what: 'paused' | 'cancelled',
    decide: Change,
    principal: Principal | undefined,
  ): Promise<Result<Schedule, EngineError>> {
    const lost = ({ kind, reduceOnly }: Schedule) =>
      kind === 'CLOSE' || reduceOnly ? [{ words: `Closing TWAP ${what}` }] : [];
    return change(
      account,
      id,
      decide,
      (schedule) => mayStop(principal, account, schedule, lost(schedule)),
      (schedule) =>
        principal === undefined
          ? {}
          : loosenedUnit(deps, actorOf(principal, placedBy(principal)), schedule, lost(schedule)),
    );
  }

  async function change(
    account: TradeAccount,
    id: string,
    decide: Change,
    check: (schedule: Schedule) => Result<Admission | null, EngineError>,
    told: (schedule: Schedule) => UnitOfWork = () => ({}),
  ): Promise<Result<Schedule, EngineError>> {
    const live = scheduler.schedules.get(id);
    const known = live?.tradeAccountId === account.id ? live : await deps.store.schedule(account.id, id);
    if (known === null) return notFound('Schedule');
    const allowed = check(known);
    if (!allowed.ok) return refusal(deps, allowed);
    const approved = allowed.value?.approved;
    const changed = await scheduler.change(known, decide, () =>
      oneUnit(approved?.alongside(id) ?? {}, told(known)),
    );
    if (changed === null) return noop('The schedule has ended');
    if (changed.ok) {
      scheduler.look(id);
      return changed;
    }
    const { error } = changed;
    if ('code' in error) return { ok: false, error };
    return noop(`The schedule is ${error.from} already`);
  }

  return {
    /**
     * 200 with the schedule. Slices below a leg's minimum: VALIDATION_ERROR on path `intervalSeconds`, whose message
     * names the largest possible slice count.
     */
    async create(
      principal: Principal,
      command: MakeCommand<Schedule>,
      asked: CreateSchedule,
    ): Refusable<Answered> {
      const { account } = command;
      const client = checkClient(deps, principal, asked.clientId);
      if (!client.ok) return client;
      const valid = checkSchedule(deps, account, asked);
      if (!valid.ok) return valid;
      const placed = placedBy(principal);
      return make(principal, command, placed, () => newBasketSchedule(deps, account, asked, placed));
    },

    /** 200 with a schedule of kind CLOSE. */
    async close(
      principal: Principal,
      command: MakeCommand<Schedule>,
      asked: ClosePosition & Slicing,
    ): Refusable<Answered> {
      const { account } = command;
      const found = await askedPosition(deps, principal, command, asked);
      if (!found.ok) return found;
      const placed = placedBy(principal);
      return make(principal, command, placed, () =>
        newClosingSchedule(deps, account, deps.state.positions.get(asked.positionId), asked, placed),
      );
    },

    /** @param principal left out: the user */
    pause: (account: TradeAccount, id: string, principal?: Principal) =>
      stop(
        account,
        id,
        'paused',
        (schedule, now) => pauseSchedule(schedule, 'USER', now, pauserOf(deps, principal)),
        principal,
      ),

    /**
     * If a user resumes a schedule, it runs under the user's authority from then on; an agent's resume does not change
     * the authority.
     */
    resume: (principal: Principal, account: TradeAccount, id: string) =>
      change(
        account,
        id,
        (schedule, now) =>
          resumeSchedule(
            { ...schedule, ...changedBy(deps, schedule, placedBy(principal)) },
            resumedSlices(schedule.slices, now),
            now,
          ),
        (schedule) => {
          const allowed = schedule.kind === 'OPEN' ? mayOpen(deps, account, placedBy(principal)) : ok(null);
          return allowed.ok ? mayResume(principal, account, schedule) : allowed;
        },
      ),

    /** @param principal left out: the user */
    cancel: (account: TradeAccount, id: string, principal?: Principal) =>
      stop(
        account,
        id,
        'cancelled',
        (schedule, now) => endSchedule(schedule, 'cancel', null, now),
        principal,
      ),
  };
}

/** Reservation of a schedule. A closing schedule reserves nothing. */
function reservedFor(admission: Admission | null, { id, kind, tradeAccountId }: Schedule) {
  const orders = kind === 'CLOSE' ? [] : [{ id, usd: admission?.reserveUsd ?? '0' }];
  return { what: 'SCHEDULE', orders, made: id, tradeAccountId } as const;
}

/** Whole trade of a schedule, in USD at current marks. */
function wholeOf({ ledger, slippage }: Schedule): AskedTrade {
  const legs = ledger.map(({ symbol, side, total, usdPerUnit }) => {
    return { symbol, side, mode: 'USD', amount: text(dec(total).mul(usdPerUnit)) } as const;
  });
  return { legs, totalUsd: null, slippage };
}

/** Rest of each leg to close, in base units. */
function closedLegs(
  { market }: Pick<AcceptDeps, 'market'>,
  { connector, ledger }: Schedule,
): AskedTrade['legs'] {
  return ledger.map((leg) => {
    const { symbol, side, unit } = leg;
    const price = unit === 'USD' ? (market.quote(connector, symbol)?.mark ?? '1') : '1';
    const amount = textRounded(remainingOf(leg).div(price), 18);
    return { symbol, side, mode: 'BASE', amount } as const;
  });
}
