/** Sums of the shown rows, in exact decimals. */
import Big from 'big.js';
import type { Position, Unassigned } from './use-position-data.ts';

export function sumOf<Row>(rows: readonly Row[], of: (row: Row) => string): string {
  return rows.reduce((sum, row) => sum.plus(of(row)), new Big(0)).toFixed();
}

/** Notional at the mark, or at the trade price if there is no mark; signed like the quantity. */
export function notionalOf({
  quantity,
  markPrice,
  price,
}: Pick<Unassigned, 'quantity' | 'markPrice' | 'price'>): string {
  return new Big(quantity).times(markPrice ?? price).toFixed();
}

/**
 * Unrealised PnL of holdings in no basket, USD. As in the gateway, a holding without a mark counts at cost. null: there
 * are no such holdings, or they are not read yet.
 */
export function pastUnrealized(
  unassigned: readonly Pick<Unassigned, 'unrealizedPnl'>[] | undefined,
): string | null {
  if (unassigned === undefined || unassigned.length === 0) return null;
  return sumOf(unassigned, ({ unrealizedPnl }) => unrealizedPnl ?? '0');
}

export interface Exposure {
  /** Baskets and holdings in no basket, USD, as in equity and margin. undefined: one of them is not read. */
  readonly gross: string | undefined;
  readonly net: string | undefined;
  /** Part of `gross` in no basket, net by instrument; null: none, or not read yet. */
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
  // Holdings in no basket are not the whole account.
  if (positions === undefined) return { gross: undefined, net: undefined, pastGross };
  return {
    gross: new Big(sumOf(positions, ({ grossNotional }) => grossNotional)).plus(past).toFixed(),
    net: new Big(sumOf(positions, ({ netNotional }) => netNotional))
      .plus(sumOf(nets, (one) => one))
      .toFixed(),
    pastGross,
  };
}
