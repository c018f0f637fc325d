/** Faults on paper accounts, for whoever tries a bot: rejections, part fills, lost answers, silent markets. */
import { z } from 'zod';
import { DOCS, idParams, instrumentId, isoTime, pathId, positiveDecimalInput, uuid } from './common.ts';
import { routesWith } from './route.ts';

const seconds = z.int().min(1).max(600).default(60).register(DOCS, {
  description: 'The fault ends after so many seconds at the latest',
});
const times = z.int().min(1).max(1_000).default(1).register(DOCS, {
  description: 'So many orders (legs) are hit, then the fault ends',
});
const symbol = instrumentId
  .optional()
  .meta({ description: 'Only orders of this instrument; left out: of any. Instrument ID, e.g. `BTC-PERP`' });

const ofOrders = { symbol, times, seconds };

export const newPaperFault = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('REJECT'), ...ofOrders }),
    z.strictObject({
      kind: z.literal('PARTIAL_FILL'),
      fraction: positiveDecimalInput
        .refine((value) => Number(value) < 1, 'Must be less than 1')
        .meta({ description: 'Share of the quantity that fills', example: '0.5' }),
      ...ofOrders,
    }),
    z.strictObject({ kind: z.literal('FILL'), ...ofOrders }),
    z.strictObject({
      kind: z.literal('UNKNOWN_OUTCOME'),
      executed: z.boolean().default(true).register(DOCS, {
        description: 'Whether the order arrived: the answer is lost either way',
      }),
      silentSeconds: z.int().min(0).max(30).default(2).register(DOCS, {
        description: 'For so long the venue says nothing of the account: no event, no answer to questions',
      }),
      ...ofOrders,
    }),
    z.strictObject({
      kind: z.literal('STALE_FEED'),
      symbol: instrumentId.optional().meta({
        description: 'Only the prices of this instrument; left out: the whole venue is silent',
      }),
      seconds,
    }),
  ])
  .register(DOCS, { example: { kind: 'REJECT', symbol: 'ETH-PERP', times: 1 } });

export const paperFault = z
  .strictObject({
    id: uuid,
    kind: z.enum(['REJECT', 'PARTIAL_FILL', 'FILL', 'UNKNOWN_OUTCOME', 'STALE_FEED']),
    symbol: z.string().nullable().register(DOCS, { description: 'null: every instrument' }),
    fraction: z.string().nullable().register(DOCS, { description: 'PARTIAL_FILL only' }),
    executed: z.boolean().nullable().register(DOCS, { description: 'UNKNOWN_OUTCOME only' }),
    silentSeconds: z.int().nullable().register(DOCS, { description: 'UNKNOWN_OUTCOME only' }),
    times: z
      .int()
      .nullable()
      .register(DOCS, { description: 'Orders that it still hits; null: it ends by time alone' }),
    createdAt: isoTime,
    endsAt: isoTime.meta({ description: 'At the latest' }),
  })
  .register(DOCS, { id: 'PaperFault' });
export type PaperFaultBody = z.infer<typeof paperFault>;

const oneAccount = idParams;
const route = routesWith({ auth: 'K', noGrant: true, tag: 'Trade accounts' });

export const listPaperFaultsRoute = route({
  method: 'GET',
  path: '/trade-accounts/:id/paper/faults',
  summary: 'The faults that are on, oldest first',
  description: 'Those that have ended are gone. 501 for a live account.',
  params: oneAccount,
  success: { 200: z.strictObject({ paperFaults: z.array(paperFault) }) },
  errors: ['RESOURCE_NOT_FOUND', 'NOT_IMPLEMENTED_ERROR'],
});

export const setPaperFaultRoute = route({
  method: 'POST',
  path: '/trade-accounts/:id/paper/faults',
  summary: 'Put a fault on a paper account',
  description:
    'To see what a bot does about it. `REJECT`: the venue refuses the order. `PARTIAL_FILL`: `fraction` of it fills and the rest is cancelled. `FILL`: all of it fills at the mark price, whatever the book holds. `UNKNOWN_OUTCOME`: the answer is lost and the venue is silent about the account for `silentSeconds`, then the gateway finds out by itself as it would at a live venue; with `executed: false` the order never arrived, and ends `REJECTED` once it has expired. `STALE_FEED`: no prices come, so that nothing opens (`PRICE_STALE`); it concerns every paper account at the same venue, whose prices are one. An order is hit by the first fault that fits it. Faults are in memory only, end by themselves and with the process, and at most 20 are on at a time (409). The account says which are on (check `fault`). 501 for a live account: nothing of it can be made to fail.',
  params: oneAccount,
  body: newPaperFault,
  success: { 201: paperFault },
  errors: ['RESOURCE_NOT_FOUND', 'RESOURCE_BUSY', 'NOT_IMPLEMENTED_ERROR'],
});

export const clearPaperFaultsRoute = route({
  method: 'DELETE',
  path: '/trade-accounts/:id/paper/faults',
  summary: 'End all faults of a paper account',
  params: oneAccount,
  success: { 200: z.strictObject({ ended: z.int() }) },
  errors: ['RESOURCE_NOT_FOUND', 'NOT_IMPLEMENTED_ERROR'],
});

export const clearPaperFaultRoute = route({
  method: 'DELETE',
  path: '/trade-accounts/:id/paper/faults/:faultId',
  summary: 'End one fault',
  params: z.strictObject({ id: pathId, faultId: pathId }),
  success: { 204: null },
  errors: ['RESOURCE_NOT_FOUND', 'NOT_IMPLEMENTED_ERROR'],
});
