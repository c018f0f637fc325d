/**
 * Distance of an account from liquidation, by the published rule of perpetuals venues:
 *
 *   cross value        = equity − Σ value of the isolated positions
 *   maintenance        = |quantity| × mark × maintenance rate of the tier that holds that notional
 *   cross positions    are liquidated when cross value < Σ their maintenance
 *   isolated position  is liquidated when its margin, profit and loss included, is below its own maintenance
 *
 * The distance of a basket is a simulation: its long legs fall and its short legs rise by the same factor, and every
 * other price stays. The result is the first factor that triggers a liquidation on the account. Distances are
 * statistics, so they are searched with floating-point numbers; present value and maintenance are money.
 */
import { type Decimal, dec, sum, text, textRounded } from './decimal.ts';
import { figures } from './figures.ts';
import { maintenanceRate } from './margin.ts';
import type { Instrument, MarginMode, Side } from './model.ts';

export interface RiskHolding {
  readonly symbol: string;
  /** Signed base units of the account's net position at the venue. */
  readonly quantity: string;
  readonly mark: string;
  readonly marginMode: MarginMode;
  /** Isolated: its margin, profit and loss included, USD. */
  readonly marginUsed: string;
  readonly instrument: Pick<Instrument, 'leverageTiers' | 'maxLeverage'> | undefined;
}

export interface RiskBasket {
  readonly positionId: string;
  /** Open legs. */
  readonly legs: readonly { readonly symbol: string; readonly side: Side }[];
}

export interface BasketRisk {
  readonly positionId: string;
  /** Move of each leg against the basket, a negative fraction; null: none above −99 %. */
  readonly legMove: string | null;
  /** Move of the price ratio, or of the price of a basket with one side. */
  readonly ratioMove: string | null;
  readonly cause: 'CROSS' | 'ISOLATED' | null;
  /** Instrument that is liquidated first there, as in `LiquidationUnit`; it may be outside the basket. */
  readonly firstSymbol: string | null;
}

interface Held {
  readonly symbol: string;
  readonly quantity: number;
  readonly mark: number;
  /** null: cross. */
  readonly isolatedValue: number | null;
  /** Lowest first; the last one has no end. */
  readonly tiers: readonly { readonly most: number; readonly rate: number }[];
}

/** The search goes down in these steps and halves the one in which something becomes due. */
const STEP = 0.97;
const LEAST = 0.01;
const HALVINGS = 40;
/** Decimal places of USD amounts that come from a division. */
const PLACES = 12;
/** Stands for an instrument that the venue does not list any more. */
const UNLISTED = { leverageTiers: [], maxLeverage: 1 };

/** `crossValue`, `maintenance`: present USD. `marginRatio`: maintenance ÷ value; null: one of them is not positive. */
export function accountRisk(
  equity: string,
  holdings: readonly RiskHolding[],
  baskets: readonly RiskBasket[],
) {
  const held = holdings.map(heldOf);
  const crossValue = crossValueOf(equity, holdings);
  const maintenance = sum(
    holdings.filter(({ marginMode }) => marginMode !== 'isolated').map((one) => maintenanceNow(one)),
  );
  return {
    crossValue: textRounded(crossValue, PLACES),
    maintenance: textRounded(maintenance, PLACES),
    marginRatio:
      maintenance.gt(0) && crossValue.gt(0) ? figures(maintenance.toNumber() / crossValue.toNumber()) : null,
    baskets: baskets.map((basket) => basketRisk(basket, held, crossValue.toNumber())),
  };
}

/** Positions that a venue liquidates together: the account's cross positions, or one isolated instrument. */
export interface LiquidationUnit {
  readonly cause: 'CROSS' | 'ISOLATED';
  /**
   * The instrument. For the cross positions the one with the largest maintenance at the liquidation, which a venue
   * closes first; for farther ones, at the marks.
   */
  readonly symbol: string;
  /** Basket whose move liquidates it first; null: none does `within`. */
  readonly positionId: string | null;
  /** Distance of that move, as `ratioMove` gives it, without its sign; null: farther than `within`. */
  readonly distance: number | null;
}

