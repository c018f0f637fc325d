/**
 * `startDate` and `endDate` of a query: a day (`2026-01-31`, UTC, the whole of it), a moment (ISO 8601 with its offset) or
 * epoch milliseconds.
 */
import { z } from 'zod';
import { DOCS, timeInput } from './common.ts';

const DAY_MS = 86_400_000;
const DAY = z.iso.date();
/** Not eight digits: those are a day without its dashes, and would be read as 1970. */
const EPOCH_MS = /^(\d{1,7}|\d{9,15})$/;

function dateQuery(edge: 'start' | 'end') {
  return z
    .string()
    .transform((text, context) => {
      const isDay = DAY.safeParse(text).success;
      const time = EPOCH_MS.test(text)
        ? Number(text)
        : isDay || timeInput.safeParse(text).success
          ? Date.parse(text)
          : Number.NaN;
      if (Number.isNaN(time)) {
        context.addIssue({
          code: 'custom',
          message: 'Expected a day (2026-01-31), an ISO 8601 time with offset or epoch milliseconds',
        });
        return z.NEVER;
      }
      if (edge === 'start') return time;
      return time + (isDay ? DAY_MS : 1);
    })
    .register(DOCS, {
      description: `${edge === 'start' ? 'From' : 'Until'} this day (UTC, the whole of it) or moment, inclusive: a day, ISO 8601 or epoch milliseconds`,
      example: edge === 'start' ? '2026-01-01' : '2026-01-31',
    });
}

/** Epoch ms; `endDate` is exclusive once parsed. */
export const dateRangeQuery = {
  startDate: dateQuery('start').optional(),
  endDate: dateQuery('end').optional(),
};

/** Check for the `superRefine` of a query that has both `startDate` and `endDate`. */
export function checkDateOrder(
  query: { readonly startDate?: number | undefined; readonly endDate?: number | undefined },
  context: z.RefinementCtx,
): void {
  if (query.startDate === undefined || query.endDate === undefined || query.startDate < query.endDate) return;
  context.addIssue({ code: 'custom', path: ['startDate'], message: 'Must not be after endDate' });
}
