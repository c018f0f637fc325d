/** Holdings of the account by instrument, over all baskets and outside them: exact decimals, USD and base units. */
import Big from 'big.js';
import { notionalOf, sumOf } from './position-sums.ts';
import type { Position, PositionLeg, Unassigned } from './use-position-data.ts';

type HeldLeg = Pick<
  PositionLeg,
  'symbol' | 'ticker' | 'side' | 'quantity' | 'notional' | 'markPrice' | 'unrealizedPnl' | 'liquidationPrice'
>;
export interface HeldBasket extends Pick<Position, 'id'> {
  readonly legs: readonly HeldLeg[];
}
type Past = Pick<Unassigned, 'symbol' | 'ticker' | 'quantity' | 'price' | 'markPrice' | 'unrealizedPnl'>;

/** A basket's part of an instrument; `basket` null: the net holding in no basket. */
export interface InstrumentPart<Basket extends HeldBasket> {
  readonly basket: Basket | null;
  readonly side: 'BUY' | 'SELL';
  readonly quantity: string;
  /** Without a sign. */
  readonly notional: string;
  readonly unrealizedPnl: string;
}

export interface InstrumentExposure<Basket extends HeldBasket> {
  readonly symbol: string;
  readonly ticker: string;
  /** Long minus short. */
  readonly net: string;
  readonly gross: string;
  readonly longQuantity: string;
  readonly shortQuantity: string;
  readonly unrealizedPnl: string;
  /** Venue's price for the net holding; null: it has none, or has not reported it. */
  readonly liquidationPrice: string | null;
  /** False: only holdings outside Tandem, for which the gateway has no liquidation price. */
  readonly isInBaskets: boolean;
  /** Move of the mark to the liquidation price, a fraction; null: no such price, or no mark. */
  readonly toLiquidation: string | null;
  readonly parts: readonly InstrumentPart<Basket>[];
}

const FRACTION_PLACES = 6;

function signed({ side, notional }: Pick<InstrumentPart<HeldBasket>, 'side' | 'notional'>): string {
  return side === 'BUY' ? notional : new Big(notional).neg().toFixed();
}

/** Holdings in no basket, net by instrument as in the account's sums. */
function pastPart(past: readonly Past[]): InstrumentPart<never> {
  const quantity = new Big(sumOf(past, (one) => one.quantity));
  const notional = new Big(sumOf(past, notionalOf));
  return {
    basket: null,
    side: quantity.lt(0) ? 'SELL' : 'BUY',
    quantity: quantity.abs().toFixed(),
    notional: notional.abs().toFixed(),
    unrealizedPnl: sumOf(past, (one) => one.unrealizedPnl ?? '0'),
  };
}

/** Nearest price from the venue. It is of the net holding, so all legs that have a price have the same one. */
function liquidationOf(
  legs: readonly HeldLeg[],
): Pick<InstrumentExposure<never>, 'liquidationPrice' | 'toLiquidation'> {
  const known = legs.flatMap(({ liquidationPrice, markPrice }) => {
    if (liquidationPrice === null) return [];
    const isMarked = markPrice !== null && Number(markPrice) !== 0;
    const move = isMarked ? new Big(liquidationPrice).div(markPrice).minus(1) : null;
    return [{ liquidationPrice, move }];
  });
  const [first] = known.sort((a, b) =>
    a.move === null || b.move === null ? 0 : a.move.abs().cmp(b.move.abs()),
  );
  return {
    liquidationPrice: first?.liquidationPrice ?? null,
    toLiquidation: first?.move?.toFixed(FRACTION_PLACES) ?? null,
  };
}

/** @returns instruments by net holding, largest first */
export function exposureByInstrument<Basket extends HeldBasket>(
  positions: readonly Basket[],
  unassigned: readonly Past[],
): readonly InstrumentExposure<Basket>[] {
  const held = positions.flatMap((basket) =>
    basket.legs.filter(({ quantity }) => Number(quantity) !== 0).map((leg) => ({ basket, leg })),
  );
  const tickers = new Map<string, string>();
  for (const { symbol, ticker } of [...held.map(({ leg }) => leg), ...unassigned])
    tickers.set(symbol, ticker);
  const rows = [...tickers].map(([symbol, ticker]): InstrumentExposure<Basket> => {
    const own = held.filter(({ leg }) => leg.symbol === symbol);
    const past = unassigned.filter((one) => one.symbol === symbol);
    const parts: readonly InstrumentPart<Basket>[] = [
      ...own.map(({ basket, leg: { side, quantity, notional, unrealizedPnl } }) => ({
        basket,
        side,
        quantity,
        notional,
        unrealizedPnl,
      })),
      ...(past.length === 0 ? [] : [pastPart(past)]),
    ];
    const quantityOf = (wanted: 'BUY' | 'SELL') =>
      sumOf(
        parts.filter(({ side }) => side === wanted),
        ({ quantity }) => quantity,
      );
    return {
      symbol,
      ticker,
      net: sumOf(parts, signed),
      gross: sumOf(parts, ({ notional }) => notional),
      longQuantity: quantityOf('BUY'),
      shortQuantity: quantityOf('SELL'),
      unrealizedPnl: sumOf(parts, ({ unrealizedPnl }) => unrealizedPnl),
      ...liquidationOf(own.map(({ leg }) => leg)),
      isInBaskets: own.length > 0,
      parts,
    };
  });
  return rows.sort((a, b) => new Big(b.net).abs().cmp(new Big(a.net).abs()));
}
