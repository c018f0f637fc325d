/**
 * Parts of an account's equity, from one cost basis: the lots of each basket and the holdings in no basket.
 *
 *   equity = deposits + realised PnL − fees + funding + unrealised PnL
 *
 * The equation holds to the last digit, for the account and for each source, instrument and basket. The venue nets
 * baskets that share an instrument and so splits realised and unrealised PnL differently; the sum of both is the same.
 */
import { type Atto, atto } from './atto.ts';
import { type Decimal, type DecimalString, dec, text, ZERO } from './decimal.ts';
import type { Position, PositionLeg } from './model.ts';
import { type HistorySource, sourceOfPosition } from './portfolio.ts';
import { unrealizedOfLot } from './unassigned.ts';

/** Records since the account's beginning. */
export interface AccountRecords {
  /** Realised PnL, fees and funding by instrument and source. */
  readonly moved: readonly Moved[];
  /** Open positions. */
  readonly positions: readonly RecordedPosition[];
  readonly unassigned: readonly HeldLot[];
  /** Net PnL of each basket's closed positions, after fees and funding. */
  readonly closed: readonly { readonly basketKey: string; readonly net: Atto }[];
  /** Realised PnL − fees + funding from before the gateway managed the account: part of the account's capital. */
  readonly before: Atto;
  /**
   * Part of the balance that no record explains, computed once for an account of an older version; counts as capital.
   */
  readonly carriedOver: Atto;
}

export interface Moved {
  readonly symbol: string;
  readonly source: HistorySource;
  readonly realizedPnl: Atto;
  /** Fees; positive: paid. */
  readonly fees: Atto;
  /** Funding; positive: received. */
  readonly funding: Atto;
}

export type RecordedPosition = Pick<Position, 'basketKey' | 'origin'> & {
  readonly legs: readonly Pick<
    PositionLeg,
    'symbol' | 'side' | 'quantity' | 'entryNotional' | 'realizedPnl' | 'feesPaid' | 'fundingPaid'
  >[];
};

/** Remainder of a lot in no basket. */
export interface HeldLot {
  readonly symbol: string;
  /** Origin of the lot. Dust counts as the gateway's own trading. */
  readonly source: HistorySource;
  /** Signed quantity in base units. */
  readonly quantity: DecimalString;
  readonly price: DecimalString;
}

export interface Result {
  readonly realizedPnl: Atto;
  readonly fees: Atto;
  readonly funding: Atto;
  readonly unrealizedPnl: Atto;
}

export interface BasketResult extends Result {
  readonly basketKey: string;
  /**
   * Net PnL of the basket's closed positions, after fees and funding; the other figures are its open position's.
   */
  readonly closedPnl: Atto;
}

export interface AccountLedger {
  readonly total: Result;
  readonly sources: Readonly<Record<HistorySource, Result>>;
  readonly instruments: readonly (Result & { readonly symbol: string })[];
  readonly baskets: readonly BasketResult[];
  /** Result of holdings in no basket; `closedPnl` is all PnL realised on them, net of fees and funding. */
  readonly unassigned: { readonly closedPnl: Atto; readonly unrealizedPnl: Atto };
}

const NOTHING: Result = { realizedPnl: 0n, fees: 0n, funding: 0n, unrealizedPnl: 0n };

/** Realised PnL − fees + funding + unrealised PnL. */
export function resultOf({ realizedPnl, fees, funding, unrealizedPnl }: Result): Atto {
  return realizedPnl - fees + funding + unrealizedPnl;
}

/** Net deposits: money paid in less money paid out. @param told net deposits as the venue reports them */
export function depositsOf(told: DecimalString, { before, carriedOver }: AccountRecords): Atto {
  return atto(told) - before + carriedOver;
}

/** A holding as the venue nets it. */
export interface NettedHolding {
  readonly symbol: string;
  /** Signed quantity in base units. */
  readonly quantity: DecimalString;
  readonly entryPrice: DecimalString;
  /** USD, unsigned; default: `entryPrice` × quantity. */
  readonly entryNotional?: DecimalString;
}

/** Difference of two costs of one holding that counts as rounding, USD. */
const ROUNDING = dec('0.01');

/**
 * PnL that the venue has realised and that is unrealised here, because the venue nets what is kept apart here: unrealised
 * PnL by our cost less that by the venue's, at one price. Of equal quantities it is the difference of the costs, whatever
 * the price; where a fill is not booked yet, it is almost that.
 * @param held all that the venue holds
 */
