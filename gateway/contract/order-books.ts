/** Order books to look at. */
import { z } from 'zod';
import { instrumentIds } from './candles.ts';
import { connectorId, DOCS, decimal, instrumentId, isoTime } from './common.ts';
import { route } from './route.ts';

const level = z
  .strictObject({
    price: decimal,
    quantity: decimal.meta({ description: 'Base units' }),
    cumulativeUsd: decimal.meta({ description: 'USD offered as far as this level, itself included' }),
  })
  .register(DOCS, { id: 'BookLevel' });

export const orderBook = z
  .strictObject({
    symbol: instrumentId,
    ticker: z.string(),
    at: isoTime.meta({ description: 'When the venue told it' }),
    source: z.enum(['VENUE', 'SIMULATED']).register(DOCS, {
      description: 'SIMULATED: the book of a paper market, which is what its orders fill against',
    }),
    bestBid: decimal.nullable(),
    bestAsk: decimal.nullable(),
    spreadBps: decimal.nullable().register(DOCS, {
      description: 'bestAsk − bestBid in ten-thousandths of their middle; null: a side is empty',
    }),
    bids: z.array(level).register(DOCS, { description: 'Best first' }),
    asks: z.array(level),
  })
  .register(DOCS, { id: 'OrderBook' });

export const listOrderBooks = route({
  method: 'GET',
  path: '/books',
  auth: 'K',
  tag: 'Market data',
  summary: 'The best levels of order books',
  description:
    'At most 0.75 s old; however many ask, the venue is asked once for an instrument in that time, in the lane that comes last, so that no order and no dry run waits for it. An instrument whose book is not known now (the venue did not tell it within a second, or asks are used up) is in `unknown`. A connector or instrument that does not exist is a 400.',
  query: z.object({
    connector: connectorId,
    symbols: instrumentIds,
    levels: z.coerce.number().int().min(1).max(20).default(8).register(DOCS, {
      description: 'Of each side, 1 to 20',
    }),
  }),
  success: {
    200: z.strictObject({ books: z.array(orderBook), unknown: z.array(instrumentId) }),
  },
});
