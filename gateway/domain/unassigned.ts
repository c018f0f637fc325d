/**
 * What an account holds at a venue in no basket: lots that were traded outside the gateway, and dust, remainders too small
 * for an order of their own. Per account and instrument the venue's net position is the sum of the baskets and these lots.
 */
import { type Decimal, dec, sum, text } from './decimal.ts';
import type { Fill } from './model.ts';

/**
 * ADJUSTMENT is no holding: it is what was taken out of a basket because the venue did not hold it any more, and waits for
 * the late fill that says why, which then makes no lot of its own.
 */
export type LotSource = 'OUTSIDE' | 'DUST' | 'ADJUSTMENT';

export interface UnassignedLot {
  /** Of the fill that made it. */
  readonly id: string;
  readonly tradeAccountId: string;
  readonly connector: string;
  /** Instrument ID. */
  readonly symbol: string;
  readonly source: LotSource;
  /** Signed base units that are left of it: + long, − short. '0': nothing. */
  readonly quantity: string;
  readonly price: string;
  /** When it was traded, or was left over, epoch ms. */
  readonly timestamp: number;
}

/** A lot that is a holding. */
export interface HeldLot extends UnassignedLot {
  readonly source: 'OUTSIDE' | 'DUST';
}

/** The lot that a fill in no basket makes. */
export function lotOf(fill: Fill, source: LotSource): UnassignedLot {
  return {
    id: fill.id,
    tradeAccountId: fill.tradeAccountId,
    connector: fill.connector,
    symbol: fill.symbol,
    source,
    quantity: text(fill.side === 'BUY' ? dec(fill.quantity) : dec(fill.quantity).neg()),
    price: fill.price,
    timestamp: fill.timestamp,
  };
}

/** (mark − price) × signed quantity, USD. */
export function unrealizedOfLot(lot: Pick<UnassignedLot, 'quantity' | 'price'>, mark: string): string {
  return text(dec(mark).minus(lot.price).mul(lot.quantity));
}

/** What was paid for them less what was received, USD. */
export function costOfLots(lots: readonly Pick<UnassignedLot, 'quantity' | 'price'>[]): Decimal {
  return sum(lots.map(({ quantity, price }) => dec(quantity).mul(price)));
}

/** Signed base units that the account holds by them. */
export function netOfLots(lots: readonly Pick<UnassignedLot, 'quantity' | 'source'>[]): Decimal {
  return sum(lots.filter(isHeld).map(({ quantity }) => dec(quantity)));
}

export function isHeld<Lot extends Pick<UnassignedLot, 'source'>>(
  lot: Lot,
): lot is Lot & Pick<HeldLot, 'source'> {
  return lot.source !== 'ADJUSTMENT';
}
