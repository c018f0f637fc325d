/** `GET /fee`: the fees of a basket at the venue's rates and current mark prices. */
import { type Decimal, type DecimalString, dec, ONE, sum, text, textRounded } from '../../domain/decimal.ts';
import type { TradeLeg } from '../../domain/model.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import { type EngineError, invalid, marketsUnknown } from '../core/errors.ts';
import type { MarketData } from '../ports/market.ts';
import type { FeeRates } from '../ports/venue.ts';
import { unknownSymbol } from './check-symbols.ts';

/** Fee fraction of notional for an integrator. No connector supports such a fee, so it is zero. */
const INTEGRATOR_RATE = '0';

export interface FeeQuote {
  readonly connector: string;
  readonly takerRate: string;
  readonly makerRate: string;
  readonly integratorRate: string;
  readonly legs: readonly { readonly symbol: string; readonly notional: string; readonly fee: string }[];
  readonly totalFee: string;
}

const PLACES = 18;

/**
 * Fees to 18 decimals, rounded half-even; the legs' fees sum to the total. Baskets are opened with IOC orders, so the
 * taker rate applies.
 * @param asked a `notional` in USD, or legs; WEIGHT legs are shares of `totalUsd`
 */
export function quoteFee(
  market: Pick<MarketData, 'instrument' | 'instruments' | 'quote'>,
  connector: string,
  { taker, maker }: FeeRates,
  asked:
    | { readonly by: 'notional'; readonly notional: string }
    | { readonly by: 'legs'; readonly legs: readonly TradeLeg[]; readonly totalUsd: string | null },
): Result<FeeQuote, EngineError> {
  const rate = dec(taker).plus(INTEGRATOR_RATE);
  const rates = {
    connector,
    takerRate: taker,
    makerRate: maker,
    integratorRate: INTEGRATOR_RATE,
  };
  if (asked.by === 'notional')
    return ok({ ...rates, legs: [], totalFee: textRounded(rate.mul(asked.notional), PLACES) });
  if (market.instruments(connector).length === 0) return marketsUnknown();
  const weighted = asked.legs.filter((leg) => leg.mode === 'WEIGHT');
  if (weighted.length > 0 && !sum(weighted.map((leg) => dec(leg.amount))).eq(ONE))
    return invalid('legs', 'The sum of weights must be exactly 1');
  const legs: { readonly symbol: string; readonly notional: DecimalString; readonly fee: DecimalString }[] =
    [];
  for (const [index, leg] of asked.legs.entries()) {
    if (market.instrument(connector, leg.symbol) === undefined) {
      return unknownSymbol({ market }, connector, `legs.${index}.symbol`, leg.symbol);
    }
    const notional = notionalOf(market, connector, leg, asked.totalUsd);
    if (notional === null) {
      const message = `${leg.symbol} has no price yet`;
      return fail<EngineError>({ code: 'CONFIGURATION_ERROR', message, details: { retry: true } });
    }
    legs.push({
      symbol: leg.symbol,
      notional: textRounded(notional, PLACES),
      fee: textRounded(notional.mul(rate), PLACES),
    });
  }
  return ok({ ...rates, legs, totalFee: text(sum(legs.map(({ fee }) => dec(fee)))) });
}

/** Notional of a leg, USD; null: its instrument has no price. */
function notionalOf(
  market: Pick<MarketData, 'quote'>,
  connector: string,
  leg: TradeLeg,
  totalUsd: string | null,
): Decimal | null {
  switch (leg.mode) {
    case 'USD':
      return dec(leg.amount);
    case 'WEIGHT':
      return dec(leg.amount).mul(totalUsd ?? '0');
    case 'BASE': {
      const quote = market.quote(connector, leg.symbol);
      return quote === undefined ? null : dec(quote.mark).mul(leg.amount);
    }
  }
}
