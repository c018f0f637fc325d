/** PnL of a position after its costs so far, and its break-even ratio. */
import Big from 'big.js';
import type { Row } from '../../../gateway/client/client.ts';

type Position = Row<'GET /positions'>;

export type Costed = Pick<Position, 'unrealizedPnl' | 'realizedPnl' | 'fundingPaid' | 'feesPaid'>;

/** Unrealised and realised PnL less funding and fees, USD, before the costs of closing. */
export function netPnl({ unrealizedPnl, realizedPnl, fundingPaid, feesPaid }: Costed): string {
  return new Big(unrealizedPnl).plus(realizedPnl).minus(fundingPaid).minus(feesPaid).toFixed();
}

/**
 * Price ratio (of a one-sided basket: price) at which `netPnl` would be 0, each leg moving alike as for the distance to
 * liquidation: longs × f, shorts ÷ f. With L and S the notional of the sides at their marks
 *
 *   L (f − 1) + S (1 − 1/f) + net = 0   ⟺   L f² + (S − L + net) f − S = 0
 *
 * Result: present ratio × f²; of one side, price × f (shorts' ratio is 1 ÷ their price). For display only, in floats.
 * @returns null: no price is known, or none makes it 0
 */
export function evenRatio(position: Costed & Pick<Position, 'legs' | 'markPrice'>): number | null {
  const net = Number(netPnl(position));
  const mark = Number(position.markPrice ?? Number.NaN);
  let [long, short] = [0, 0];
  for (const { side, quantity, markPrice } of position.legs) {
    const notional = Number(quantity) * Number(markPrice ?? Number.NaN);
    if (side === 'BUY') long += notional;
    else short += notional;
  }
  const linear = short - long + net;
  const factor =
    long === 0 ? short / (short + net) : (Math.sqrt(linear ** 2 + 4 * long * short) - linear) / (2 * long);
  const even = long === 0 || short === 0 ? mark * factor : mark * factor ** 2;
  return Number.isFinite(even) && even > 0 ? even : null;
}
