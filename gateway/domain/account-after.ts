/**
 * An account as it would be after planned orders, by the rules of its positions and its risk (`account-risk.ts`,
 * `liquidation-price.ts`). An order counts as filled whole, at its expected price.
 *
 *   equity after       = equity + Σ signed quantity × (mark − price) − fees
 *   margin of a leg    cross: notional at mark ÷ effective leverage; isolated: its own margin, profit and loss included
 *   free margin after  = free margin + change of equity − change of margin
 */
import { accountRisk, type BasketRisk, maintenanceNow, type RiskHolding } from './account-risk.ts';
import { type Decimal, dec, sum, textRounded, ZERO } from './decimal.ts';
import { liquidationPrice } from './liquidation-price.ts';
import { effectiveLeverage, maintenanceRate } from './margin.ts';
import type { Instrument, MarginMode, Side } from './model.ts';

/** USD, as the venue reports them. */
export interface AccountNow {
  readonly equity: string;
  readonly marginUsed: string;
  readonly freeMargin: string;
}

/** A net position of the account, with the leverage by which its venue margins it. */
export interface HeldNow extends RiskHolding {
  readonly leverage: number;
}

export interface PlannedTrade {
  readonly symbol: string;
  readonly side: Side;
  /** Base units. */
  readonly quantity: string;
  /** Expected fill price. */
  readonly price: string;
  readonly mark: string;
  /** Fraction of the traded notional. */
  readonly feeRate: string;
  /** Leverage setting, for a leg without a position: a position keeps its own. The resulting tier may allow less. */
  readonly leverage: number;
  /** As `leverage`. */
  readonly marginMode: MarginMode;
  readonly instrument: Instrument;
}

export interface LegAfter {
  readonly symbol: string;
  /** Signed base units of the account's net position at the venue. */
  readonly quantity: string;
  readonly liquidationPrice: string | null;
  /** Reason for a missing price; null: there is one. */
  readonly reason: 'NOTHING_HELD' | 'NONE_ABOVE_ZERO' | 'TIERS_UNKNOWN' | null;
}

export interface AccountAfter {
  readonly equity: string;
  readonly marginUsed: string;
  readonly freeMargin: string;
  readonly crossValue: string;
  readonly maintenanceMargin: string;
  readonly marginRatio: string | null;
  /** Nearest liquidation of the resulting basket; null: none of it is open. */
  readonly basket: Omit<BasketRisk, 'positionId'> | null;
  readonly legs: readonly LegAfter[];
  /** Instruments held whose maintenance tiers are not known: figures that need them are null. */
  readonly unknownTiers: readonly string[];
}

interface Held {
  readonly holding: HeldNow;
  readonly quantity: Decimal;
  /** Margin that the venue sets aside for it, USD; for an isolated one its value. */
  readonly margin: Decimal;
}

const PLACES = 12;

/**
 * @param holdings the account's net positions at the venue, `marginUsed` of cross ones too
 * @param basket open legs of the basket that results
 * @param trades in the order in which they go
 */
export function accountAfter(
  now: AccountNow,
  holdings: readonly HeldNow[],
  trades: readonly PlannedTrade[],
  basket: readonly { readonly symbol: string; readonly side: Side }[],
): AccountAfter {
  const held = new Map(
    holdings.map((holding): [string, Held] => [
      holding.symbol,
      { holding, quantity: dec(holding.quantity), margin: dec(holding.marginUsed) },
    ]),
  );
  let equity = dec(now.equity);
  let used = dec(now.marginUsed);
  for (const trade of trades) {
    const before = held.get(trade.symbol);
    const after = afterTrade(before, trade);
    const signed = signedOf(trade);
    equity = equity
      .plus(signed.mul(dec(trade.mark).minus(trade.price)))
      .minus(dec(trade.quantity).mul(trade.price).mul(trade.feeRate));
    used = used.plus(after.margin).minus(before?.margin ?? ZERO);
    held.set(trade.symbol, after);
  }
  const all = [...held.values()]
    .filter(({ quantity }) => !quantity.isZero())
    .map(
      ({ holding, quantity, margin }): RiskHolding => ({
        ...holding,
        quantity: quantity.toFixed(),
        marginUsed: margin.toFixed(),
      }),
    );
  const unknownTiers = all.filter((one) => !hasTiers(one)).map(({ symbol }) => symbol);
  const risk = accountRisk(equity.toFixed(), all, [{ positionId: '', legs: basket }]);
  const knowsCross = all.every((one) => one.marginMode === 'isolated' || hasTiers(one));
  const [{ positionId: _, ...distance } = NO_DISTANCE] = risk.baskets;
  const free = freeOf(now).plus(equity.minus(now.equity)).minus(used.minus(now.marginUsed));
  return {
    equity: textRounded(equity, PLACES),
    marginUsed: textRounded(used, PLACES),
    freeMargin: textRounded(free.isNegative() ? ZERO : free, PLACES),
    crossValue: risk.crossValue,
    maintenanceMargin: risk.maintenance,
    marginRatio: knowsCross ? risk.marginRatio : null,
    basket: basket.length === 0 || unknownTiers.length > 0 ? null : distance,
    legs: [...new Set(trades.map(({ symbol }) => symbol))].map((symbol) =>
      legAfter(symbol, all, dec(risk.crossValue), knowsCross),
    ),
    unknownTiers,
  };
}

