/**
 * Margin of a paper account at current marks.
 *
 * initial margin = |q| × mark / min(setting, leverage of the tier that holds the notional)
 * maintenance    = |q| × mark × maintenance rate of that tier
 * cross value    = balance − Σ isolated margins + Σ unrealised of cross positions
 * free margin    = cross value − Σ initial margin of cross positions − margin that working orders may come to need
 */
import { Decimal, dec, ZERO } from '../../../domain/decimal.ts';
import { liquidationPrice } from '../../../domain/liquidation-price.ts';
import { defaultLeverage, effectiveLeverage, maintenanceRate } from '../../../domain/margin.ts';
import type { Instrument } from '../../../domain/model.ts';
import type { PlaceOrder } from '../../../engine/ports/venue.ts';
import { balanceOf, type PaperAccount, type PaperLeverage, type PaperPosition } from './account-state.ts';
import { initialMargin } from './position-fold.ts';

export interface MarginMarket {
  instrument(id: string): Instrument | undefined;
  mark(id: string): Decimal | undefined;
}

export interface AccountMargin {
  readonly balance: Decimal;
  readonly unrealized: Decimal;
  readonly crossValue: Decimal;
  readonly crossMaintenance: Decimal;
  /** Free margin; negative after an adverse move. */
  readonly free: Decimal;
}

/** Assumed change of an account, to tell whether margin would suffice if an order were accepted. */
export interface Hypothesis {
  readonly symbol: string;
  readonly position: PaperPosition | null;
  readonly realized: Decimal;
  readonly fee: Decimal;
  readonly resting: Pick<PlaceOrder, 'side' | 'quantity' | 'limitPrice'> | null;
}

export function leverageOf(account: PaperAccount, instrument: Instrument): PaperLeverage {
  return (
    account.leverage.get(instrument.id) ?? { leverage: defaultLeverage(instrument), marginMode: 'cross' }
  );
}

export function unrealizedOf(position: PaperPosition, mark: Decimal): Decimal {
  return position.quantity.mul(mark).minus(position.cost);
}

/**
 * Above the last tier the maximum leverage is 1. Such a position cannot be opened; a smaller one can only grow into
 * it.
 */
export function initialMarginOf(instrument: Instrument, setting: number, notional: Decimal): Decimal {
  return initialMargin(notional, effectiveLeverage(instrument, setting, notional) ?? 1);
}

export function maintenanceOf(instrument: Instrument, notional: Decimal): Decimal {
  return notional.mul(maintenanceRate(instrument, notional));
}

export function accountMargin(
  account: PaperAccount,
  market: MarginMarket,
  hypothesis?: Hypothesis,
): AccountMargin {
  let balance = balanceOf(account);
  if (hypothesis !== undefined) balance = balance.plus(hypothesis.realized).minus(hypothesis.fee);
  let unrealized = ZERO;
  let crossValue = balance;
  let crossMaintenance = ZERO;
  let used = ZERO;
  const positionOf = (symbol: string) =>
    hypothesis?.symbol === symbol ? (hypothesis.position ?? undefined) : account.positions.get(symbol);

  const symbols = new Set(account.positions.keys());
  for (const record of account.working.values()) symbols.add(record.order.symbol);
  if (hypothesis !== undefined) symbols.add(hypothesis.symbol);
  for (const symbol of symbols) {
    const instrument = market.instrument(symbol);
    const mark = market.mark(symbol);
    if (instrument === undefined || mark === undefined) continue;
    const position = positionOf(symbol);
    const { leverage } = leverageOf(account, instrument);
    const held = position?.quantity ?? ZERO;
    const notional = held.abs().mul(mark);
    if (position !== undefined) {
      const profit = unrealizedOf(position, mark);
      unrealized = unrealized.plus(profit);
      if (position.isolatedMargin === null) {
        crossValue = crossValue.plus(profit);
        crossMaintenance = crossMaintenance.plus(maintenanceOf(instrument, notional));
        used = used.plus(initialMarginOf(instrument, leverage, notional));
      } else {
        crossValue = crossValue.minus(position.isolatedMargin);
      }
    }
    const worst = worstExposure(account, symbol, held, mark, hypothesis);
    if (worst.gt(notional)) {
      used = used
        .plus(initialMarginOf(instrument, leverage, worst))
        .minus(initialMarginOf(instrument, leverage, notional));
    }
  }
  return { balance, unrealized, crossValue, crossMaintenance, free: crossValue.minus(used) };
}

/** Largest notional that the position can grow to if every working order of one side fills at its limit. */
function worstExposure(
  account: PaperAccount,
  symbol: string,
  held: Decimal,
  mark: Decimal,
  hypothesis: Hypothesis | undefined,
): Decimal {
  let long = held.mul(mark);
  let short = long.neg();
  const add = (order: Pick<PlaceOrder, 'side' | 'limitPrice'>, open: Decimal) => {
    const notional = open.mul(order.limitPrice);
    if (order.side === 'BUY') long = long.plus(notional);
    else short = short.plus(notional);
  };
  for (const { order, filled } of account.working.values()) {
    if (order.symbol === symbol && !order.reduceOnly) add(order, dec(order.quantity).minus(filled));
  }
  if (hypothesis?.symbol === symbol && hypothesis.resting !== null) {
    add(hypothesis.resting, dec(hypothesis.resting.quantity));
  }
  return Decimal.max(long, short);
}

/** Price at which the venue liquidates the position, all other marks unchanged; null: no such price is above 0. */
export function liquidationPriceOf(
  position: PaperPosition,
  instrument: Instrument,
  mark: Decimal,
  margin: AccountMargin,
): Decimal | null {
  const { quantity, isolatedMargin } = position;
  const notional = quantity.abs().mul(mark);
  const rate = maintenanceRate(instrument, notional);
  const backing =
    isolatedMargin === null
      ? margin.crossValue.minus(margin.crossMaintenance.minus(maintenanceOf(instrument, notional)))
      : isolatedMargin.plus(unrealizedOf(position, mark));
  return liquidationPrice({ quantity, mark, rate, backing });
}