/**
 * Lists everything that could be liquidated, each with the nearest basket that does it. Separate entries, because a
 * near isolated leg must not hide the account behind it.
 * @param within fraction of the ratio (of the price of a one-sided basket) up to which distances are computed. Farther
 * ones cost only a few sums.
 */
export function liquidationUnits(
  equity: string,
  holdings: readonly RiskHolding[],
  baskets: readonly RiskBasket[],
  within: number,
): readonly LiquidationUnit[] {
  const held = holdings.map(heldOf);
  const crossValue = crossValueOf(equity, holdings).toNumber();
  const moves = baskets
    .filter(({ legs }) => legs.length > 0)
    .map((basket) => ({ ...basket, move: moveAgainst(basket.legs, held, crossValue) }));
  const nearest = (isDue: (move: (typeof moves)[number]['move'], factor: number) => boolean) => {
    let found: {
      readonly of: (typeof moves)[number];
      readonly factor: number;
      readonly distance: number;
    } | null = null;
    for (const of of moves) {
      const factor = firstDue((tried) => isDue(of.move, tried), factorAt(of.legs, within));
      if (factor === null) continue;
      const distance = Math.abs(ratioMoveAt(of.legs, factor));
      if (found === null || distance < found.distance) found = { of, factor, distance };
    }
    return found;
  };
  const isolated = held
    .filter(({ isolatedValue }) => isolatedValue !== null)
    .map((one): LiquidationUnit => {
      const found = nearest((move, factor) => move.isolatedIsDue(one, factor));
      const { positionId = null } = found?.of ?? {};
      return { cause: 'ISOLATED', symbol: one.symbol, positionId, distance: found?.distance ?? null };
    });
  const cross = held.filter(({ isolatedValue }) => isolatedValue === null);
  if (cross.length === 0) return isolated;
  const found = nearest((move, factor) => move.crossIsDue(factor));
  const symbol = mostNeeding(cross, (one) =>
    found === null ? maintenanceAt(one, one.mark) : found.of.move.maintenanceAt(one, found.factor),
  );
  const { positionId = null } = found?.of ?? {};
  return [{ cause: 'CROSS', symbol, positionId, distance: found?.distance ?? null }, ...isolated];
}

/**
 * Equity and holdings at the present marks. A venue's own figures may be seconds old if its stream does not send every
 * tick.
 */
export function atTheirMarks<
  Told extends RiskHolding & { readonly entryPrice: string; readonly unrealizedPnl: string },
>(equity: string, told: readonly Told[]): { readonly equity: string; readonly holdings: readonly Told[] } {
  let now = dec(equity);
  const holdings = told.map((one) => {
    const gain = dec(one.quantity).mul(dec(one.mark).minus(one.entryPrice)).minus(one.unrealizedPnl);
    now = now.plus(gain);
    return one.marginMode === 'isolated' ? { ...one, marginUsed: text(gain.plus(one.marginUsed)) } : one;
  });
  return { equity: text(now), holdings };
}

function heldOf(one: RiskHolding): Held {
  return {
    symbol: one.symbol,
    quantity: Number(one.quantity),
    mark: Number(one.mark),
    isolatedValue: one.marginMode === 'isolated' ? Number(one.marginUsed) : null,
    tiers: tiersOf(one.instrument).map(({ most, rate }, index, all) => ({
      most: most === null || index === all.length - 1 ? Number.POSITIVE_INFINITY : Number(most),
      rate: rate.toNumber(),
    })),
  };
}

function crossValueOf(equity: string, holdings: readonly RiskHolding[]): Decimal {
  const isolated = holdings.filter(({ marginMode }) => marginMode === 'isolated');
  return dec(equity).minus(sum(isolated.map(({ marginUsed }) => dec(marginUsed))));
}

function basketRisk({ positionId, legs }: RiskBasket, held: readonly Held[], crossValue: number): BasketRisk {
  const move = moveAgainst(legs, held, crossValue);
  const isolatedAt = (factor: number) => held.find((one) => move.isolatedIsDue(one, factor));
  const due = firstDue((factor) => isolatedAt(factor) !== undefined || move.crossIsDue(factor), LEAST);
  if (due === null) return { positionId, legMove: null, ratioMove: null, cause: null, firstSymbol: null };
  const isolated = isolatedAt(due);
  return {
    positionId,
    legMove: figures(due - 1),
    ratioMove: figures(ratioMoveAt(legs, due)),
    cause: isolated === undefined ? 'CROSS' : 'ISOLATED',
    firstSymbol:
      isolated?.symbol ??
      mostNeeding(
        held.filter(({ isolatedValue }) => isolatedValue === null),
        (one) => move.maintenanceAt(one, due),
      ),
  };
}

