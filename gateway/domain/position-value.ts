/**
 * Value of a position at given prices: the figures beside its own record. All USD unless stated otherwise.
 */
import { dec, sum, text, textRounded } from './decimal.ts';
import type { Instrument, MarginMode, Position, PositionLeg } from './model.ts';
import { basketPrice, weightedRatio } from './ratio.ts';

export interface LegMarket {
  readonly instrument: Instrument | undefined;
  /** Mark price; undefined: no price is known, and the leg is valued at its entry. */
  readonly mark: string | undefined;
  readonly leverage: number;
  readonly marginMode: MarginMode;
  readonly liquidationPrice: string | null;
  /** Margin that the venue holds for the leg alone, USD; null: none, as with cross margin. */
  readonly isolatedMargin: string | null;
}

export interface ValuedLeg extends LegMarket {
  readonly leg: PositionLeg;
  readonly notional: string;
  /** Isolated margin where the venue holds some, else notional ÷ leverage. */
  readonly marginUsed: string;
  /** Share of gross notional at mark. */
  readonly currentWeight: string;
  readonly unrealizedPnl: string;
}

export interface PositionValue {
  readonly legs: readonly ValuedLeg[];
  /** Weighted ratio and price of the basket at the marks, both with the weights of the entry. */
  readonly markRatio: string | null;
  readonly entryPrice: string | null;
  readonly markPrice: string | null;
  readonly grossNotional: string;
  /** Long minus short notional. */
  readonly netNotional: string;
  /** Σ isolated margin where the venue holds some, else notional ÷ leverage. */
  readonly marginUsed: string;
  readonly unrealizedPnl: string;
  /** Percent of the gross notional at entry; null while nothing is open. */
  readonly unrealizedPnlPct: string | null;
  readonly realizedPnl: string;
  readonly feesPaid: string;
  readonly fundingPaid: string;
  /** Unrealised and realised, less fees and funding paid. */
  readonly netPnl: string;
}

export function valuePosition(position: Position, marketOf: (leg: PositionLeg) => LegMarket): PositionValue {
  const priced = position.legs.map((leg) => {
    const market = marketOf(leg);
    const price = dec(market.mark ?? leg.entryPrice);
    const notional = price.mul(leg.quantity);
    // Long: (mark − entry) × q, short: (entry − mark) × q, both from the exact cost of the open quantity.
    const gain =
      leg.side === 'BUY' ? notional.minus(leg.entryNotional) : dec(leg.entryNotional).minus(notional);
    const margin = dec(market.isolatedMargin ?? notional.div(market.leverage));
    return { leg, market, price, notional, gain, margin };
  });
  const gross = sum(priced.map(({ notional }) => notional));
  const cost = sum(position.legs.map((leg) => dec(leg.entryNotional)));
  const gain = sum(priced.map((entry) => entry.gain));
  // Both ratios use the weights at entry, so that they differ only because prices have moved. Present weights would
  // change the ratio more than prices do when one instrument costs far more than the other.
  const atMark = priced.map(({ leg, price }) => ({
    side: leg.side,
    price: text(price),
    notional: leg.entryNotional,
  }));
  const atEntry = position.legs.map((leg) => ({
    side: leg.side,
    price: leg.entryPrice,
    notional: leg.entryNotional,
  }));
  return {
    legs: priced.map((entry) => ({
      ...entry.market,
      leg: entry.leg,
      notional: text(entry.notional),
      marginUsed: textRounded(entry.margin, 12),
      currentWeight: gross.isZero() ? '0' : textRounded(entry.notional.div(gross), 18),
      unrealizedPnl: text(entry.gain),
    })),
    markRatio: weightedRatio(atMark),
    entryPrice: basketPrice(atEntry),
    markPrice: basketPrice(atMark),
    grossNotional: text(gross),
    netNotional: text(
      sum(priced.map(({ leg, notional }) => (leg.side === 'BUY' ? notional : notional.neg()))),
    ),
    marginUsed: textRounded(sum(priced.map(({ margin }) => margin)), 12),
    unrealizedPnl: text(gain),
    unrealizedPnlPct: cost.isZero() ? null : textRounded(gain.div(cost).mul(100), 6),
    realizedPnl: total(position, (leg) => leg.realizedPnl),
    feesPaid: total(position, (leg) => leg.feesPaid),
    fundingPaid: total(position, (leg) => leg.fundingPaid),
    netPnl: text(
      sum(position.legs.map((leg) => dec(leg.realizedPnl).minus(leg.feesPaid).minus(leg.fundingPaid))).plus(
        gain,
      ),
    ),
  };
}

export type PositionWorth = Pick<PositionValue, 'grossNotional' | 'unrealizedPnl'>;

/** Current value at these marks, and nothing else. @param markOf undefined: no price is known */
export function positionWorth(
  { legs }: Pick<Position, 'legs'>,
  markOf: (symbol: string) => string | undefined,
): PositionWorth {
  const priced = legs.map(({ symbol, side, quantity, entryPrice, entryNotional }) => {
    const notional = dec(markOf(symbol) ?? entryPrice).mul(quantity);
    return {
      notional,
      gain: side === 'BUY' ? notional.minus(entryNotional) : dec(entryNotional).minus(notional),
    };
  });
  return {
    grossNotional: text(sum(priced.map(({ notional }) => notional))),
    unrealizedPnl: text(sum(priced.map(({ gain }) => gain))),
  };
}

function total(position: Position, of: (leg: PositionLeg) => string): string {
  return text(sum(position.legs.map((leg) => dec(of(leg)))));
}
