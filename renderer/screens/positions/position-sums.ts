/** Sums of the shown rows, in exact decimals. */
import Big from 'big.js';
import type { Position, Unassigned } from './use-position-data.ts';

export function sumOf<Row>(rows: readonly Row[], of: (row: Row) => string): string {
  return rows.reduce((sum, row) => sum.plus(of(row)), new Big(0)).toFixed();
}

/** At the mark, or where there is none at the price that it was traded at; signed as the quantity is. */
export function notionalOf({
  quantity,
  markPrice,
  price,
}: Pick<Unassigned, 'quantity' | 'markPrice' | 'price'>): string {
  return new Big(quantity).times(markPrice ?? price).toFixed();
}

/**
 * What the account's unrealised PnL has beyond that of the baskets, USD; as the gateway counts it, at cost where there is
 * no mark. null: nothing is in no basket, or not read yet.
 */
export function pastUnrealized(
  unassigned: readonly Pick<Unassigned, 'unrealizedPnl'>[] | undefined,
): string | null {
  if (unassigned === undefined || unassigned.length === 0) return null;
  return sumOf(unassigned, ({ unrealizedPnl }) => unrealizedPnl ?? '0');
}

export interface Exposure {
  /** Baskets and what is in none, USD: what equity and margin count too. undefined: one of them is not read. */
  readonly gross: string | undefined;
  readonly net: string | undefined;
  /** The part of `gross` that is in no basket, net by instrument; null: none, or not read yet. */
  readonly pastGross: string | null;
}

export function exposureOf(
  positions: readonly Pick<Position, 'grossNotional' | 'netNotional'>[] | undefined,
  unassigned: readonly Pick<Unassigned, 'symbol' | 'quantity' | 'markPrice' | 'price'>[] | undefined,
): Exposure {
  if (unassigned === undefined) return { gross: undefined, net: undefined, pastGross: null };
  const symbols = [...new Set(unassigned.map(({ symbol }) => symbol))];
  const nets = symbols.map((symbol) =>
    sumOf(
      unassigned.filter((one) => one.symbol === symbol),
      notionalOf,
    ),
  );
  const past = sumOf(nets, (one) => one.replace('-', ''));
  const pastGross = new Big(past).eq(0) ? null : past;
  // What is in no basket is not the whole of the account.
  if (positions === undefined) return { gross: undefined, net: undefined, pastGross };
  return {
    gross: new Big(sumOf(positions, ({ grossNotional }) => grossNotional)).plus(past).toFixed(),
    net: new Big(sumOf(positions, ({ netNotional }) => netNotional))
      .plus(sumOf(nets, (one) => one))
      .toFixed(),
    pastGross,
  };
}
