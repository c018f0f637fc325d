/** TWAP schedules. */
import {
  cancelSchedule,
  createSchedule,
  getSchedule,
  listSchedules,
  pauseSchedule,
  resumeSchedule,
} from '../../contract/schedules.ts';
import type { RestingStore } from '../../engine/ports.ts';
import type { ScheduleService } from '../../engine/resting-ports.ts';
import { type BoundRoute, bind } from '../handler.ts';
import { idempotentRequest } from '../idempotency-key.ts';
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
}

export function scheduleRoutes({ schedules, store, positions }: ScheduleRouteDeps): readonly BoundRoute[] {
  return [
    bind(createSchedule, async (call) => {
      const { principal, account, body } = call;
      const command = { account, idempotency: idempotentRequest(createSchedule, call), answer: scheduleJson };
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

    bind(listSchedules, async ({ account, query }) => {
      positions.checkConnector(query.connector);
      const page = await store.schedules(accountFilter(account, query), pageAsked(query));
      return { body: { schedules: page.rows.map(presentScheduleSummary), ...nextCursorOf(page) } };
    }),

    bind(getSchedule, async ({ account, params }) => {
      const schedule = await store.schedule(account.id, params.id);
      if (schedule === null) throw notFound('Schedule');
      return { body: presentSchedule(schedule) };
    }),

    bind(pauseSchedule, async ({ account, params }) => ({
      body: presentSchedule(unwrap(await schedules.pause(account, params.id))),
    })),

    bind(resumeSchedule, async ({ account, params }) => ({
      body: presentSchedule(unwrap(await schedules.resume(account, params.id))),
    })),

    bind(cancelSchedule, async ({ account, params }) => ({
      body: presentSchedule(unwrap(await schedules.cancel(account, params.id))),
    })),
  ];
}
