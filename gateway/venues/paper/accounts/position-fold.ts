/**
 * Folding a trade into a net position. With s the signed traded quantity, q the signed position and c its signed cost:
 * enlarging adds s × price to c; reducing by r releases c × r / |q| (18 decimals; all of c on a full close) and
 * realises −s × price − released. So Σ cash flows = realised + (q × mark − c) + … holds to the last digit, however many
 * trades reduce the position.
 */
import { Decimal, ZERO } from '../../../domain/decimal.ts';
import type { PaperPosition } from './account-state.ts';

const COST_PLACES = 18;
const MARGIN_PLACES = 12;

export interface PositionStep {
  /** null: the trade closed the position. */
  readonly position: PaperPosition | null;
  readonly realized: Decimal;
}

/**
 * @param signed traded base units, + bought, − sold
 * @param isolatedLeverage null for a cross position
 */
export function foldTrade(
  position: PaperPosition | undefined,
  signed: Decimal,
  price: Decimal,
  isolatedLeverage: number | null,
): PositionStep {
  const held = position?.quantity ?? ZERO;
  const cost = position?.cost ?? ZERO;
  const margin = position?.isolatedMargin ?? ZERO;
  const marginFor = (quantity: Decimal) =>
    isolatedLeverage === null ? ZERO : initialMargin(quantity.abs().mul(price), isolatedLeverage);
  const opened = (quantity: Decimal, at: Decimal, isolated: Decimal): PaperPosition => ({
    quantity,
    cost: at,
    isolatedMargin: isolatedLeverage === null ? null : isolated,
  });

  if (held.isZero() || held.isPositive() === signed.isPositive()) {
    return {
      position: opened(held.plus(signed), cost.plus(signed.mul(price)), margin.plus(marginFor(signed))),
      realized: ZERO,
    };
  }
  if (signed.abs().lt(held.abs())) {
    const share = (whole: Decimal, places: number) =>
      whole.mul(signed.abs()).div(held.abs()).toDecimalPlaces(places, Decimal.ROUND_HALF_EVEN);
    const released = share(cost, COST_PLACES);
    return {
      position: opened(
        held.plus(signed),
        cost.minus(released),
        margin.minus(isolatedLeverage === null ? ZERO : share(margin, MARGIN_PLACES)),
      ),
      realized: signed.mul(price).neg().minus(released),
    };
  }
  const rest = held.plus(signed);
  return {
    position: rest.isZero() ? null : opened(rest, rest.mul(price), marginFor(rest)),
    realized: held.mul(price).minus(cost),
  };
}

const inverses = new Map<number, Decimal>();

/**
 * notional ÷ leverage, rounded up to 12 decimals. The reciprocal of the leverage is cached, because exact division is
 * slow.
 */
export function initialMargin(notional: Decimal, leverage: number): Decimal {
  let inverse = inverses.get(leverage);
  if (inverse === undefined) {
    inverse = new Decimal(1).div(leverage).toDecimalPlaces(40, Decimal.ROUND_UP);
    inverses.set(leverage, inverse);
  }
  return notional.mul(inverse).toDecimalPlaces(MARGIN_PLACES, Decimal.ROUND_UP);
}
