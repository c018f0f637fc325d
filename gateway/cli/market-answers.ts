/** Checks of the fields of order books and funding payments that the command line reads, as loose as those of `answers.ts`. */
import { z } from 'zod';
import { side } from '../contract/common.ts';

const maybe = z.string().nullish();
const levels = z.array(z.looseObject({ price: z.string(), quantity: z.string(), cumulativeUsd: z.string() }));

export const orderBooks = z.looseObject({
  books: z.array(
    z.looseObject({
      ...{ symbol: z.string(), ticker: z.string(), at: z.string(), source: z.string() },
      ...{ spreadBps: maybe, bids: levels, asks: levels },
    }),
  ),
  unknown: z.array(z.string()),
});

export const fundingPayments = z.looseObject({
  payments: z.array(
    z.looseObject({
      ...{ id: z.string(), timestamp: z.string(), ticker: z.string(), rate: z.string(), amount: z.string() },
      ...{ positionId: maybe, paidOn: z.string(), side: side.nullish(), notional: maybe },
      legs: z.array(z.looseObject({ symbol: z.string(), side })),
    }),
  ),
  total: z.string(),
  nextCursor: z.string().optional(),
});
