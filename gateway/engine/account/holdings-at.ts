/**
 * Quantities of an instrument in an account's baskets when the venue made a payment on it: today's quantities with the
 * later fills taken back.
 *
 * A venue states the net quantity that it paid on. This quantity decides which fills were before the payment, because
 * timestamps of fills and payments may differ by the venue's own interval. If no point in time explains the quantity,
 * the timestamps decide.
 */
import { type Decimal, sum, text } from '../../domain/decimal.ts';
import type { Fill, Position, PositionLeg } from '../../domain/model.ts';
import { signedQuantity } from '../../domain/position.ts';
import type { PageRequest } from '../ports/pages.ts';
import type { Store } from '../ports/store.ts';
import type { VenueFunding } from '../ports/venue.ts';

const PAGE = 200;
/** Largest difference between the timestamps of fills and payments, ms. */
const SKEW_MS = 5_000;

export interface Holding {
  /** The position as it is today, not at the payment. */
  readonly position: Position;
  /** Signed base units at the time of the payment, not zero. */
  readonly quantity: string;
}

export interface HoldingsThen {
  readonly holdings: readonly Holding[];
  /** True: the holdings add up to the quantity that the venue paid on. */
  readonly explains: boolean;
}

/** @param open the open positions as they are now; positions closed since the payment are read from the store */
export async function holdingsAt(
  store: Pick<Store, 'positions' | 'fills'>,
  tradeAccountId: string,
  open: readonly Position[],
  payment: Pick<VenueFunding, 'symbol' | 'timestamp' | 'quantity'>,
): Promise<HoldingsThen> {
  const from = payment.timestamp - SKEW_MS;
  const positions = [...open, ...(await closedSince(store, tradeAccountId, from))];
  const holders = positions.flatMap((position) => {
    const leg = position.legs.find(({ symbol }) => symbol === payment.symbol);
    return leg === undefined ? [] : [{ position, leg }];
  });
  const later: Fill[] = [];
  for (const { position } of holders)
    later.push(...(await fillsSince(store, position, payment.symbol, from)));
  const { quantities, explains } = rewind(holders, later, payment);
  return {
    explains,
    holdings: holders.flatMap(({ position }, index) => {
      const quantity = quantities[index];
      return quantity === undefined || quantity.isZero() ? [] : [{ position, quantity: text(quantity) }];
    }),
  };
}

/**
 * Takes later fills back one by one, newest first. If several points in time explain the payment's quantity, the one
 * closest to the payment is used.
 */
function rewind(
  holders: readonly { readonly position: Position; readonly leg: PositionLeg }[],
  later: readonly Fill[],
  payment: Pick<VenueFunding, 'timestamp' | 'quantity'>,
): { readonly quantities: readonly Decimal[]; readonly explains: boolean } {
  const newestFirst = later.toSorted((a, b) => b.timestamp - a.timestamp || (a.id < b.id ? 1 : -1));
  const quantities = holders.map(({ leg }) => signedQuantity(leg));
  let byTime: readonly Decimal[] | null = null;
  let best: { readonly quantities: readonly Decimal[]; readonly distanceMs: number } | null = null;
  for (let index = 0; ; index += 1) {
    const before = newestFirst[index]?.timestamp ?? Number.NEGATIVE_INFINITY;
    const after = newestFirst[index - 1]?.timestamp ?? Number.POSITIVE_INFINITY;
    const distanceMs = Math.max(before - payment.timestamp, payment.timestamp - after, 0);
    if (byTime === null && distanceMs === 0) byTime = [...quantities];
    if (sum(quantities).eq(payment.quantity) && distanceMs < (best?.distanceMs ?? Number.POSITIVE_INFINITY))
      best = { quantities: [...quantities], distanceMs };
    const fill = newestFirst[index];
    if (fill === undefined) break;
    const holder = holders.findIndex(({ position }) => position.id === fill.positionId);
    const held = quantities[holder];
    if (held === undefined) continue;
    quantities[holder] = fill.side === 'BUY' ? held.minus(fill.quantity) : held.plus(fill.quantity);
  }
  return { quantities: best?.quantities ?? byTime ?? quantities, explains: best !== null };
}

async function closedSince(
  store: Pick<Store, 'positions'>,
  tradeAccountId: string,
  from: number,
): Promise<readonly Position[]> {
  const filter = { tradeAccountId, statuses: ['CLOSED'], orderBy: 'updatedAt', descending: true } as const;
  const found: Position[] = [];
  for (let after: PageRequest['after'] = null; ; ) {
    const page = await store.positions(filter, { limit: PAGE, after });
    const late = page.rows.filter((position) => position.updatedAt >= from);
    found.push(...late.filter((position) => (position.closedAt ?? 0) >= from));
    if (page.next === null || late.length < page.rows.length) return found;
    after = page.next;
  }
}

async function fillsSince(
  store: Pick<Store, 'fills'>,
  position: Position,
  symbol: string,
  from: number,
): Promise<readonly Fill[]> {
  const filter = { tradeAccountId: position.tradeAccountId, positionId: position.id, descending: true };
  const found: Fill[] = [];
  for (let after: PageRequest['after'] = null; ; ) {
    const page = await store.fills(filter, { limit: PAGE, after });
    const late = page.rows.filter((fill) => fill.timestamp >= from);
    found.push(...late.filter((fill) => fill.symbol === symbol));
    if (page.next === null || late.length < page.rows.length) return found;
    after = page.next;
  }
}
