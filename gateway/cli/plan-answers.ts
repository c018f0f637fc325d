/** Checks of the fields of plans that the command line reads, as loose as those of `answers.ts`. */
import { z } from 'zod';
import { side } from '../contract/common.ts';

const maybe = z.string().nullish();
const problem = z.looseObject({ code: z.string(), message: z.string() });

/** Depth of the venue's book for an order. An older gateway does not say. */
const expected = z
  .looseObject({ averagePrice: maybe, fillable: z.string(), isPartial: z.boolean().nullish() })
  .nullish();
/** The account after it; a gateway of before does not say. */
const after = z
  .looseObject({
    ...{ freeMargin: z.string(), marginRatio: maybe, maintenanceMargin: z.string() },
    basket: z.looseObject({ legMove: maybe, ratioMove: maybe }).nullish(),
    legs: z.array(z.looseObject({ symbol: z.string(), liquidationPrice: maybe })),
    unknownTiers: z.array(z.string()).default([]),
  })
  .nullish();
/** Protection of a position; left out by a gateway of an earlier version. */
export const protection = z
  .array(
    z.looseObject({
      ...{ kind: z.string(), metric: z.string(), now: z.string().nullable() },
      ...{
        firesAt: z.string().nullable(),
        distancePct: z.string().nullable(),
        resultUsd: z.string().nullable(),
      },
    }),
  )
  .optional();
const totals = { expectedCost: maybe, expectedSlippage: maybe, after };

export const basketPlan = z.looseObject({
  ...totals,
  ...{ grossNotional: maybe, netNotional: maybe, totalFee: maybe },
  ...{ marginRequired: maybe, freeMargin: maybe, netFundingHourly: maybe },
  legs: z.array(
    z.looseObject({
      ...{ symbol: z.string(), ticker: maybe, side, quantity: maybe, price: maybe, limitPrice: maybe },
      ...{ notional: maybe, marginMode: maybe, margin: maybe, fee: maybe, expected },
      leverage: z.union([z.number(), z.string()]).nullish(),
      problem: problem.nullish(),
    }),
  ),
  problems: z.array(problem.extend({ symbol: maybe })),
});

export const closePlan = z.looseObject({
  ...totals,
  ...{ grossNotional: maybe, totalFee: maybe, realizedPnl: maybe, netPnl: maybe, protection },
  legs: z.array(
    z.looseObject({
      ...{ symbol: z.string(), ticker: maybe, side, quantity: maybe, remaining: maybe },
      ...{ expectedPrice: maybe, limitPrice: maybe, notional: maybe, fee: maybe, realizedPnl: maybe },
      ...{ expected, problem: problem.nullish() },
    }),
  ),
});

export const reversePlan = z.looseObject({ close: closePlan, open: basketPlan, protection });
export const dryRun = z.looseObject({ plan: basketPlan, protection });
