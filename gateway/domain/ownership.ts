/**
 * Ownership of a position. Each holder other than the user has one row per instrument. The user owns the remainder, so
 * all owners add up to the position to the last digit.
 *
 * A holder owns its additions. A reduction uses up the reducer's own share first, then everybody's in proportion. An
 * unrequested reduction (liquidation, trades outside Tandem) takes from everybody in proportion. Each owner has its own
 * cost, so each result belongs to the owners whose quantity brought it.
 */
import { type Decimal, type DecimalString, dec, floorTo, sum, text, ZERO } from './decimal.ts';
import type { MandateHolder } from './mandate.ts';
import type { PositionLeg, Side } from './model.ts';
import { minus, type Scaled, scaled, times } from './scaled.ts';

/** Share of a holder in one instrument of a position. */
export interface Holding {
  readonly holderKind: MandateHolder['kind'];
  readonly holderId: string;
  readonly userId: string;
  readonly tradeAccountId: string;
  readonly positionId: string;
  readonly symbol: string;
  readonly side: Side;
  /** Base units, ≥ 0. */
  readonly quantity: DecimalString;
  /** Opening value of the quantity, USD. */
  readonly cost: DecimalString;
  /** Before fees and funding, USD. */
  readonly realised: DecimalString;
  readonly fees: DecimalString;
  /** Positive: paid. */
  readonly funding: DecimalString;
  readonly updatedAt: number;
}

/** Author of a change of a leg. USER: the user, or somebody without a row; NOBODY: the venue. */
export type Actor =
  | { readonly kind: 'HOLDER'; readonly isHis: (holding: Holding) => boolean }
  | 'USER'
  | 'NOBODY';

/** Share of something that a holder owns. */
export type Owned = 'NONE' | 'PART' | 'ALL';

type Leg = Pick<PositionLeg, 'quantity' | 'entryNotional' | 'realizedPnl' | 'feesPaid' | 'fundingPaid'>;

const NO_LEG: Leg = { quantity: '0', entryNotional: '0', realizedPnl: '0', feesPaid: '0', fundingPaid: '0' };
const COST_PLACES = 12;
const QUANTITY_STEP = dec('0.000000000000000001');

/**
 * The rows after a leg went from `before` to `after`: those that have changed.
 * @param holdings the holders' rows of this leg
 * @param own the acting holder's row, empty if it has none; null: no holder acted
 */
export function foldOwners(
  before: Leg | undefined,
  after: PositionLeg,
  holdings: readonly Holding[],
  actor: Actor,
  own: Holding | null,
  now: number,
): readonly Holding[] {
  const was = before ?? NO_LEG;
  const change = dec(after.quantity).minus(was.quantity);
  const paid = withFees(withFunding(holdings, was, after), was, after, own);
  const rows = change.gt(0)
    ? grown(paid, own, change, dec(after.entryNotional).minus(was.entryNotional))
    : reduced(paid, was, after, change.neg(), actor);
  return rows
    .filter((row) => !holdings.some((one) => isSame(one, row)))
    .map((row) => ({ ...row, updatedAt: now }));
}

function grown(
  holdings: readonly Holding[],
  own: Holding | null,
  quantity: Decimal,
  cost: Decimal,
): readonly Holding[] {
  if (own === null) return holdings;
  return replaced(holdings, own, (row) => ({
    ...row,
    quantity: text(dec(row.quantity).plus(quantity)),
    cost: text(dec(row.cost).plus(cost)),
  }));
}

function reduced(
  holdings: readonly Holding[],
  before: Leg,
  after: PositionLeg,
  taken: Decimal,
  actor: Actor,
): readonly Holding[] {
  if (taken.isZero() || holdings.length === 0) return holdings;
  const costTaken = dec(before.entryNotional).minus(after.entryNotional);
  const result = dec(after.realizedPnl).minus(before.realizedPnl);
  const proceeds = after.side === 'BUY' ? costTaken.plus(result) : costTaken.minus(result);
  const parts = takenOf(holdings, dec(before.quantity), taken, actor);
  return holdings.map((row, index) => {
    const part = parts[index] ?? ZERO;
    if (part.isZero()) return row;
    const left = dec(row.quantity).minus(part);
    const share = dec(row.cost).mul(part).div(row.quantity).toDecimalPlaces(COST_PLACES);
    const cost = left.isZero() ? dec(row.cost) : share;
    const brought = proceeds.mul(part).div(taken).toDecimalPlaces(COST_PLACES);
    const won = row.side === 'BUY' ? brought.minus(cost) : cost.minus(brought);
    return {
      ...row,
      quantity: text(left),
      cost: text(dec(row.cost).minus(cost)),
      realised: text(dec(row.realised).plus(won)),
    };
  });
}

