/** Funding of a basket: now, and over the last 7 and 30 days. Public. */
import { z } from 'zod';
import { checkLegs, weighedLegs } from './candles.ts';
import { connectorId, DOCS, decimal, instrumentId, isoTime, side } from './common.ts';
import { routesWith } from './route.ts';

const figure = decimal.nullable();
const carries = (ofWhat: string) => ({
  carryApr: figure.meta({
    description: `${ofWhat}, at the rates of now; null while the venue has not told a rate`,
  }),
  carryApr7d: figure.meta({
    description: `Mean of the last 7 days, over the hours that \`hours7d\` counts; null: there is none`,
  }),
  carryApr30d: figure.meta({
    description: `Mean of the last 30 days, over the hours that \`hours30d\` counts; null: there is none`,
  }),
});

export const getBasketFunding = routesWith({ auth: 'P', tag: 'Market data' })({
  method: 'GET',
  path: '/analytics/funding',
  summary: "A basket's funding now, and over the last 7 and 30 days",
  description:
    "Net carry: funding a year, a decimal fraction of gross notional at these weights, simple and of 365 days; positive: the holder receives. −8760 × Σ ±w × rate ÷ hours of the rate's interval (+ long, − short), of each hour, and the mean of the hours at which every leg has a rate. The history is what the gateway has recorded, hour by hour for 31 days: of each funding time the rate that held last before it, if the venue told it within the two minutes before. Where a venue tells only what changes, a rate that it has not changed counts as told each minute while its stream of prices speaks, if only of other instruments. A funding time counts to the full hour nearest to it. Nothing is asked of a venue's own history or made up, so there is nothing from before `recordedSince`, of times when the gateway was off or the venue told nothing, and of a leg from before its listing. `hours7d` and `hours30d` say how many hours of the 168 and 720 that leaves. A connector or instrument that does not exist is a 400.",
  query: z
    .object({
      connector: connectorId,
      ...weighedLegs,
    })
    .superRefine(checkLegs),
  success: {
    200: z
      .strictObject({
        connector: connectorId,
        ...carries('Net carry of the basket'),
        hours7d: z.int().nonnegative(),
        hours30d: z.int().nonnegative(),
        to: isoTime.meta({
          description: 'End of the last hour that is settled, with which the 7 and 30 days end',
        }),
        recordedSince: isoTime.nullable().register(DOCS, {
          description: "Since when the connector's rates are recorded; null: none has come yet",
        }),
        legs: z.array(
          z.strictObject({
            symbol: instrumentId,
            side,
            weight: decimal.meta({ description: 'Share of gross notional, 0 to 1' }),
            ...carries("The leg's own, as if it were the whole basket"),
          }),
        ),
        history: z.array(z.strictObject({ time: isoTime, carryApr: decimal })).register(DOCS, {
          description: 'Net carry of each hour, by its end, oldest first: `hours30d` of them',
        }),
      })
      .register(DOCS, { id: 'BasketFunding' }),
  },
});
