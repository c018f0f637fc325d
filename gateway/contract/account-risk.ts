/** Exposure of an account and its distance from liquidation. */
import { z } from 'zod';
import { DOCS, decimal, instrumentId, isoTime, uuid } from './common.ts';
import { routesWith } from './route.ts';

/** How far the nearest liquidation of a basket is. */
export const basketDistance = {
  legMove: decimal.nullable().register(DOCS, {
    description:
      'How far each leg has to move against the basket, all of them alike and every other price as it is, until the venue closes something: a negative fraction, `-0.25`: long legs × 0.75, short legs ÷ 0.75. null: no such move above −99 %',
  }),
  ratioMove: decimal.nullable().register(DOCS, {
    description:
      'The same as a move of the price ratio (longs ÷ shorts) of a basket that has both; of a one-sided basket the move of its price, positive for shorts',
  }),
  cause: z.enum(['CROSS', 'ISOLATED']).nullable().register(DOCS, {
    description: "What is liquidated there: the account's cross positions, or an isolated leg",
  }),
  firstSymbol: instrumentId.nullable().register(DOCS, {
    description:
      'What the venue closes first there: the isolated leg, or of the cross positions the instrument that asks for the most maintenance then, which may belong to another basket. null: there is no such move',
  }),
} as const;

export const MARGIN_RATIO =
  'maintenanceMargin ÷ crossValue: the venue liquidates from 1 on. null: nothing is held, or (maintenanceMargin above 0) nothing backs what is';

const basketRisk = z
  .strictObject({ positionId: uuid, ...basketDistance })
  .register(DOCS, { id: 'BasketRisk' });

export const accountRisk = z
  .strictObject({
    at: isoTime,
    grossNotional: decimal.meta({
      description:
        'Σ |quantity| × mark of the baskets and of what the account holds in no basket, USD: all that equity and margin ratio count',
    }),
    netNotional: decimal.meta({ description: 'Long less short of the same, USD' }),
    unassignedGross: decimal.meta({
      description:
        'The part of `grossNotional` that is in no basket (`GET /positions/unassigned`), net by instrument, USD',
    }),
    unassignedNet: decimal.meta({ description: 'The part of `netNotional` that is in no basket, USD' }),
    equity: decimal.meta({ description: 'At the venue, USD' }),
    freeMargin: decimal.meta({ description: 'What the venue lets new orders use, USD' }),
    leverage: decimal.nullable().register(DOCS, { description: 'grossNotional ÷ equity' }),
    beta: decimal.nullable().register(DOCS, {
      description:
        'To BTC-PERP: Σ signed notional × β of its instrument ÷ equity, β the slope of hourly log returns on those of BTC-PERP over 30 days. null: no history, no BTC-PERP, or no equity',
    }),
    crossValue: decimal.meta({
      description: 'What backs the cross positions: equity less the value of isolated positions, USD',
    }),
    maintenanceMargin: decimal.meta({
      description: 'Σ |quantity| × mark × maintenance rate of its tier, of the cross positions, USD',
    }),
    marginRatio: decimal.nullable().register(DOCS, { description: MARGIN_RATIO }),
    baskets: z.array(basketRisk),
  })
  .register(DOCS, { id: 'AccountRisk' });

export const getAccountRisk = routesWith({ auth: 'K', account: true, tag: 'Positions' })({
  method: 'GET',
  path: '/positions/risk',
  summary: 'Exposure, margin ratio and the distance to liquidation',
  description:
    "From the venue's own positions and balances and its maintenance tiers: a cross account is liquidated when its value falls below the maintenance of its cross positions, an isolated position when its own margin does. A simulation of that rule, not a promise of the venue: fees, funding and its own prices come on top.",
  success: { 200: accountRisk },
  errors: ['CONFIGURATION_ERROR'],
});
