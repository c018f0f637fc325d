/**
 * Holdings of an account at a venue in no basket: lots from trades outside Tandem, and dust, remainders too small for
 * an order of their own. Per account and instrument the venue's net position is the sum of the baskets and these lots.
 */
import { type Decimal, dec, sum, text } from './decimal.ts';
import type { Fill } from './model.ts';
import { signedQuantity } from './position.ts';

/**
 * ADJUSTMENT is no holding: it is a quantity taken out of a basket because the venue no longer held it. It waits for
 * the fill that explains it; that fill then makes no lot of its own.
 */
export type LotSource = 'OUTSIDE' | 'DUST' | 'ADJUSTMENT';

export interface UnassignedLot {
  /** Id of the fill that made the lot. */
  readonly id: string;
  readonly tradeAccountId: string;
  readonly connector: string;
  /** Instrument ID. */
  readonly symbol: string;
  readonly source: LotSource;
  /** Signed base units left of the lot: + long, − short. '0': the lot is used up. */
  readonly quantity: string;
  readonly price: string;
  /** Time when the lot was traded or left over, epoch ms. */
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
    quantity: text(signedQuantity(fill)),
    price: fill.price,
    timestamp: fill.timestamp,
  };
}

/** (mark − price) × signed quantity, USD. */
export function unrealizedOfLot(lot: Pick<UnassignedLot, 'quantity' | 'price'>, mark: string): string {
  return text(dec(mark).minus(lot.price).mul(lot.quantity));
}

/** Cost of the lots, USD: amounts paid less amounts received. */
export function costOfLots(lots: readonly Pick<UnassignedLot, 'quantity' | 'price'>[]): Decimal {
  return sum(lots.map(({ quantity, price }) => dec(quantity).mul(price)));
}

/** Net quantity of the lots that are holdings, signed base units. */
export function netOfLots(lots: readonly Pick<UnassignedLot, 'quantity' | 'source'>[]): Decimal {
  return sum(lots.filter(isHeld).map(({ quantity }) => dec(quantity)));
}

export function isHeld<Lot extends Pick<UnassignedLot, 'source'>>(
  lot: Lot,
): lot is Lot & Pick<HeldLot, 'source'> {
  return lot.source !== 'ADJUSTMENT';
}
