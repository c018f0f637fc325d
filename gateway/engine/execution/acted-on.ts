/** Further effects of an order on its position: brackets and rebalancing. */
import type { DecimalString } from '../../domain/decimal.ts';
import type { MandateKind } from '../../domain/mandate.ts';
import type { Position } from '../../domain/model.ts';
import type { PositionSetup } from '../../domain/position-setup.ts';
import type { ActsOn } from '../core/asked.ts';

/** Brackets and rebalancing that come with an order for its position; left out or null: none. */
export type BroughtAlong = Partial<PositionSetup> | null;

/** Mandate kinds of the brackets and rebalancing that come with an order. */
export function broughtBy(setup: BroughtAlong | undefined): readonly ('protect' | 'rebalance')[] {
  const { takeProfit = null, stopLoss = null, autoRebalance = null } = setup ?? {};
  return [
    ...(takeProfit === null && stopLoss === null ? [] : (['protect'] as const)),
    ...(autoRebalance === null ? [] : (['rebalance'] as const)),
  ];
}

/** Slippage of the take-profit that comes with an order. undefined: it has no take-profit, or no slippage for it. */
export function profitSlippage(setup: BroughtAlong | undefined): DecimalString | undefined {
  return setup?.takeProfit?.slippage;
}

/**
 * Position that an order affects as a whole, whoever owns it, because the order protects or rebalances it or comes with
 * brackets or rebalancing. null if there is none.
 * @param position the position to which the order adds
 */
export function actedOn(
  position: Position | null | undefined,
  kind: MandateKind,
  isBrought: boolean,
): ActsOn | null {
  if (position === null || position === undefined) return null;
  return isBrought || kind === 'rebalance' || kind === 'protect' ? { position } : null;
}
