/**
 * Results of a position if prices moved: arithmetic at the current marks, without fees, funding and slippage.
 *
 * A move of the ratio moves all legs alike, longs × f and shorts ÷ f with f² = 1 + move; other prices stay. If all legs
 * are on one side, their prices move by it. A move of all prices moves all holdings of the account.
 *
 * free margin then = free margin + Σ q (m' − m) − Σ |q| (m' − m) ÷ leverage     of cross holdings
 *
 * Liquidations follow the rule of `GET /positions/risk`, with its distance for moves against the basket. A move in its
 * favour may liquidate other baskets, or trades outside Tandem: the same rule applies at those prices.
 */
import Big from 'big.js';
import type { Holdings } from '../../api/account-now.ts';
import type { BasketRisk } from '../../features/liquidation/liquidation.tsx';
import type { Risk } from '../../features/position-columns/use-risk.ts';
import type { Position, PositionLeg } from './use-position-data.ts';

/** Moves as fractions. */
const RATIO_MOVES = ['-0.1', '-0.05', '0.05', '0.1'] as const;
const MARKET_MOVES = ['-0.1', '0.1'] as const;

export interface Scenario {
  /** Subject of the move: the price ratio, the price of a one-sided basket, or all prices. */
  readonly what: 'RATIO' | 'PRICE' | 'MARKET';
  /** Fraction. */
  readonly move: string;
  /** Price ratio after the move ÷ ratio now. The ratio of shorts alone is 1 ÷ their price. */
  readonly ratioTimes: string;
  /** Unrealised PnL of the move alone, USD. */
  readonly change: string;
  /** Gross notional after the move, USD. */
  readonly size: string;
  /** Account's free margin, USD; null: not known, e.g. if the venue reports zero without the shortfall. */
  readonly freeMargin: string | null;
  /** True: something of the account is liquidated, so the other figures hold up to there only. null: not known. */
  readonly isLiquidated: boolean | null;
}

type Leg = Pick<
  PositionLeg,
  'symbol' | 'side' | 'quantity' | 'markPrice' | 'leverage' | 'marginMode' | 'liquidationPrice'
>;
type OfRisk = Pick<Risk, 'freeMargin' | 'crossValue' | 'maintenanceMargin'>;

/** Net holding of an instrument, over all baskets and outside them. */
interface Net {
  readonly symbol: string;
  /** Leg with the venue's margin mode and leverage for the instrument; null: in no basket, so they are not known. */
  readonly leg: Leg | null;
  /** Signed base units. */
  readonly quantity: Big;
  /** null: not known. */
  readonly mark: Big | null;
}

type FactorOf = (symbol: string) => Big;

interface Given {
  readonly legs: readonly Leg[];
  /** Open positions of the account, this one among them. */
  readonly positions: readonly { readonly legs: readonly Leg[] }[];
  readonly unassigned: readonly Pick<Holdings['unassigned'][number], 'symbol' | 'quantity' | 'markPrice'>[];
  /** null: not read. */
  readonly risk: OfRisk | null;
  readonly distance: Pick<BasketRisk, 'ratioMove'> | undefined;
}

const signed = ({ side, quantity }: Pick<Leg, 'side' | 'quantity'>) =>
  side === 'BUY' ? new Big(quantity) : new Big(quantity).neg();

/** @returns none if a leg is not held or has no price: the name would not fit the rest */
export function scenariosOf(given: Given): readonly Scenario[] {
  const { legs } = given;
  if (
    legs.length === 0 ||
    legs.some(({ quantity, markPrice }) => markPrice === null || Number(quantity) === 0)
  )
    return [];
  const isOneSided = new Set(legs.map(({ side }) => side)).size === 1;
  if (isOneSided) return RATIO_MOVES.map((move) => scenario(given, 'PRICE', move));
  return [
    ...RATIO_MOVES.map((move) => scenario(given, 'RATIO', move)),
    ...MARKET_MOVES.map((move) => scenario(given, 'MARKET', move)),
  ];
}

const isShort = (legs: Given['legs']) => legs.every(({ side }) => side === 'SELL');

function scenario(given: Given, what: Scenario['what'], move: string): Scenario {
  const { legs, risk } = given;
  const factor = new Big(1).plus(move);
  const factorOf = factorsAt(legs, what, factor);
  let [change, size] = [new Big(0), new Big(0)];
  for (const leg of legs) {
    const mark = new Big(leg.markPrice ?? 0);
    const times = factorOf(leg.symbol);
    change = change.plus(signed(leg).times(mark).times(times.minus(1)));
    size = size.plus(new Big(leg.quantity).times(mark).times(times));
  }
  const held = netOf(given);
  const turned = what === 'PRICE' && isShort(legs);
  return {
    what,
    move,
    ratioTimes: (what === 'MARKET' ? new Big(1) : turned ? new Big(1).div(factor) : factor).toFixed(),
    change: money(change),
    size: money(size),
    freeMargin: risk === null ? null : freeMarginAt(risk, held, factorOf),
    isLiquidated: isFatal(given, what, factor, held),
  };
}

/** Price factor of each instrument: holdings of the basket's instruments move, others only with the market. */
function factorsAt(legs: Given['legs'], what: Scenario['what'], factor: Big): FactorOf {
  const each = what === 'RATIO' ? factor.sqrt() : factor;
  const factors = new Map(
    legs.map(({ symbol, side }) => [
      symbol,
      what === 'RATIO' && side === 'SELL' ? new Big(1).div(each) : each,
    ]),
  );
  return (symbol) => factors.get(symbol) ?? (what === 'MARKET' ? factor : new Big(1));
}

