/**
 * What a position would come to if prices moved: arithmetic at the marks of now, without fees, funding and slippage.
 *
 * A move of the ratio moves each leg alike, longs × f and shorts ÷ f with f² = 1 + move, and every other price stays; where
 * all legs are on one side their prices move by it. A move of all prices moves whatever the account holds.
 *
 *   free margin then = free margin + Σ q (m' − m) − Σ |q| (m' − m) ÷ leverage     of what is held cross
 *
 * Whether something is liquidated follows the rule of `GET /positions/risk`, whose distance is taken for moves of the ratio.
 */
import Big from 'big.js';
import type { Holdings } from '../../api/account-now.ts';
import type { BasketRisk } from '../../features/liquidation/liquidation.tsx';
import type { Risk } from '../../features/position-columns/use-risk.ts';
import type { Position, PositionLeg } from './use-position-data.ts';

/** Fractions. */
const RATIO_MOVES = ['-0.1', '-0.05', '0.05', '0.1'] as const;
const MARKET_MOVES = ['-0.1', '0.1'] as const;

export interface Scenario {
  /** What moves: the price ratio, the price of a one-sided basket, or all prices. */
  readonly what: 'RATIO' | 'PRICE' | 'MARKET';
  /** Fraction. */
  readonly move: string;
  /** The price ratio then ÷ that of now; that of shorts alone is 1 ÷ their price. */
  readonly ratioTimes: string;
  /** Unrealised PnL of the move alone, USD. */
  readonly change: string;
  /** Gross notional then, USD. */
  readonly size: string;
  /** Of the account, USD; null: not known. */
  readonly freeMargin: string | null;
  /** Something of the account is: the figures beside it hold up to there only. null: not known. */
  readonly isLiquidated: boolean | null;
}

type Leg = Pick<
  PositionLeg,
  'symbol' | 'side' | 'quantity' | 'markPrice' | 'leverage' | 'marginMode' | 'liquidationPrice'
>;
type OfRisk = Pick<Risk, 'freeMargin' | 'crossValue' | 'maintenanceMargin'>;

/** What the account holds of an instrument, all baskets and what is in none together. */
interface Net {
  readonly symbol: string;
  /** The venue keeps margin mode and leverage by instrument; null: no basket holds it, and they are not known here. */
  readonly leg: Leg | null;
  /** Signed base units. */
  readonly quantity: Big;
  readonly mark: Big;
}

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

/** @returns none where a leg is not held or has no price: what is left is not what the name says */
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

function scenario(given: Given, what: Scenario['what'], move: string): Scenario {
  const { legs, risk } = given;
  const factor = new Big(1).plus(move);
  const each = what === 'RATIO' ? factor.sqrt() : factor;
  const of = ({ side }: Pick<Leg, 'side'>) =>
    what === 'RATIO' && side === 'SELL' ? new Big(1).div(each) : each;
  let [change, size] = [new Big(0), new Big(0)];
  for (const leg of legs) {
    const mark = new Big(leg.markPrice ?? 0);
    change = change.plus(signed(leg).times(mark).times(of(leg).minus(1)));
    size = size.plus(new Big(leg.quantity).times(mark).times(of(leg)));
  }
  // Of an instrument of this basket the account's whole holding moves, of others only with the market.
  const factors = new Map(legs.map((leg) => [leg.symbol, of(leg)]));
  const factorOf = (symbol: string) => factors.get(symbol) ?? (what === 'MARKET' ? factor : new Big(1));
  const held = netOf(given);
  const turned = what === 'PRICE' && legs[0]?.side === 'SELL';
  return {
    what,
    move,
    ratioTimes: (what === 'MARKET' ? new Big(1) : turned ? new Big(1).div(factor) : factor).toFixed(),
    change: money(change),
    size: money(size),
    freeMargin: risk === null ? null : money(freeMarginAt(risk, held, factorOf)),
    isLiquidated:
      risk === null
        ? null
        : what === 'MARKET'
          ? isMarketFatal(risk, held, factor)
          : isPast(given.distance, move),
  };
}

/** Cents are what is looked at; more is what a root has left over. */
const money = (value: Big) => value.toFixed(4);

function netOf({ positions, unassigned }: Pick<Given, 'positions' | 'unassigned'>): readonly Net[] {
  const nets = new Map<string, Net>();
  for (const leg of positions.flatMap(({ legs }) => legs)) {
    if (leg.markPrice === null) continue;
    const before = nets.get(leg.symbol)?.quantity ?? new Big(0);
    const { symbol } = leg;
    nets.set(symbol, { symbol, leg, quantity: before.plus(signed(leg)), mark: new Big(leg.markPrice) });
  }
  for (const { symbol, quantity, markPrice } of unassigned) {
    const net = nets.get(symbol) ?? {
      symbol,
      leg: null,
      quantity: new Big(0),
      mark: new Big(markPrice ?? 0),
    };
    nets.set(symbol, { ...net, quantity: net.quantity.plus(quantity) });
  }
  return [...nets.values()];
}

const isCross = ({ leg }: Net) => leg?.marginMode !== 'isolated';

/** An isolated leg takes its profit and loss out of its own margin. */
function freeMarginAt(risk: OfRisk, held: readonly Net[], factorOf: (symbol: string) => Big): Big {
  const free = held.filter(isCross).reduce((left, { symbol, leg, quantity, mark }) => {
    const moved = mark.times(factorOf(symbol).minus(1));
    const margin = leg === null ? 0 : quantity.abs().times(moved).div(leg.leverage);
    return left.plus(quantity.times(moved)).minus(margin);
  }, new Big(risk.freeMargin));
  return free.lt(0) ? new Big(0) : free;
}

/** Maintenance follows the notional, the same factor for all of it. */
function isMarketFatal(risk: OfRisk, held: readonly Net[], factor: Big): boolean {
  const move = factor.minus(1);
  const value = held
    .filter(isCross)
    .reduce(
      (sum, { quantity, mark }) => sum.plus(quantity.times(mark).times(move)),
      new Big(risk.crossValue),
    );
  const needed = new Big(risk.maintenanceMargin).times(factor);
  if (needed.gt(0) && value.lt(needed)) return true;
  return held.some((one) => {
    const price = one.leg?.liquidationPrice ?? null;
    if (isCross(one) || price === null) return false;
    const then = one.mark.times(factor);
    return one.quantity.gt(0) ? then.lte(price) : then.gte(price);
  });
}

/** Whether the move goes as far as the nearest liquidation, on its side. */
function isPast(distance: Given['distance'], move: string): boolean | null {
  if (distance === undefined) return null;
  if (distance.ratioMove === null) return false;
  const far = new Big(distance.ratioMove);
  if (far.eq(0)) return true;
  return far.lt(0) ? new Big(move).lte(far) : new Big(move).gte(far);
}

/** Of a position as it is with all that the account holds. */
export function scenariosOfPosition(
  position: Position,
  { positions, unassigned }: Pick<Holdings, 'positions' | 'unassigned'>,
  risk: Risk | undefined,
): readonly Scenario[] {
  const distance = risk?.baskets.find(({ positionId }) => positionId === position.id);
  return scenariosOf({ legs: position.legs, positions, unassigned, risk: risk ?? null, distance });
}
