/** `startDate` and `endDate` of a query: a day (`2026-01-31`, UTC, the whole of it) or a moment (ISO 8601 with its offset). */
import { z } from 'zod';
import { DOCS } from './common.ts';

const DAY_MS = 86_400_000;
const DAY = z.iso.date();
const MOMENT = z.iso.datetime({ offset: true });

function dateQuery(edge: 'start' | 'end') {
  return z
    .string()
    .transform((text, context) => {
      const isDay = DAY.safeParse(text).success;
      const time = isDay || MOMENT.safeParse(text).success ? Date.parse(text) : Number.NaN;
      if (Number.isNaN(time)) {
        context.addIssue({
          code: 'custom',
          message: 'Expected a day (2026-01-31) or an ISO 8601 time with offset',
        });
        return z.NEVER;
      }
      if (edge === 'start') return time;
      return time + (isDay ? DAY_MS : 1);
    })
    .register(DOCS, {
      description: `${edge === 'start' ? 'From' : 'Until'} this day (UTC) or moment, inclusive`,
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
