/**
 * What an account's equity is made of, from one cost basis: the lots of each basket, and what is in no basket.
 *
 *   equity = deposits + realised PnL − fees + funding + unrealised PnL
 *
 * to the last digit, for the account, for each source, instrument and basket. The venue nets baskets that share an
 * instrument and so splits realised and unrealised PnL otherwise; their sum is the same.
 */
import { type Atto, atto } from './atto.ts';
import { type DecimalString, dec, text } from './decimal.ts';
import type { Position, PositionLeg } from './model.ts';
import { type HistorySource, sourceOfPosition } from './portfolio.ts';
import { unrealizedOfLot } from './unassigned.ts';

/** All from the account's beginning on. */
export interface AccountRecords {
  /** What was realised, by instrument and source. */
  readonly moved: readonly Moved[];
  /** Open ones. */
  readonly positions: readonly RecordedPosition[];
  readonly unassigned: readonly HeldLot[];
  /** What the closed positions of each basket brought, net of fees and funding. */
  readonly closed: readonly { readonly basketKey: string; readonly net: Atto }[];
  /** Realised PnL − fees + funding of the time before the account was the gateway's: part of its capital. */
  readonly before: Atto;
  /** What the gateway's records do not explain of an account of an older version, found once; part of its capital. */
  readonly carriedOver: Atto;
}

export interface Moved {
  readonly symbol: string;
  readonly source: HistorySource;
  readonly realizedPnl: Atto;
  /** Positive: paid. */
  readonly fees: Atto;
  /** Positive: received. */
  readonly funding: Atto;
}

export type RecordedPosition = Pick<Position, 'basketKey' | 'origin'> & {
  readonly legs: readonly Pick<
    PositionLeg,
    'symbol' | 'side' | 'quantity' | 'entryNotional' | 'realizedPnl' | 'feesPaid' | 'fundingPaid'
  >[];
};

/** What is left of a lot that no basket has. */
export interface HeldLot {
  readonly symbol: string;
  /** Dust is the gateway's own. */
  readonly source: HistorySource;
  /** Signed base units. */
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
  /** Of closed positions, net of fees and funding. The other figures are of the open one. */
  readonly closedPnl: Atto;
}

export interface AccountBooks {
  readonly total: Result;
  readonly sources: Readonly<Record<HistorySource, Result>>;
  readonly instruments: readonly (Result & { readonly symbol: string })[];
  readonly baskets: readonly BasketResult[];
  /** What no basket has: `closedPnl` is all that was realised there, net of fees and funding. */
  readonly unassigned: { readonly closedPnl: Atto; readonly unrealizedPnl: Atto };
}

const NOTHING: Result = { realizedPnl: 0n, fees: 0n, funding: 0n, unrealizedPnl: 0n };

/** Realised PnL − fees + funding + unrealised PnL. */
export function resultOf({ realizedPnl, fees, funding, unrealizedPnl }: Result): Atto {
  return realizedPnl - fees + funding + unrealizedPnl;
}

/** What came into the account, less what left it. @param told what the venue says of it */
export function depositsOf(told: DecimalString, { before, carriedOver }: AccountRecords): Atto {
  return atto(told) - before + carriedOver;
}

/** @param markOf undefined: no price is known; what is held is then worth what it cost */
export function accountBooks(
  records: AccountRecords,
  markOf: (symbol: string) => DecimalString | undefined,
): AccountBooks {
  const books = new Books();
  for (const row of records.moved) books.add(row.symbol, row.source, { ...row, unrealizedPnl: 0n });
  for (const { basketKey, net } of records.closed) books.basket(basketKey).closedPnl += net;
  for (const position of records.positions) {
    const source = sourceOfPosition(position);
    for (const leg of position.legs) {
      const unrealizedPnl = unrealizedOfLeg(leg, markOf(leg.symbol));
      books.add(leg.symbol, source, { ...NOTHING, unrealizedPnl });
      const basket = books.basket(position.basketKey);
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
    books.add(lot.symbol, lot.source, { ...NOTHING, unrealizedPnl });
    unassigned += unrealizedPnl;
  }
  return books.told(unassigned);
}

type Growing = { -readonly [Name in keyof Result]: Result[Name] };
type GrowingBasket = { -readonly [Name in keyof BasketResult]: BasketResult[Name] };

class Books {
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

  told(unrealizedUnassigned: Atto): AccountBooks {
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

/** Long: mark × quantity − cost, short the reverse, from the exact cost of what is open. */
function unrealizedOfLeg(
  leg: Pick<PositionLeg, 'side' | 'quantity' | 'entryNotional'>,
  mark: DecimalString | undefined,
): Atto {
  if (mark === undefined || leg.quantity === '0') return 0n;
  const gain = dec(mark).mul(leg.quantity).minus(leg.entryNotional);
  return atto(text(leg.side === 'BUY' ? gain : gain.neg()));
}
