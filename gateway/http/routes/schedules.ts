/** TWAP schedules. */

import { type BoundRoute, bind } from '../../call/call.ts';
import {
  cancelSchedule,
  createSchedule,
  getSchedule,
  listSchedules,
  pauseSchedule,
  resumeSchedule,
} from '../../contract/schedules.ts';
import type { Principal } from '../../domain/model.ts';
import type { Schedule } from '../../domain/schedule.ts';
import { commandOf } from '../idempotency-key.ts';
import { presentSchedule, presentScheduleSummary, scheduleJson } from '../present/schedule.ts';
import { bracketsOf, slicingOf } from '../resting-input.ts';
import { answeredReply, unwrap } from '../unwrap.ts';
import { accountFilter, nextCursorOf, pageAsked } from './page-reply.ts';
import { found } from './refusals.ts';
import type { RestingRouteDeps } from './resting-deps.ts';

export function scheduleRoutes(deps: RestingRouteDeps): readonly BoundRoute[] {
  const { resting, store, positions, names, protectionWhenFilled } = deps;
  const { schedules } = resting;
  const present = (schedule: Schedule, principal: Principal) =>
    presentSchedule(schedule, names.to(principal), protectionWhenFilled(schedule));
  return [
    bind(createSchedule, async (call) => {
      const { principal, body } = call;
      const command = commandOf(createSchedule, call, scheduleJson(names.to(principal)));
      const asked = {
        ...slicingOf(body),
        legs: body.legs,
        totalUsd: body.totalUsd ?? null,
        slippage: body.slippage,
        onLegFailure: body.onLegFailure,
        ...bracketsOf(body),
        afterBracket: body.afterBracket,
        reduceOnly: body.reduceOnly,
        clientId: body.clientId ?? null,
      };
      return answeredReply(unwrap(await schedules.create(principal, command, asked)), 200);
    }),

    bind(listSchedules, async ({ principal, account, query }) => {
      positions.checkConnector(query.connector);
      const page = await store.schedules(accountFilter(account, query), pageAsked(query));
      const name = names.to(principal);
      const rows = page.rows.map((schedule) =>
        presentScheduleSummary(schedule, name, protectionWhenFilled(schedule)),
      );
      return { body: { schedules: rows, ...nextCursorOf(page) } };
    }),

    bind(getSchedule, async ({ principal, account, params }) => {
      const schedule = found(await store.schedule(account.id, params.id), 'Schedule');
      return { body: present(schedule, principal) };
    }),

    bind(pauseSchedule, async ({ principal, account, params }) => ({
      body: present(unwrap(await schedules.pause(account, params.id, principal)), principal),
    })),

    bind(resumeSchedule, async ({ principal, account, params }) => ({
      body: present(unwrap(await schedules.resume(principal, account, params.id)), principal),
    })),

    bind(cancelSchedule, async ({ principal, account, params }) => ({
      body: present(unwrap(await schedules.cancel(account, params.id, principal)), principal),
    })),
  ];
}
