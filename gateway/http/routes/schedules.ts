/** TWAP schedules. */
import {
  cancelSchedule,
  createSchedule,
  getSchedule,
  listSchedules,
  pauseSchedule,
  resumeSchedule,
} from '../../contract/schedules.ts';
import type { RestingStore } from '../../engine/ports/store.ts';
import type { ScheduleService } from '../../engine/resting/schedules/schedule-service.ts';
import { type BoundRoute, bind } from '../handler.ts';
import { idempotentRequest } from '../idempotency-key.ts';
import type { AuthorityNames } from '../present/authority.ts';
import { presentSchedule, presentScheduleSummary, scheduleJson } from '../present/schedule.ts';
import { bracketsOf, slicingOf } from '../resting-input.ts';
import { answeredReply, unwrap } from '../unwrap.ts';
import { accountFilter, nextCursorOf, pageAsked } from './page-reply.ts';
import type { PositionPresenter } from './positions.ts';
import { notFound } from './refusals.ts';

export interface ScheduleRouteDeps {
  readonly schedules: ScheduleService;
  readonly store: Pick<RestingStore, 'schedule' | 'schedules'>;
  readonly positions: Pick<PositionPresenter, 'checkConnector'>;
  readonly names: AuthorityNames;
}

export function scheduleRoutes(deps: ScheduleRouteDeps): readonly BoundRoute[] {
  const { schedules, store, positions, names } = deps;
  return [
    bind(createSchedule, async (call) => {
      const { principal, account, body } = call;
      const command = {
        account,
        idempotency: idempotentRequest(createSchedule, call),
        answer: scheduleJson(names.to(principal)),
      };
      const asked = {
        ...slicingOf(body),
        legs: body.legs,
        totalUsd: body.totalUsd ?? null,
        slippage: body.slippage,
        ...bracketsOf(body),
        reduceOnly: body.reduceOnly,
        clientId: body.clientId ?? null,
      };
      return answeredReply(unwrap(await schedules.create(principal, command, asked)), 200);
    }),

    bind(listSchedules, async ({ principal, account, query }) => {
      positions.checkConnector(query.connector);
      const page = await store.schedules(accountFilter(account, query), pageAsked(query));
      const name = names.to(principal);
      const rows = page.rows.map((schedule) => presentScheduleSummary(schedule, name));
      return { body: { schedules: rows, ...nextCursorOf(page) } };
    }),

    bind(getSchedule, async ({ principal, account, params }) => {
      const schedule = await store.schedule(account.id, params.id);
      if (schedule === null) throw notFound('Schedule');
      return { body: presentSchedule(schedule, names.to(principal)) };
    }),

    bind(pauseSchedule, async ({ principal, account, params }) => ({
      body: presentSchedule(unwrap(await schedules.pause(account, params.id)), names.to(principal)),
    })),

    bind(resumeSchedule, async ({ principal, account, params }) => ({
      body: presentSchedule(
        unwrap(await schedules.resume(principal, account, params.id)),
        names.to(principal),
      ),
    })),

    bind(cancelSchedule, async ({ principal, account, params }) => ({
      body: presentSchedule(unwrap(await schedules.cancel(account, params.id)), names.to(principal)),
    })),
  ];
}
