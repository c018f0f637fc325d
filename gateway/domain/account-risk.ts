/**
 * Distance of an account from liquidation, by the rule that venues of perpetuals state:
 *
 *   cross value        = equity − Σ value of the isolated positions
 *   maintenance        = |quantity| × mark × maintenance rate of the tier that holds that notional
 *   cross positions    are liquidated when cross value < Σ maintenance of theirs
 *   an isolated one    is liquidated when its margin, profit and loss included, is below its own maintenance
 *
 * The distance of a basket is a simulation: its long legs fall and its short legs rise by the same factor, every other
 * price stays, and the first factor at which something of that account is due is looked for. Distances are statistics, not
 * money, so they are searched with floating-point numbers; the value and the maintenance of now are money.
 */
import { type Decimal, dec, sum, textRounded } from './decimal.ts';
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
/** Of USD that a division has made. */
const PLACES = 12;
/** Stands for an instrument that the venue does not list any more. */
const UNLISTED = { leverageTiers: [], maxLeverage: 1 };

/** `crossValue`, `maintenance`: USD of now. `marginRatio`: one ÷ the other; null: nothing is held, or nothing backs it. */
export function accountRisk(
  equity: string,
  holdings: readonly RiskHolding[],
  baskets: readonly RiskBasket[],
) {
  const held = holdings.map(
    (one): Held => ({
      symbol: one.symbol,
      quantity: Number(one.quantity),
      mark: Number(one.mark),
      isolatedValue: one.marginMode === 'isolated' ? Number(one.marginUsed) : null,
      tiers: tiersOf(one.instrument).map(({ most, rate }, index, all) => ({
        most: most === null || index === all.length - 1 ? Number.POSITIVE_INFINITY : Number(most),
        rate: rate.toNumber(),
      })),
    }),
  );
  const isolated = sum(
    holdings.filter(({ marginMode }) => marginMode === 'isolated').map(({ marginUsed }) => dec(marginUsed)),
  );
  const crossValue = dec(equity).minus(isolated);
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

function basketRisk({ positionId, legs }: RiskBasket, held: readonly Held[], crossValue: number): BasketRisk {
  const sides = new Map(legs.map(({ symbol, side }) => [symbol, side]));
  const dueAt = (factor: number): BasketRisk['cause'] => {
    let value = crossValue;
    let maintenance = 0;
    for (const one of held) {
      const side = sides.get(one.symbol);
      const mark = side === undefined ? one.mark : side === 'BUY' ? one.mark * factor : one.mark / factor;
      const gain = one.quantity * (mark - one.mark);
      if (one.isolatedValue === null) {
        value += gain;
        maintenance += maintenanceAt(one, mark);
      } else if (side !== undefined && one.isolatedValue + gain < maintenanceAt(one, mark)) return 'ISOLATED';
    }
    return maintenance > 0 && value < maintenance ? 'CROSS' : null;
  };
  let safe = 1;
  if (dueAt(safe) !== null) return moveOf(positionId, legs, 1, dueAt(1));
  for (let factor = STEP; factor >= LEAST; factor *= STEP) {
    if (dueAt(factor) === null) {
      safe = factor;
      continue;
    }
    let due = factor;
    for (let nth = 0; nth < HALVINGS; nth += 1) {
      const middle = (safe + due) / 2;
      if (dueAt(middle) === null) safe = middle;
      else due = middle;
    }
    return moveOf(positionId, legs, due, dueAt(due));
  }
  return { positionId, legMove: null, ratioMove: null, cause: null };
}

function moveOf(
  positionId: string,
  legs: RiskBasket['legs'],
  factor: number,
  cause: BasketRisk['cause'],
): BasketRisk {
  const has = (side: Side) => legs.some((leg) => leg.side === side);
  const ratio = has('BUY') && has('SELL') ? factor * factor : has('BUY') ? factor : 1 / factor;
  return { positionId, legMove: figures(factor - 1), ratioMove: figures(ratio - 1), cause };
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
