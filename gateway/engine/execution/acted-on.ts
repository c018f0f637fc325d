/** What an order acts on beside what it trades. */
import type { DecimalString } from '../../domain/decimal.ts';
import type { MandateKind } from '../../domain/mandate.ts';
import type { Position } from '../../domain/model.ts';
import type { PositionSetup } from '../../domain/position-setup.ts';
import type { ActsOn } from '../core/asked.ts';

/** Brackets and rebalancing that an order brings along for its position; left out or null: none. */
export type BroughtAlong = Partial<PositionSetup> | null;

/** Kinds of what an order brings along for its position. */
export function broughtBy(setup: BroughtAlong | undefined): readonly ('protect' | 'rebalance')[] {
  const { takeProfit = null, stopLoss = null, autoRebalance = null } = setup ?? {};
  return [
    ...(takeProfit === null && stopLoss === null ? [] : (['protect'] as const)),
    ...(autoRebalance === null ? [] : (['rebalance'] as const)),
  ];
}

/** Slippage of the take-profit that an order brings along. undefined: it brings none, or names none. */
export function profitSlippage(setup: BroughtAlong | undefined): DecimalString | undefined {
  return setup?.takeProfit?.slippage;
}

/**
 * The position on all of which an order acts, whoever owns it, because it protects or rebalances it or brings brackets or
 * rebalancing along. null: there is none.
 * @param position the one that the order adds to
 */
export function actedOn(
  position: Position | null | undefined,
  kind: MandateKind,
  isBrought: boolean,
): ActsOn | null {
  if (position === null || position === undefined) return null;
  return isBrought || kind === 'rebalance' || kind === 'protect' ? { position } : null;
}
