/** Fields that every route that trades a basket takes: legs, amounts, slippage from the mark price, integration. */
import { z } from 'zod';
import { LEG_MODES } from '../domain/enumerations.ts';
import { DOCS, decimal, decimalInput, instrumentId, positiveDecimalInput, side } from './common.ts';
import { scaled18 } from './decimal-digits.ts';

export const ONE = scaled18('1');

/** Pattern for a decimal string of at most 0.1. The digits are compared because the contract uses no floats. */
const AT_MOST_A_TENTH = /^0+(\.(0\d*|10*))?$/;

export const slippage = decimalInput.regex(AT_MOST_A_TENTH, 'Must be at most 0.1').meta({
  id: 'Slippage',
  description: 'Decimal fraction around the mark price, at most 0.1',
  example: '0.01',
});

export const clientId = z
  .string()
  .min(1)
  .max(64)
  .register(DOCS, { description: 'Attributes the trade to an integration' });

/** Refuses each leg whose instrument an earlier leg has. */
export function checkInstruments(
  legs: readonly { readonly symbol: string }[],
  context: z.RefinementCtx,
): void {
  // A basket has few legs: comparing their ids costs less than filling a set.
  for (let index = 1; index < legs.length; index += 1) {
    const before = legs.findIndex(({ symbol }) => symbol === legs[index]?.symbol);
    if (before === index) continue;
    const message = 'An instrument may stand in a basket only once';
    context.addIssue({ code: 'custom', path: [index, 'symbol'], message });
  }
}

const legMode = z.enum(LEG_MODES).register(DOCS, {
  description:
    'USD: amount is a notional. BASE: a quantity. WEIGHT: a share of totalUsd; the weights of all legs sum to exactly 1.',
});

export const tradeLeg = z
  .strictObject({ symbol: instrumentId, side, mode: legMode, amount: positiveDecimalInput })
  .register(DOCS, { id: 'TradeLeg' });

export const tradeLegs = z
  .array(tradeLeg)
  .min(1, 'A basket needs at least one leg')
  .max(20, 'A basket has at most 20 legs')
  .superRefine(checkInstruments);

export const totalUsd = positiveDecimalInput.meta({
  description: 'Needed by WEIGHT legs, refused without them',
});

/** A leg as the caller asked for it; used in answers. */
export const askedLeg = z
  .strictObject({ symbol: instrumentId, side, mode: legMode, amount: decimal })
  .register(DOCS, { id: 'AskedLeg' });

/** WEIGHT legs stand alone, need a total and sum to exactly 1. */
export function checkAmounts(
  body: {
    readonly legs: readonly { readonly mode: string; readonly amount: string }[];
    readonly totalUsd?: string | undefined;
  },
  context: z.RefinementCtx,
): void {
  const refuse = (path: (string | number)[], message: string) =>
    context.addIssue({ code: 'custom', path, message });
  if (!body.legs.some((leg) => leg.mode === 'WEIGHT')) {
    if (body.totalUsd !== undefined)
      refuse(['totalUsd'], 'A total is taken only where the legs are shares of it (mode WEIGHT)');
    return;
  }
  const other = body.legs.findIndex((leg) => leg.mode !== 'WEIGHT');
  if (other >= 0) {
    refuse(['legs', other, 'mode'], 'WEIGHT cannot be mixed with other modes');
    return;
  }
  if (body.totalUsd === undefined) refuse(['totalUsd'], 'Legs that are shares (mode WEIGHT) need a total');
  const weights = body.legs.map((leg) => scaled18(leg.amount)).filter((weight) => weight !== null);
  const sum = weights.reduce((total, weight) => total + weight, 0n);
  if (weights.length === body.legs.length && sum !== ONE)
    refuse(['legs'], 'The sum of weights must be exactly 1');
}