export function realizedByNetting(
  { positions, unassigned }: Pick<AccountRecords, 'positions' | 'unassigned'>,
  held: readonly NettedHolding[],
  markOf: (symbol: string) => DecimalString | undefined,
): Atto {
  const gaps = new Map<string, { quantity: Decimal; cost: Decimal }>();
  const add = (symbol: string, quantity: Decimal, cost: Decimal) => {
    const gap = gaps.get(symbol) ?? { quantity: ZERO, cost: ZERO };
    gaps.set(symbol, { quantity: gap.quantity.plus(quantity), cost: gap.cost.plus(cost) });
  };
  for (const { legs } of positions)
    for (const { symbol, side, quantity, entryNotional } of legs) {
      const sign = side === 'BUY' ? 1 : -1;
      add(symbol, dec(quantity).mul(sign), dec(entryNotional).mul(sign));
    }
  for (const { symbol, quantity, price } of unassigned) add(symbol, dec(quantity), dec(quantity).mul(price));
  for (const { symbol, quantity, entryPrice, entryNotional } of held) {
    const signed = dec(quantity);
    const cost = entryNotional === undefined ? signed.mul(entryPrice) : dec(entryNotional).mul(signed.s);
    add(symbol, signed.neg(), cost.neg());
  }
  let total = ZERO;
  for (const [symbol, { quantity, cost }] of gaps) {
    const mark = markOf(symbol);
    if (!quantity.isZero() && mark === undefined) continue;
    const gap = quantity.mul(mark ?? ZERO).minus(cost);
    if (gap.abs().gt(ROUNDING)) total = total.plus(gap);
  }
  return atto(text(total));
}

/** @param markOf mark price; undefined: no price is known, and the holding is valued at its cost */
export function accountLedger(
  records: AccountRecords,
  markOf: (symbol: string) => DecimalString | undefined,
): AccountLedger {
  const sums = new LedgerSums();
  for (const row of records.moved) sums.add(row.symbol, row.source, { ...row, unrealizedPnl: 0n });
  for (const { basketKey, net } of records.closed) sums.basket(basketKey).closedPnl += net;
  for (const position of records.positions) {
    const source = sourceOfPosition(position);
    for (const leg of position.legs) {
      const unrealizedPnl = unrealizedOfLeg(leg, markOf(leg.symbol));
      sums.add(leg.symbol, source, { ...NOTHING, unrealizedPnl });
      const basket = sums.basket(position.basketKey);
      basket.realizedPnl += atto(leg.realizedPnl);
      basket.fees += atto(leg.feesPaid);
      basket.funding -= atto(leg.fundingPaid);
      basket.unrealizedPnl += unrealizedPnl;
    }
  }
  let unassigned = 0n;
  for (const lot of records.unassigned) {
    const mark = markOf(lot.symbol);
    const unrealizedPnl = mark === undefined ? 0n : atto(unrealizedOfLot(lot, mark));
    sums.add(lot.symbol, lot.source, { ...NOTHING, unrealizedPnl });
    unassigned += unrealizedPnl;
  }
  return sums.told(unassigned);
}

type Growing = { -readonly [Name in keyof Result]: Result[Name] };
type GrowingBasket = { -readonly [Name in keyof BasketResult]: BasketResult[Name] };

class LedgerSums {
  readonly #total: Growing = { ...NOTHING };
  readonly #sources = { gateway: { ...NOTHING }, external: { ...NOTHING } } satisfies Record<
    HistorySource,
    Growing
  >;
  readonly #instruments = new Map<string, Growing & { symbol: string }>();
  readonly #baskets = new Map<string, GrowingBasket>();

  add(symbol: string, source: HistorySource, more: Result): void {
    const instrument = this.#instruments.get(symbol) ?? { symbol, ...NOTHING };
    this.#instruments.set(symbol, instrument);
    for (const sums of [this.#total, this.#sources[source], instrument]) {
      sums.realizedPnl += more.realizedPnl;
      sums.fees += more.fees;
      sums.funding += more.funding;
      sums.unrealizedPnl += more.unrealizedPnl;
    }
  }

  basket(basketKey: string): GrowingBasket {
    const basket = this.#baskets.get(basketKey) ?? { basketKey, closedPnl: 0n, ...NOTHING };
    this.#baskets.set(basketKey, basket);
    return basket;
  }

  told(unrealizedUnassigned: Atto): AccountLedger {
    const baskets = [...this.#baskets.values()];
    const ofBaskets = baskets.reduce((sum, basket) => sum + basket.closedPnl + resultOf(basket), 0n);
    return {
      total: this.#total,
      sources: this.#sources,
      instruments: [...this.#instruments.values()],
      baskets,
      unassigned: {
        closedPnl: resultOf(this.#total) - ofBaskets - unrealizedUnassigned,
        unrealizedPnl: unrealizedUnassigned,
      },
    };
  }
}

/** Unrealised PnL of a leg from its exact open cost: long mark × quantity − cost, short the reverse. */
function unrealizedOfLeg(
  leg: Pick<PositionLeg, 'side' | 'quantity' | 'entryNotional'>,
  mark: DecimalString | undefined,
): Atto {
  if (mark === undefined || leg.quantity === '0') return 0n;
  const gain = dec(mark).mul(leg.quantity).minus(leg.entryNotional);
  return atto(text(leg.side === 'BUY' ? gain : gain.neg()));
}
