/** Targets for trades outside Tandem: a position of their own, or an open one. */
import type { NamedLeg } from '../../features/basket-name/basket-name.ts';
import type { Difference } from '../../features/venue-differences/use-differences.ts';
import type { Position } from './use-position-data.ts';

export interface SettleTarget {
  /** Id of the position; `new`: a position of its own. */
  readonly id: string;
  readonly legs: readonly NamedLeg[];
}

/** Instruments with trades outside Tandem that are in no basket. */
export function waiting(differences: readonly Difference[]): readonly Difference[] {
  return differences.filter(({ outside }) => Number(outside) !== 0);
}

/** Targets, likeliest first: a position that holds an instrument on the other side was probably reduced. */
export function settleTargets(
  differences: readonly Difference[],
  positions: readonly Position[],
): readonly SettleTarget[] {
  const rows = waiting(differences);
  const own: SettleTarget = {
    id: 'new',
    legs: rows.map(({ symbol, outside }) => ({ symbol, side: Number(outside) > 0 ? 'BUY' : 'SELL' })),
  };
  const traded = new Map(own.legs.map(({ symbol, side }) => [symbol, side]));
  const holding = positions.filter(({ legs }) => legs.some(({ symbol }) => traded.has(symbol)));
  const reduced = holding.filter(({ legs }) =>
    legs.some(({ symbol, side }) => traded.has(symbol) && traded.get(symbol) !== side),
  );
  const others = holding.filter((one) => !reduced.includes(one));
  const target = ({ id, legs }: Position): SettleTarget => ({
    id,
    legs: legs.map(({ symbol, side }) => ({ symbol, side })),
  });
  return [...reduced.map(target), own, ...others.map(target)];
}
