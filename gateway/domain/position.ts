/**
 * A basket position as the fold of its fills and funding payments.
 *
 * Invariants: a leg's quantity is the signed sum of its fills; `entryNotional` is kept exactly while a leg grows, and a
 * reduction takes its share of it (the average cost), so any interleaving of one execution's fills gives the same position (average
 * cost method: growth then reduction is not the same as reduction then growth, and is not meant to be).
 */
import { type Decimal, dec, sum, text, textRounded, ZERO } from './decimal.ts';
import type { Fill, Position, PositionLeg, PositionStatus, Side } from './model.ts';
import { weightedRatio } from './ratio.ts';
import { fail, ok, type Result } from './result.ts';
import { type TransitionTable, transition } from './transition.ts';

export type PositionEvent = 'change' | 'flatten';

export const POSITION_TRANSITIONS: TransitionTable<PositionStatus, PositionEvent> = {
  OPEN: { change: 'OPEN', flatten: 'CLOSED' },
  CLOSED: {},
};

export type PositionRefusal =
  | { readonly kind: 'illegal_transition' }
  | { readonly kind: 'unknown_leg'; readonly symbol: string }
  /** A reduction larger than the leg, which would turn a long into a short or the reverse. */
  | { readonly kind: 'exceeds_leg'; readonly symbol: string };

export type PositionFill = Pick<Fill, 'symbol' | 'side' | 'price' | 'quantity' | 'fee'>;

export function newPosition(
  identity: Pick<Position, 'id' | 'userId' | 'tradeAccountId' | 'connector' | 'basketKey'>,
  legs: readonly { readonly symbol: string; readonly side: Side; readonly targetWeight: string }[],
  now: number,
): Position {
  return {
    ...identity,
    status: 'OPEN',
    origin: 'GATEWAY',
    entryRatio: null,
    legs: legs.map((leg) => ({
      ...leg,
      quantity: '0',
      entryPrice: '0',
      entryNotional: '0',
      realizedPnl: '0',
      feesPaid: '0',
      fundingPaid: '0',
    })),
    createdAt: now,
    updatedAt: now,
    closedAt: null,
  };
}

/**
 * Folds fills into the position, all or none. Returns the position and the PnL that each fill realised (USD, before its
 * fee), in the order given.
 */
export function applyFills(
  position: Position,
  fills: readonly PositionFill[],
  now: number,
): Result<{ readonly position: Position; readonly realized: readonly string[] }, PositionRefusal> {
  const legs = [...position.legs];
  const realized: string[] = [];
  for (const fill of fills) {
    const index = legs.findIndex((leg) => leg.symbol === fill.symbol);
    const leg = legs[index];
    if (leg === undefined) return fail({ kind: 'unknown_leg', symbol: fill.symbol });
    const folded = fillLeg(leg, fill);
    if (folded === null) return fail({ kind: 'exceeds_leg', symbol: fill.symbol });
    legs[index] = folded.leg;
    realized.push(text(folded.realized));
  }
  const flat = legs.every((leg) => leg.quantity === '0');
  const next = transition(POSITION_TRANSITIONS, position.status, flat ? 'flatten' : 'change');
  if (!next.ok) return fail({ kind: 'illegal_transition' });
  return ok({
    position: {
      ...position,
      legs,
      status: next.value,
      entryRatio: flat ? position.entryRatio : entryRatio(legs),
      updatedAt: now,
      closedAt: flat ? now : null,
    },
    realized,
  });
}

/** Decimals of USD to which the cost of a reduction is rounded, half-even. */
const COST_PLACES = 12;

function fillLeg(leg: PositionLeg, fill: PositionFill): { leg: PositionLeg; realized: Decimal } | null {
  const held = dec(leg.quantity);
  const quantity = dec(fill.quantity);
  const feesPaid = text(dec(leg.feesPaid).plus(fill.fee));
  if (fill.side === leg.side) {
    const cost = dec(leg.entryNotional).plus(quantity.mul(fill.price));
    const grown = held.plus(quantity);
    return {
      leg: {
        ...leg,
        quantity: text(grown),
        entryNotional: text(cost),
        entryPrice: textRounded(cost.div(grown), 18),
        feesPaid,
      },
      realized: ZERO,
    };
  }
  const left = held.minus(quantity);
  if (left.isNegative()) return null;
  // PnL of a long is proceeds − cost, of a short cost − proceeds. A reduction takes its cost at the average price,
  // rounded; the last reduction takes all the cost that is left. So however often a leg is reduced, its realised PnL
  // adds up to proceeds − cost exactly.
  const cost = dec(leg.entryNotional);
  const share = quantity.mul(leg.entryPrice).toDecimalPlaces(COST_PLACES);
  const taken = left.isZero() || share.gt(cost) ? cost : share;
  const proceeds = quantity.mul(fill.price);
  const realized = leg.side === 'BUY' ? proceeds.minus(taken) : taken.minus(proceeds);
  return {
    leg: {
      ...leg,
      quantity: text(left),
      entryNotional: text(cost.minus(taken)),
      entryPrice: left.isZero() ? '0' : leg.entryPrice,
      realizedPnl: text(dec(leg.realizedPnl).plus(realized)),
      feesPaid,
    },
    realized,
  };
}

/** Adds a funding payment to a leg. `amount` in USD, positive = received by the holder. */
export function applyFunding(position: Position, symbol: string, amount: string, now: number): Position {
  return {
    ...position,
    legs: position.legs.map((leg) =>
      leg.symbol === symbol ? { ...leg, fundingPaid: text(dec(leg.fundingPaid).minus(amount)) } : leg,
    ),
    updatedAt: now,
  };
}

export function otherSide(side: Side): Side {
  return side === 'BUY' ? 'SELL' : 'BUY';
}

/** Signed quantity in base units: + long, − short. */
export function signedQuantity(leg: Pick<PositionLeg, 'side' | 'quantity'>): Decimal {
  return leg.side === 'BUY' ? dec(leg.quantity) : dec(leg.quantity).neg();
}

/** Weights by the legs' requested notionals; they sum to 1 within 18 decimals, all zero if nothing was requested. */
export function weightsOf(notionals: readonly Decimal[]): readonly string[] {
  const gross = sum(notionals);
  return notionals.map((notional) => (gross.isZero() ? '0' : textRounded(notional.div(gross), 18)));
}

function entryRatio(legs: readonly PositionLeg[]): string | null {
  return weightedRatio(
    legs.map((leg) => ({
      side: leg.side,
      price: leg.entryPrice,
      notional: leg.entryNotional,
    })),
  );
}
