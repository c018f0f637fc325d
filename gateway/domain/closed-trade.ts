/** A closed position as a trade: entry and exit price and result of each leg, and the steps on the way. */
import { type Decimal, dec, sum, text, textRounded, ZERO } from './decimal.ts';
import type { TRADE_STEP_KINDS } from './enumerations.ts';
import type { Fill, Position, PositionLeg, Side } from './model.ts';
import { otherSide } from './position.ts';

export interface TradeLegResult {
  readonly symbol: string;
  readonly side: Side;
  /** Quantity of all entries, base units. */
  readonly quantity: string;
  /** Average price, quantity-weighted over all entries or over all exits; null: no such fill was recorded. */
  readonly entryPrice: string | null;
  readonly exitPrice: string | null;
  /** PnL of price moves alone, USD. */
  readonly realizedPnl: string;
  /** Fees; positive: paid. */
  readonly fees: string;
  /** Funding; positive: received. */
  readonly funding: string;
}

export type StepKind = (typeof TRADE_STEP_KINDS)[number];

export type StepLeg = Pick<Fill, 'symbol' | 'side' | 'quantity' | 'price' | 'fee' | 'realizedPnl'>;

export interface TradeStep {
  readonly kind: StepKind;
  /** Execution that made the step; null: not an execution of the gateway. */
  readonly executionId: string | null;
  /** Time of the step's first fill. */
  readonly at: number;
  readonly legs: readonly StepLeg[];
}

export interface ClosedTrade {
  readonly position: Position;
  readonly closedAt: number;
  readonly legs: readonly TradeLegResult[];
  readonly realizedPnl: string;
  readonly fees: string;
  readonly funding: string;
  /** realizedPnl − fees + funding. */
  readonly netPnl: string;
  /** Net PnL in percent of the notional entered; null: no entry was recorded. */
  readonly returnPct: string | null;
  /** Steps of the trade; null: the caller did not ask for steps. */
  readonly steps: readonly TradeStep[] | null;
}

/** Fields of a fill that a trade's economics need. */
export type TradeFill = Pick<
  Fill,
  | 'executionId'
  | 'symbol'
  | 'side'
  | 'price'
  | 'quantity'
  | 'notional'
  | 'fee'
  | 'realizedPnl'
  | 'isLiquidation'
  | 'isProvisional'
  | 'timestamp'
>;

interface LegFills {
  readonly quantity: Decimal;
  readonly notional: Decimal;
}

/**
 * null: the position is open, or none of its fills is confirmed.
 * @param fills fills of the position, oldest first
 */
export function closedTrade(
  position: Position,
  fills: readonly TradeFill[],
  includeSteps: boolean,
): ClosedTrade | null {
  const confirmed = fills.filter((fill) => !fill.isProvisional);
  if (position.closedAt === null || confirmed.length === 0) return null;
  const sums = sumsOf(confirmed);
  const total = (of: (leg: PositionLeg) => string): Decimal => sum(position.legs.map((leg) => dec(of(leg))));
  const realized = total((leg) => leg.realizedPnl);
  const fees = total((leg) => leg.feesPaid);
  const paid = total((leg) => leg.fundingPaid);
  const net = realized.minus(fees).minus(paid);
  const entered = sum(position.legs.map((leg) => sums(leg.symbol, leg.side).notional));
  return {
    position,
    closedAt: position.closedAt,
    legs: position.legs.map((leg) => legResult(leg, sums)),
    realizedPnl: text(realized),
    fees: text(fees),
    funding: text(paid.neg()),
    netPnl: text(net),
    returnPct: entered.isZero() ? null : textRounded(net.div(entered).mul(100), 6),
    steps: includeSteps ? stepsOf(position, confirmed) : null,
  };
}

/** Quantity and notional by instrument and side. */
function sumsOf(fills: readonly TradeFill[]): (symbol: string, side: Side) => LegFills {
  const sums = new Map<string, LegFills>();
  for (const { symbol, side, quantity, notional } of fills) {
    const own = sums.get(`${symbol} ${side}`);
    sums.set(
      `${symbol} ${side}`,
      own === undefined
        ? { quantity: dec(quantity), notional: dec(notional) }
        : { quantity: own.quantity.plus(quantity), notional: own.notional.plus(notional) },
    );
  }
  return (symbol, side) => sums.get(`${symbol} ${side}`) ?? { quantity: ZERO, notional: ZERO };
}

function averagePrice({ quantity, notional }: LegFills): string | null {
  return quantity.isZero() ? null : textRounded(notional.div(quantity), 18);
}

function isEntry(position: Position, fill: TradeFill): boolean {
  return position.legs.some((leg) => leg.symbol === fill.symbol && leg.side === fill.side);
}

function legResult(leg: PositionLeg, sums: (symbol: string, side: Side) => LegFills): TradeLegResult {
  const entries = sums(leg.symbol, leg.side);
  return {
    symbol: leg.symbol,
    side: leg.side,
    quantity: text(entries.quantity),
    entryPrice: averagePrice(entries),
    exitPrice: averagePrice(sums(leg.symbol, otherSide(leg.side))),
    realizedPnl: leg.realizedPnl,
    fees: leg.feesPaid,
    funding: text(dec(leg.fundingPaid).neg()),
  };
}

/**
 * Groups fills into steps: the fills of one execution are one step, and so are the liquidations between two
 * executions.
 */
function stepsOf(position: Position, fills: readonly TradeFill[]): readonly TradeStep[] {
  const groups = new Map<string, TradeFill[]>();
  let outside = 0;
  for (const fill of fills) {
    if (fill.executionId !== null) outside += 1;
    const group = fill.executionId ?? `outside ${outside}`;
    const own = groups.get(group);
    if (own === undefined) groups.set(group, [fill]);
    else own.push(fill);
  }
  const held = new Map<string, Decimal>();
  return [...groups.values()].map((group, index) => {
    for (const fill of group) {
      const before = held.get(fill.symbol) ?? ZERO;
      held.set(
        fill.symbol,
        isEntry(position, fill) ? before.plus(fill.quantity) : before.minus(fill.quantity),
      );
    }
    const flat = [...held.values()].every((quantity) => quantity.lte(0));
    return {
      kind: kindOf(position, group, index === 0, flat),
      executionId: group[0]?.executionId ?? null,
      at: group[0]?.timestamp ?? position.createdAt,
      legs: stepLegs(group),
    };
  });
}

function kindOf(position: Position, fills: readonly TradeFill[], first: boolean, flat: boolean): StepKind {
  if (fills.some((fill) => fill.isLiquidation)) return 'LIQUIDATION';
  if (first) return 'OPEN';
  if (flat) return 'CLOSE';
  return fills.some((fill) => isEntry(position, fill)) ? 'INCREASE' : 'REDUCE';
}

function stepLegs(fills: readonly TradeFill[]): readonly StepLeg[] {
  const bySide = new Map<string, TradeFill[]>();
  for (const fill of fills) {
    const own = bySide.get(`${fill.symbol} ${fill.side}`);
    if (own === undefined) bySide.set(`${fill.symbol} ${fill.side}`, [fill]);
    else own.push(fill);
  }
  const sums = sumsOf(fills);
  return [...bySide.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const { symbol, side } = first;
    return [
      {
        symbol,
        side,
        quantity: text(sums(symbol, side).quantity),
        price: averagePrice(sums(symbol, side)) ?? first.price,
        fee: text(sum(own.map((fill) => dec(fill.fee)))),
        realizedPnl: text(sum(own.map((fill) => dec(fill.realizedPnl)))),
      },
    ];
  });
}