const NO_DISTANCE: BasketRisk = {
  positionId: '',
  legMove: null,
  ratioMove: null,
  cause: null,
  firstSymbol: null,
};

function signedOf({ side, quantity }: PlannedTrade): Decimal {
  return side === 'BUY' ? dec(quantity) : dec(quantity).neg();
}

/** Venues report no free margin below 0. The shortfall is then the difference of equity and margin in use. */
function freeOf({ equity, marginUsed, freeMargin }: AccountNow): Decimal {
  const free = dec(freeMargin);
  const between = dec(equity).minus(marginUsed);
  return free.isZero() && between.isNegative() ? between : free;
}

function afterTrade(before: Held | undefined, trade: PlannedTrade): Held {
  const { symbol, mark, instrument } = trade;
  const net = before?.quantity ?? ZERO;
  const signed = signedOf(trade);
  const quantity = net.plus(signed);
  // A venue keeps both settings by instrument, after a close too.
  const { marginMode, leverage } = before?.holding ?? trade;
  const holding: HeldNow = {
    symbol,
    quantity: quantity.toFixed(),
    mark,
    marginMode,
    leverage,
    marginUsed: '0',
    instrument,
  };
  const notional = quantity.abs().mul(mark);
  // Above the last tier nothing can be opened: an existing position may only have grown into it.
  const effective = effectiveLeverage(instrument, leverage, notional) ?? 1;
  if (marginMode !== 'isolated') return { holding, quantity, margin: notional.div(effective) };
  const gain = dec(mark).minus(trade.price);
  const opened = (part: Decimal) => part.abs().mul(trade.price).div(effective).plus(part.mul(gain));
  const own = before?.margin ?? ZERO;
  if (net.isZero() || net.isPositive() === signed.isPositive())
    return { holding, quantity, margin: own.plus(opened(signed)) };
  if (signed.abs().lt(net.abs()))
    return { holding, quantity, margin: own.mul(quantity.abs()).div(net.abs()) };
  return { holding, quantity, margin: quantity.isZero() ? ZERO : opened(quantity) };
}

function hasTiers({ instrument }: RiskHolding): boolean {
  return (instrument?.leverageTiers.length ?? 0) > 0;
}

function legAfter(
  symbol: string,
  holdings: readonly RiskHolding[],
  crossValue: Decimal,
  knowsCross: boolean,
): LegAfter {
  const own = holdings.find((one) => one.symbol === symbol);
  if (own?.instrument === undefined)
    return { symbol, quantity: '0', liquidationPrice: null, reason: 'NOTHING_HELD' };
  const { quantity, mark, marginMode, marginUsed, instrument } = own;
  const isIsolated = marginMode === 'isolated';
  if (!(isIsolated ? hasTiers(own) : knowsCross))
    return { symbol, quantity, liquidationPrice: null, reason: 'TIERS_UNKNOWN' };
  const others = holdings.filter((one) => one.marginMode !== 'isolated' && one.symbol !== symbol);
  const price = liquidationPrice({
    quantity: dec(quantity),
    mark: dec(mark),
    rate: maintenanceRate(instrument, dec(quantity).abs().mul(mark)),
    backing: isIsolated ? dec(marginUsed) : crossValue.minus(sum(others.map(maintenanceNow))),
  });
  return price === null
    ? { symbol, quantity, liquidationPrice: null, reason: 'NONE_ABOVE_ZERO' }
    : { symbol, quantity, liquidationPrice: textRounded(price, PLACES), reason: null };
}
