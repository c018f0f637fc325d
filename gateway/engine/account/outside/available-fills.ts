/** Outside fills that may still go into a basket, with their rest after closing baskets took parts. */
import { dec, text } from '../../../domain/decimal.ts';
import type { Fill } from '../../../domain/model.ts';
import { otherSide } from '../../../domain/position.ts';
import type { UnassignedLot } from '../../../domain/unassigned.ts';
import type { EngineDeps } from '../../core/deps.ts';
import { transferFill } from '../../execution/closing/transfer-fill.ts';

export interface AvailableFills {
  /** Fills of which no basket has taken a part. */
  readonly whole: readonly Fill[];
  readonly parts: readonly PartOfFill[];
}

export interface PartOfFill {
  /** The stored fill. Its lot has quantity 0 once the part is taken. */
  readonly fill: Fill;
  /** The part that goes into the basket, as a fill of its own. */
  readonly taken: Fill;
  /** The opposite fill, in no basket, that balances `taken`. */
  readonly counter: Fill;
}

/**
 * Provisional fills that still wait for a basket or a confirmation. Left out: fills in no basket whose lot has
 * quantity 0.
 */
export function stillWaiting(deps: Pick<EngineDeps, 'state'>, provisional: readonly Fill[]): readonly Fill[] {
  return provisional.filter(
    ({ id, tradeAccountId, symbol, positionId }) =>
      positionId !== null || deps.state.unassigned.lot(tradeAccountId, symbol, id) !== undefined,
  );
}

/** A fill whose lot has quantity 0 (taken by baskets, or reset with the account) is in neither list. */
export function availableFills(
  deps: Pick<EngineDeps, 'state' | 'ids'>,
  fills: readonly Fill[],
): AvailableFills {
  const whole: Fill[] = [];
  const parts: PartOfFill[] = [];
  for (const fill of fills) {
    const lot = deps.state.unassigned.lot(fill.tradeAccountId, fill.symbol, fill.id);
    if (lot === undefined) continue;
    if (dec(lot.quantity).abs().eq(fill.quantity)) whole.push(fill);
    else parts.push(partOf(deps, fill, lot));
  }
  return { whole, parts };
}

function partOf(deps: Pick<EngineDeps, 'ids'>, fill: Fill, lot: UnassignedLot): PartOfFill {
  const half = {
    tradeAccountId: fill.tradeAccountId,
    connector: fill.connector,
    cause: 'INTERNAL',
    symbol: fill.symbol,
    quantity: text(dec(lot.quantity).abs()),
    price: fill.price,
    positionId: null,
    timestamp: fill.timestamp,
  } as const;
  const name = `x:${fill.id}:rest`;
  return {
    fill,
    taken: transferFill({ ...half, id: deps.ids.next(), tradeId: `${name}:a`, side: fill.side }),
    counter: transferFill({ ...half, id: deps.ids.next(), tradeId: `${name}:b`, side: otherSide(fill.side) }),
  };
}