/** Cross position with the largest maintenance, which a venue closes first. */
function mostNeeding(cross: readonly Held[], needs: (one: Held) => number): string {
  return cross.reduce((most, one) => (needs(one) > needs(most) ? one : most)).symbol;
}

/** Liquidations due once these legs have moved against their basket by a factor, other prices unchanged. */
function moveAgainst(legs: RiskBasket['legs'], held: readonly Held[], crossValue: number) {
  const sides = new Map(legs.map(({ symbol, side }) => [symbol, side]));
  const markAt = ({ symbol, mark }: Held, factor: number) => {
    const side = sides.get(symbol);
    return side === undefined ? mark : side === 'BUY' ? mark * factor : mark / factor;
  };
  return {
    crossIsDue(factor: number): boolean {
      let value = crossValue;
      let maintenance = 0;
      for (const one of held) {
        if (one.isolatedValue !== null) continue;
        const mark = markAt(one, factor);
        value += one.quantity * (mark - one.mark);
        maintenance += maintenanceAt(one, mark);
      }
      return maintenance > 0 && value < maintenance;
    },
    isolatedIsDue(one: Held, factor: number): boolean {
      if (one.isolatedValue === null || !sides.has(one.symbol)) return false;
      const mark = markAt(one, factor);
      return one.isolatedValue + one.quantity * (mark - one.mark) < maintenanceAt(one, mark);
    },
    maintenanceAt: (one: Held, factor: number) => maintenanceAt(one, markAt(one, factor)),
  };
}

/** The first factor down from 1 at which something is due, as far as `least`; null: none. */
function firstDue(isDue: (factor: number) => boolean, least: number): number | null {
  if (isDue(1)) return 1;
  for (let safe = 1; safe > least; safe *= STEP) {
    // The last step ends at the lower bound of the search.
    let due = Math.max(safe * STEP, least);
    if (!isDue(due)) continue;
    for (let nth = 0, below = safe; nth < HALVINGS; nth += 1) {
      const middle = (below + due) / 2;
      if (isDue(middle)) due = middle;
      else below = middle;
    }
    return due;
  }
  return null;
}

/** Move of the price ratio of a basket with both sides, of the price of one with a single side, when each leg has moved by `factor`. */
function ratioMoveAt(legs: RiskBasket['legs'], factor: number): number {
  const has = (side: Side) => legs.some((leg) => leg.side === side);
  return (has('BUY') && has('SELL') ? factor * factor : has('BUY') ? factor : 1 / factor) - 1;
}

/** The factor at which the ratio, or the price of a single side, has moved by `distance` against the legs. */
function factorAt(legs: RiskBasket['legs'], distance: number): number {
  const has = (side: Side) => legs.some((leg) => leg.side === side);
  if (has('BUY') && has('SELL')) return Math.sqrt(1 - distance);
  return has('BUY') ? 1 - distance : 1 / (1 + distance);
}

function maintenanceAt({ quantity, tiers }: Held, mark: number): number {
  const notional = Math.abs(quantity) * mark;
  return notional * (tiers.find(({ most }) => notional <= most)?.rate ?? 0);
}

/** Maintenance margin of a position at its mark, USD. */
export function maintenanceNow({ quantity, mark, instrument }: RiskHolding): Decimal {
  const notional = dec(quantity).abs().mul(mark);
  return notional.mul(maintenanceRate(instrument ?? UNLISTED, notional));
}

function tiersOf(
  instrument: RiskHolding['instrument'],
): readonly { readonly most: string | null; readonly rate: Decimal }[] {
  const { leverageTiers: tiers } = instrument ?? UNLISTED;
  if (tiers.length === 0) return [{ most: null, rate: maintenanceRate(instrument ?? UNLISTED, dec(0)) }];
  return tiers.map(({ maxNotional, maintenanceRate }) => ({ most: maxNotional, rate: dec(maintenanceRate) }));
}
