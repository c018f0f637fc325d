/** Plan of an order for a person to approve: quantities, worst prices and fees at current marks. */
import { type Decimal, dec, floorTo, text } from '../../domain/decimal.ts';
import type { TradeAccount, TradeLeg } from '../../domain/model.ts';
import { limitPrice } from '../../domain/price-rules.ts';
import { isAbove, NOTHING, type Scaled, scaled, scaledText, times } from '../../domain/scaled.ts';
import { worstOfLeg } from '../../domain/worst-price.ts';
import type { PlannedLeg } from '../ports/approval-desk.ts';
import type { MarketData } from '../ports/market.ts';
import type { AskedTrade } from './asked.ts';

/**
 * @param takerRate taker fee, a fraction
 * @param reduces true: the legs reduce the position
 */
export function askedPlan(
  market: Pick<MarketData, 'quote' | 'instrument'>,
  { connector }: Pick<TradeAccount, 'connector'>,
  { legs, totalUsd, slippage }: AskedTrade,
  takerRate = '0',
  reduces = false,
): readonly PlannedLeg[] {
  return legs.map((leg) => {
    const { symbol, side } = leg;
    const quote = market.quote(connector, symbol);
    const instrument = market.instrument(connector, symbol);
    const worst = worstOfLeg(leg, totalUsd, scaled(slippage), quote?.mark ?? null);
    const feeUsd = scaledText(times(worst, scaled(takerRate)));
    const planned = { symbol, side, worstUsd: scaledText(worst), feeUsd, reduces };
    if (quote === undefined || instrument === undefined)
      return { ...planned, quantity: null, mark: null, worstPrice: null };
    const mark = dec(quote.mark);
    return {
      ...planned,
      quantity: text(floorTo(askedQuantity(leg, totalUsd, mark), dec(instrument.stepSize))),
      mark: quote.mark,
      worstPrice: text(limitPrice(mark, side, dec(slippage), instrument, quote.index)),
    };
  });
}

/** Base units, before rounding. */
export function askedQuantity({ mode, amount }: TradeLeg, totalUsd: string | null, mark: Decimal): Decimal {
  if (mode === 'BASE') return dec(amount);
  return dec(amount)
    .mul(mode === 'WEIGHT' ? (totalUsd ?? '0') : '1')
    .div(mark);
}

export function highestSlippage(trades: readonly AskedTrade[]): Scaled {
  const [only] = trades;
  if (only !== undefined && trades.length === 1) return scaled(only.slippage);
  let most = NOTHING;
  for (const { slippage } of trades) {
    const one = scaled(slippage);
    if (isAbove(one, most)) most = one;
  }
  return most;
}
