/** The brakes: no new orders, or out of everything. */
import { z } from 'zod';
import { isoTime, uuid } from './common.ts';
import { route } from './route.ts';
import { execution } from './trading.ts';

export const safety = z
  .strictObject({
    paused: z.boolean(),
    reason: z.enum(['PAUSE', 'PANIC']).nullable(),
    pausedAt: isoTime.nullable(),
  })
  .meta({ id: 'Safety', description: "Of all of the user's trade accounts" });

const PAUSED_TEXT =
  'While paused, every route that could open something answers 409 `RESOURCE_BUSY` with `details.reason` `PAUSED`, triggers that open do not fire and slices that open are not sent. Closing stays possible: triggers that close, take-profit, stop-loss and closing slices go on.';

export const getSafety = route({
  method: 'GET',
  path: '/safety',
  auth: 'K',
  tag: 'Safety',
  summary: 'Are new orders accepted?',
  success: { 200: safety },
});

export const pauseTrading = route({
  method: 'POST',
  path: '/safety/pause',
  auth: 'K',
  tag: 'Safety',
  summary: "No new orders on any of the user's accounts",
  description: `${PAUSED_TEXT} A key that is limited to some trade accounts may not (403).`,
  success: { 200: safety },
  errors: ['NOOP_ERROR'],
});

export const resumeTrading = route({
  method: 'POST',
  path: '/safety/resume',
  auth: 'K',
  tag: 'Safety',
  summary: 'Accept new orders again',
  success: { 200: safety },
  errors: ['NOOP_ERROR'],
});

export const panicReport = z
  .strictObject({
    safety,
    cancelled: z.strictObject({
      triggers: z.int().nonnegative(),
      schedules: z.int().nonnegative(),
      ladders: z.int().nonnegative(),
      orders: z.int().nonnegative(),
      autoRebalances: z.int().nonnegative(),
    }),
    executions: z.array(execution).meta({ description: 'The closing ones' }),
    failures: z.array(
      z.strictObject({
        kind: z.enum(['POSITION', 'ORDER', 'TRIGGER', 'SCHEDULE', 'LADDER', 'AUTO_REBALANCE']),
        id: uuid,
        errorCode: z.string(),
        message: z.string(),
      }),
    ),
  })
  .meta({ id: 'PanicReport' });

export const panic = route({
  method: 'POST',
  path: '/safety/panic',
  auth: 'K',
  tag: 'Safety',
  summary: "Pause, cancel everything that waits and close every position of all of the user's accounts",
  description: `${PAUSED_TEXT} It can be sent again: what could not be closed the first time is tried again.`,
  body: z.strictObject({ confirm: z.literal('CLOSE ALL') }).meta({ id: 'Panic' }),
  success: {
    202: panicReport,
  },
});
