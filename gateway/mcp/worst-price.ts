/** Worst prices of legs at the present marks, by the rules of their venue. */
import { dec, text } from '../domain/decimal.ts';
import { limitPrice } from '../domain/price-rules.ts';
import type { Ask } from './ask.ts';
import type { AccountOut } from './fields.ts';

interface Leg {
  readonly symbol: string;
  readonly side: 'BUY' | 'SELL';
}

/** @param slippage a decimal fraction @returns by instrument; one without a price is missing */
export async function worstPricesOf(
  ask: Ask,
  { venue }: Pick<AccountOut, 'venue'>,
  legs: readonly Leg[],
  slippage: string,
): Promise<ReadonlyMap<string, string>> {
  if (legs.length === 0) return new Map();
  const query = { connector: venue };
  const [{ prices }, { instruments }] = await Promise.all([
    ask('GET /prices', { query }),
    ask('GET /instruments', { query: { ...query, scope: 'all' } }),
  ]);
  const priceOf = new Map(prices.map((row) => [row.id, row]));
  const ruleOf = new Map(instruments.map((row) => [row.id, row]));
  return new Map(
    legs.flatMap(({ symbol, side }): [string, string][] => {
      const price = priceOf.get(symbol);
      const rule = ruleOf.get(symbol);
      if (price === undefined || rule === undefined) return [];
      // The contract has no number of significant figures; the engine rounds towards the mark, so never past this.
      const rules = { ...rule, maxSignificantFigures: null };
      return [[symbol, text(limitPrice(dec(price.mark), side, dec(slippage), rules, price.index))]];
    }),
  );
}

/** Legs whose market is beyond the agreed worst price: an order would not fill there. */
export async function passedLegs(
  ask: Ask,
  { venue }: Pick<AccountOut, 'venue'>,
  legs: readonly Leg[],
  worstPrices: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const { prices } = await ask('GET /prices', { query: { connector: venue } });
  const priceOf = new Map(prices.map((row) => [row.id, row]));
  return legs.flatMap(({ symbol, side }) => {
    const price = priceOf.get(symbol);
    const worst = worstPrices.get(symbol);
    if (price === undefined || worst === undefined) return [];
    const isPast = side === 'BUY' ? dec(price.ask).gt(worst) : dec(price.bid).lt(worst);
    return isPast ? [`${symbol} is at ${side === 'BUY' ? price.ask : price.bid}, worse than ${worst}`] : [];
  });
}
