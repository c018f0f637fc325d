/** `GET /fee`: the fees that trading a basket would cost. */
import { z } from 'zod';
import { tradeLegs } from './basket-order.ts';
import { connectorId, DOCS, decimal, instrumentId, positiveDecimalInput, uuid } from './common.ts';
import { route } from './route.ts';

/** Query parameter with trade legs as JSON text. */
const legsQuery = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: 'custom', message: 'Expected URL-encoded JSON: an array of trade legs' });
      return z.NEVER;
    }
  })
  .pipe(tradeLegs)
  .register(DOCS, {
    description: 'URL-encoded JSON array of trade legs, as in `POST /trade/open`',
    example: '[{"symbol":"BTC-PERP","side":"BUY","mode":"USD","amount":"500"}]',
  });

const query = z
  .object({
    connector: connectorId,
    legs: legsQuery.optional(),
    notional: positiveDecimalInput.optional().register(DOCS, { description: 'USD, instead of legs' }),
    totalUsd: positiveDecimalInput
      .optional()
      .register(DOCS, { description: 'What the amounts of WEIGHT legs are shares of' }),
    tradeAccountId: uuid.optional().register(DOCS, {
      description:
        "Account whose own rates count, once its venue has told them; without it the venue's lowest tier does",
    }),
  })
  .superRefine(({ legs, notional, totalUsd }, context) => {
    const refuse = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    if ((legs === undefined) === (notional === undefined))
      refuse(['legs'], 'Exactly one of legs and notional is needed');
    const weighted = legs?.some((leg) => leg.mode === 'WEIGHT') ?? false;
    if (weighted && totalUsd === undefined)
      refuse(['totalUsd'], 'Legs that are shares (mode WEIGHT) need a total');
    if (!weighted && totalUsd !== undefined)
      refuse(['totalUsd'], 'A total is taken only where the legs are shares of it (mode WEIGHT)');
    const other = legs?.findIndex((leg) => leg.mode !== 'WEIGHT') ?? -1;
    if (weighted && other >= 0) refuse(['legs', other, 'mode'], 'WEIGHT cannot be mixed with other modes');
  });

const rate = decimal.meta({ description: 'Decimal fraction of notional' });

export const getFee = route({
  method: 'GET',
  path: '/fee',
  auth: 'K',
  tag: 'Trading',
  summary: 'Quote the fee of a basket or of a notional',
  description:
    "Baskets are opened with orders that take liquidity, so `fee` is notional × (takerRate + integratorRate). BASE legs are valued at the mark price of the moment. It is a price list: of the amount that was asked for, at mark. A dry run (`POST /trade/open` with `dryRun`) says what has to be there instead: of the quantity that is left after rounding to the instrument's step, at the worse of mark and limit price, so its `fee` differs a little.",
  query,
  success: {
    200: z
      .strictObject({
        connector: connectorId,
        takerRate: rate,
        makerRate: rate,
        integratorRate: rate,
        legs: z.array(z.strictObject({ symbol: instrumentId, notional: decimal, fee: decimal })),
        totalFee: decimal.meta({ description: 'USD' }),
      })
      .register(DOCS, { id: 'FeeQuote' }),
  },
  errors: ['CONFIGURATION_ERROR', 'RESOURCE_NOT_FOUND'],
});