/** Rounds to 4 decimals: cents matter, and the rest comes from square roots. */
const money = (value: Big) => value.toFixed(4);

function netOf({ positions, unassigned }: Pick<Given, 'positions' | 'unassigned'>): readonly Net[] {
  const nets = new Map<string, Net>();
  const add = (symbol: string, leg: Leg | null, quantity: Big, markPrice: string | null) => {
    const before = nets.get(symbol);
    nets.set(symbol, {
      symbol,
      leg: leg ?? before?.leg ?? null,
      quantity: quantity.plus(before?.quantity ?? 0),
      mark: before?.mark ?? (markPrice === null ? null : new Big(markPrice)),
    });
  };
  for (const leg of positions.flatMap(({ legs }) => legs)) add(leg.symbol, leg, signed(leg), leg.markPrice);
  for (const { symbol, quantity, markPrice } of unassigned) add(symbol, null, new Big(quantity), markPrice);
  return [...nets.values()].filter(({ quantity }) => !quantity.eq(0));
}

const isCross = ({ leg }: Net) => leg?.marginMode !== 'isolated';

/** True: a moved holding has no known price, or no known margin mode, so the effect of the move is not known. */
const isUnknown = (held: readonly Net[], factorOf: FactorOf) =>
  held.some(({ symbol, leg, mark }) => (leg === null || mark === null) && !factorOf(symbol).eq(1));

const movedBy = ({ symbol, mark }: Net, factorOf: FactorOf) =>
  (mark ?? new Big(0)).times(factorOf(symbol).minus(1));

/** Free margin after a move. An isolated leg's PnL changes its own margin only. */
function freeMarginAt(risk: OfRisk, held: readonly Net[], factorOf: FactorOf): string | null {
  if (isUnknown(held, factorOf)) return null;
  const change = held.filter(isCross).reduce((sum, one) => {
    const moved = movedBy(one, factorOf);
    const margin = one.quantity
      .abs()
      .times(moved)
      .div(one.leg?.leverage ?? 1);
    return sum.plus(one.quantity.times(moved)).minus(margin);
  }, new Big(0));
  const free = new Big(risk.freeMargin);
  // A venue also reports zero for a shortfall, which gains may have to cover first.
  if (free.eq(0) && change.gt(0)) return null;
  const then = free.plus(change);
  return money(then.lt(0) ? new Big(0) : then);
}

/** True: something is liquidated before prices reach `factor` times their current values; null: not known. */
function isFatal(
  { legs, risk, distance }: Given,
  what: Scenario['what'],
  factor: Big,
  held: readonly Net[],
): boolean | null {
  // Without a distance of this basket, the risk was read before it existed, and covers other holdings.
  if (risk === null || distance === undefined) return null;
  if (distance.ratioMove !== null && Number(distance.ratioMove) === 0) return true;
  const move = factor.minus(1);
  const isAgainst = what !== 'MARKET' && (what === 'PRICE' && isShort(legs) ? move.gt(0) : move.lt(0));
  if (isAgainst) return isPast(distance, move);
  const answers = [move.div(2), move].map((part) =>
    isFatalAt(risk, held, factorsAt(legs, what, part.plus(1))),
  );
  if (answers.includes(true)) return true;
  return answers.includes(null) ? null : false;
}

/**
 * Maintenance margin follows the notional of each instrument, in unknown shares. It becomes at least the whole times
 * the least factor and at most the whole times the greatest; in between, the result is not known.
 */
function isFatalAt(risk: OfRisk, held: readonly Net[], factorOf: FactorOf): boolean | null {
  if (held.some((one) => isReached(one, factorOf))) return true;
  if (isUnknown(held, factorOf)) return null;
  const cross = held.filter(isCross);
  const value = cross.reduce(
    (sum, one) => sum.plus(one.quantity.times(movedBy(one, factorOf))),
    new Big(risk.crossValue),
  );
  const maintenance = new Big(risk.maintenanceMargin);
  if (cross.length === 0 || maintenance.lte(0)) return false;
  const factors = cross.map(({ symbol }) => factorOf(symbol)).sort((one, other) => one.cmp(other));
  if (value.lt(maintenance.times(factors[0] ?? 1))) return true;
  return value.lt(maintenance.times(factors.at(-1) ?? 1)) ? null : false;
}

/** True: an isolated holding reaches the venue's liquidation price. */
function isReached(one: Net, factorOf: FactorOf): boolean {
  const { symbol, leg, mark, quantity } = one;
  const price = leg?.liquidationPrice ?? null;
  if (isCross(one) || price === null || mark === null || factorOf(symbol).eq(1)) return false;
  const then = mark.times(factorOf(symbol));
  return quantity.gt(0) ? then.lte(price) : then.gte(price);
}

/** True: a move against the basket reaches the nearest liquidation. */
function isPast({ ratioMove }: NonNullable<Given['distance']>, move: Big): boolean {
  if (ratioMove === null) return false;
  return move.lt(0) ? move.lte(ratioMove) : move.gte(ratioMove);
}

/** Scenarios of a position together with all other holdings of the account. */
export function scenariosOfPosition(
  position: Position,
  { positions, unassigned }: Pick<Holdings, 'positions' | 'unassigned'>,
  risk: Risk | undefined,
): readonly Scenario[] {
  const distance = risk?.baskets.find(({ positionId }) => positionId === position.id);
  return scenariosOf({ legs: position.legs, positions, unassigned, risk: risk ?? null, distance });
}
