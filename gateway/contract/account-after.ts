/** Account after planned orders. */
import { z } from 'zod';
import { basketDistance, MARGIN_RATIO } from './account-risk.ts';
import { DOCS, decimal, instrumentId } from './common.ts';

export const accountAfter = z
  .strictObject({
    equity: decimal.meta({ description: 'At the marks of now, less the fees, USD' }),
    marginUsed: decimal,
    freeMargin: decimal,
    crossValue: decimal.meta({ description: 'Equity less the value of isolated positions, USD' }),
    maintenanceMargin: decimal.meta({ description: 'Of the cross positions, USD' }),
    marginRatio: decimal.nullable().register(DOCS, {
      description: `${MARGIN_RATIO}, or \`unknownTiers\` names an instrument`,
    }),
    basket: z
      .strictObject(basketDistance)
      .register(DOCS, { id: 'BasketDistance' })
      .nullable()
      .meta({ description: 'null: nothing of the basket stays open, or `unknownTiers` names an instrument' }),
    legs: z.array(
      z
        .strictObject({
          symbol: instrumentId,
          quantity: decimal.meta({
            description:
              "Signed base units of the account's net position in the instrument, all baskets together",
          }),
          liquidationPrice: decimal.nullable(),
          reason: z.enum(['NOTHING_HELD', 'NONE_ABOVE_ZERO', 'TIERS_UNKNOWN']).nullable().register(DOCS, {
            description:
              'Why there is no price: nothing is held any more, no price above 0 would liquidate it, or the maintenance tiers of what backs it are not known',
          }),
        })
        .register(DOCS, { id: 'LegAfter' }),
    ),
    unknownTiers: z.array(instrumentId).register(DOCS, {
      description: 'Instruments held whose maintenance tiers the venue does not tell',
    }),
  })
  .register(DOCS, {
    id: 'AccountAfter',
    description:
      'The account once all of it has filled at the expected prices (at mark, where no book is known), everything else unchanged; by the rules of `GET /positions/risk`, and as little a promise of the venue',
  });

/** Beside the figures of a plan. */
export const afterPlan = {
  after: accountAfter.nullable().meta({
    description:
      'null: a leg that opens cannot be sent (its `problem`), one that closes has no price or is not listed any more, or the venue did not tell within a second what the account holds',
  }),
} as const;
