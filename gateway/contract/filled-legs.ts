/** Fills of what waits or works over time: triggers, ladders, schedules, automatic rebalances. */
import { z } from 'zod';
import { DOCS, decimal, instrumentId, side } from './common.ts';

export const filledLeg = z
  .strictObject({
    symbol: instrumentId,
    side,
    quantity: decimal.meta({ description: 'Base units' }),
    notional: decimal.meta({ description: 'USD at the average fill price' }),
  })
  .register(DOCS, { id: 'FilledLeg' });
