/** Commands of TWAP schedules. Every change is on disk before its answer; the scheduler sends the slices. */
import { changedBy, type Placed, placedBy } from '../../../domain/authority.ts';
import type { Principal, TradeAccount } from '../../../domain/model.ts';
import { ok, type Result } from '../../../domain/result.ts';
import { endSchedule, pauseSchedule, resumeSchedule, type Schedule } from '../../../domain/schedule.ts';
import { resumedSlices } from '../../../domain/slice-timing.ts';
import type { IllegalTransition } from '../../../domain/transition.ts';
import { busy, type EngineError, noop, notFound, type Refusable, storeFailed } from '../../core/errors.ts';
import type { Answered, MakeCommand } from '../../core/idempotency.ts';
import { mayOpen } from '../../core/may-open.ts';
import { checkClient } from '../../execution/open-basket.ts';
import type { AcceptDeps } from '../../execution/start-execution.ts';
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

export type ScheduleService = ReturnType<typeof createScheduleService>;

type Change = (schedule: Schedule, now: number) => Result<Schedule, IllegalTransition>;

export function createScheduleService(deps: AcceptDeps, scheduler: PlanScheduler) {
  function make(
    command: MakeCommand<Schedule>,
    placed: Placed,
    build: () => Result<Schedule, EngineError>,
  ): Promise<Result<Answered, EngineError>> {
    return deps.idempotency.run(command.idempotency, async (record) => {
      if (!deps.accepting()) return busy('The gateway is stopping', { reason: 'STOPPING' });
      if (deps.accountOf(command.account.id) === undefined) return notFound('Trade account');
      const built = build();
      if (!built.ok) return built;
      const schedule = built.value;
      if (schedule.kind === 'OPEN') {
        const allowed = mayOpen(deps, command.account, placed);
        if (!allowed.ok) return allowed;
      }
      const json = command.answer(schedule);
      const committed = await deps.store.commit({
        ...scheduleCreated(schedule),
        idempotency: record(200, json, schedule.createdAt),
      });
      if (!committed.ok) return storeFailed(committed.error);
      scheduler.schedules.put(schedule);
      scheduler.look(schedule.id);
      return ok({ status: 200, json, replayed: false });
    });
  }

  async function change(
    account: TradeAccount,
    id: string,
    decide: Change,
    check: (schedule: Schedule) => Result<null, EngineError> = () => ok(null),
  ): Promise<Result<Schedule, EngineError>> {
    const live = scheduler.schedules.get(id);
    const known = live?.tradeAccountId === account.id ? live : await deps.store.schedule(account.id, id);
    if (known === null) return notFound('Schedule');
    const allowed = check(known);
    if (!allowed.ok) return allowed;
    const changed = await scheduler.change(known, decide);
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
     * names the largest slice count that would do.
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
      return make(command, placed, () => newBasketSchedule(deps, account, asked, placed));
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
      return make(command, placed, () =>
        newClosingSchedule(deps, account, deps.state.positions.get(asked.positionId), asked, placed),
      );
    },

    pause: (account: TradeAccount, id: string) =>
      change(account, id, (schedule, now) => pauseSchedule(schedule, 'USER', now)),

    /**
     * If a user resumes a schedule, it runs under the user's authority from then on; an agent's resume changes no
     * authority.
     */
    resume: (principal: Principal, account: TradeAccount, id: string) =>
      change(
        account,
        id,
        (schedule, now) =>
          resumeSchedule(
            { ...schedule, ...changedBy(schedule, principal) },
            resumedSlices(schedule.slices, now),
            now,
          ),
        (schedule) => (schedule.kind === 'OPEN' ? mayOpen(deps, account, placedBy(principal)) : ok(null)),
      ),

    cancel: (account: TradeAccount, id: string) =>
      change(account, id, (schedule, now) => endSchedule(schedule, 'cancel', null, now)),
  };
}
