/**
 * Pure: the part of a closing plan that needs no order at the venue, as fills and lots. A transfer is two fills of
 * the same quantity and price on opposite sides, so the account's sum is zero. An adjustment is a single fill; its
 * lot waits for the outside fills that explain it.
 */
import type { ClosingLegPlan, ClosingPlan, LotTaken } from '../../../domain/closing-terms.ts';
import { dec, text } from '../../../domain/decimal.ts';
import type { Execution, Fill, Order, Position, Side, TransferCause } from '../../../domain/model.ts';
import { otherSide } from '../../../domain/position.ts';
import { lotOf, type UnassignedLot } from '../../../domain/unassigned.ts';
import type { FillChange } from '../../ports/unit-of-work.ts';
import { confirmedFill } from '../fill-row.ts';
import { transferFill } from './transfer-fill.ts';

export interface ClosingLegOf {
  readonly execution: Execution;
  readonly order: Order;
  readonly position: Position;
}

/** A fill that goes into one basket, in order of execution; its `realizedPnl` is not known yet. */
export interface BasketTransfer {
  readonly key: string;
  readonly fill: Fill;
}

export interface Transfers {
  readonly intoBaskets: readonly BasketTransfer[];
  /** The other halves of transfers between a basket and lots. */
  readonly counters: readonly Fill[];
  readonly lots: readonly UnassignedLot[];
}

export function transfersOf(
  plan: ClosingPlan,
  ownerOf: (key: string) => ClosingLegOf,
  makeId: () => string,
  now: number,
): Transfers {
  const intoBaskets: BasketTransfer[] = [];
  const counters: Fill[] = [];
  const lots = new Map<string, UnassignedLot>();

  /** Makes both halves of a transfer between a closing leg and the lots in no basket. */
  const withLots = (
    leg: ClosingLegPlan['leg'],
    moved: { readonly cause: TransferCause; readonly quantity: string; readonly price: string },
    isOurs: boolean,
  ): Fill => {
    const owner = ownerOf(leg.key);
    const name = nameOf(owner, makeId());
    const half = halfOf(owner, moved, now);
    const into = { ...half, id: makeId(), tradeId: `${name}:a`, side: leg.side, ...ownedBy(owner) };
    intoBaskets.push({ key: leg.key, fill: transferFill(into) });
    const counter = transferFill({
      ...half,
      id: makeId(),
      tradeId: `${name}:b`,
      side: otherSide(leg.side),
      // An outside trade is counted as external; only dust counts as the execution's own.
      executionId: isOurs ? owner.execution.id : null,
      positionId: null,
    });
    counters.push(counter);
    return counter;
  };

  for (const { leg, taken, dust, adjusted } of plan.legs) {
    for (const part of taken) {
      const { lot, quantity } = part;
      const isDust = lot.source === 'DUST';
      withLots(leg, { cause: isDust ? 'INTERNAL' : 'CLOSED_OUTSIDE', quantity, price: lot.price }, isDust);
      const before = lots.get(lot.id) ?? lot;
      lots.set(lot.id, lessened(before, part));
    }
    if (adjusted !== null) {
      const into = ownerOf(leg.key);
      const half = halfOf(into, { cause: 'ADJUSTMENT', ...adjusted }, now);
      const id = makeId();
      const tradeId = `${nameOf(into, id)}:a`;
      const fill = transferFill({ ...half, id, tradeId, side: leg.side, ...ownedBy(into) });
      intoBaskets.push({ key: leg.key, fill });
      lots.set(id, lotOf(fill, 'ADJUSTMENT'));
    }
    if (dust !== null) {
      const left = lotOf(withLots(leg, { cause: 'INTERNAL', ...dust }, true), 'DUST');
      lots.set(left.id, left);
    }
  }
  for (const { sell, buy, quantity, price } of plan.matches) {
    const seller = ownerOf(sell);
    const name = nameOf(seller, makeId());
    for (const [key, side, suffix] of [
      [sell, 'SELL', 'a'],
      [buy, 'BUY', 'b'],
    ] as const satisfies readonly (readonly [string, Side, string])[]) {
      const owner = ownerOf(key);
      const half = halfOf(owner, { cause: 'INTERNAL', quantity, price }, now);
      const tradeId = `${name}:${suffix}`;
      const fill = transferFill({ ...half, id: makeId(), tradeId, side, ...ownedBy(owner) });
      intoBaskets.push({ key, fill });
    }
  }
  return { intoBaskets, counters, lots: [...lots.values()] };
}

/** Outside fills whose lots now have quantity 0: they no longer wait for a basket. */
export function usedUp(transfers: Transfers, waiting: readonly Fill[]): readonly FillChange[] {
  const gone = new Set(transfers.lots.filter(({ quantity }) => quantity === '0').map(({ id }) => id));
  return waiting.filter(({ id }) => gone.has(id)).map(confirmedFill);
}

function nameOf({ execution, order }: ClosingLegOf, unique: string): string {
  return `x:${execution.id}:${order.legIndex}:${unique}`;
}

function halfOf(
  { execution, order }: ClosingLegOf,
  moved: { readonly cause: TransferCause; readonly quantity: string; readonly price: string },
  timestamp: number,
) {
  return {
    ...moved,
    tradeAccountId: execution.tradeAccountId,
    connector: execution.connector,
    symbol: order.symbol,
    timestamp,
  };
}

function ownedBy({ execution, order, position }: ClosingLegOf) {
  return { executionId: execution.id, orderId: order.id, positionId: position.id };
}

/** The lot with the taken quantity removed, so nearer to zero. */
function lessened(lot: UnassignedLot, { quantity }: LotTaken): UnassignedLot {
  const held = dec(lot.quantity);
  return { ...lot, quantity: text(held.isNegative() ? held.plus(quantity) : held.minus(quantity)) };
}