/** Quantity that each holding gives up; the user's share gives the rest of `taken`. */
function takenOf(
  holdings: readonly Holding[],
  held: Decimal,
  taken: Decimal,
  actor: Actor,
): readonly Decimal[] {
  const quantities = holdings.map(({ quantity }) => dec(quantity));
  const users = held.minus(sum(quantities));
  const isHis = holdings.map((row) => typeof actor === 'object' && actor.isHis(row));
  let rest = taken;
  const first = quantities.map((quantity, index) => {
    const part = isHis[index] === true ? smaller(quantity, rest) : ZERO;
    rest = rest.minus(part);
    return part;
  });
  if (actor === 'USER') rest = rest.minus(smaller(users, rest));
  if (rest.isZero()) return first;
  const left = quantities.map((quantity, index) => quantity.minus(first[index] ?? ZERO));
  // A user who reduced has nothing left by now, else there would be no rest.
  const usersLeft = actor === 'USER' ? ZERO : users;
  const all = sum(left).plus(usersLeft);
  const parts = left.map((quantity) =>
    all.isZero() ? ZERO : smaller(quantity, floorTo(rest.mul(quantity).div(all), QUANTITY_STEP)),
  );
  // Rounding remainder: taken from the user as long as the user holds as much, else from holders with some left.
  const over = rest.minus(sum(parts)).minus(usersLeft);
  let cut = over.gt(0) ? over : ZERO;
  return parts.map((part, index) => {
    const room = (left[index] ?? ZERO).minus(part);
    const more = smaller(room, cut);
    cut = cut.minus(more);
    return part.plus(more).plus(first[index] ?? ZERO);
  });
}

/** Fees go to the trade's author. */
function withFees(
  holdings: readonly Holding[],
  before: Leg,
  after: PositionLeg,
  own: Holding | null,
): readonly Holding[] {
  const fee = dec(after.feesPaid).minus(before.feesPaid);
  if (own === null || fee.isZero()) return holdings;
  return replaced(holdings, own, (row) => ({ ...row, fees: text(dec(row.fees).plus(fee)) }));
}

/** Funding is everybody's, in proportion. */
function withFunding(holdings: readonly Holding[], before: Leg, after: PositionLeg): readonly Holding[] {
  const paid = dec(after.fundingPaid).minus(before.fundingPaid);
  if (paid.isZero() || dec(before.quantity).isZero()) return holdings;
  return holdings.map((row) => {
    const share = paid.mul(row.quantity).div(before.quantity).toDecimalPlaces(COST_PLACES);
    return { ...row, funding: text(dec(row.funding).plus(share)) };
  });
}

function replaced(
  holdings: readonly Holding[],
  own: Holding,
  change: (row: Holding) => Holding,
): readonly Holding[] {
  const index = holdings.findIndex((row) => isOf(row, own));
  if (index < 0) return [...holdings, change(own)];
  return holdings.map((row, at) => (at === index ? change(row) : row));
}

function isOf(row: Holding, own: Holding): boolean {
  return row.holderKind === own.holderKind && row.holderId === own.holderId;
}

function isSame(a: Holding, b: Holding): boolean {
  return (
    isOf(a, b) &&
    a.quantity === b.quantity &&
    a.cost === b.cost &&
    a.realised === b.realised &&
    a.fees === b.fees &&
    a.funding === b.funding
  );
}

function smaller(a: Decimal, b: Decimal): Decimal {
  return a.lt(b) ? a : b;
}

/** Net result of a row's change, USD: realised, less fees and funding. */
export function broughtBy(before: Holding | undefined, after: Holding): Decimal {
  const net = (row: Holding) => dec(row.realised).minus(row.fees).minus(row.funding);
  return net(after).minus(before === undefined ? ZERO : net(before));
}

/** Unrealised result at a mark price, USD. */
export function unrealised({ side, quantity, cost }: Holding, mark: DecimalString): Scaled {
  const worth = times(scaled(quantity), scaled(mark));
  return side === 'BUY' ? minus(worth, scaled(cost)) : minus(scaled(cost), worth);
}
