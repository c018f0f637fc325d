/**
 * Trades that bring a position back to its weights. With n = a leg's notional at mark, G = Σ n, w = its target weight:
 *
 *   current weight = n ÷ G,  drift = largest |current − target|,  delta = w × G − n (USD; + adds to the leg, − takes out)
 *
 *   TARGET_WEIGHTS   w as the position was opened and adjusted with
 *   LIVE_BETA        short notional ÷ long notional = β:  w_long = 1 ÷ (1 + β),  w_short = β ÷ (1 + β)
 *
 * Deltas sum to 0: the gross notional stays. Above `maxTradeUsd` all deltas are scaled by maxTradeUsd ÷ Σ|delta|.
 * Quantities are rounded down to the step; a leg that cannot be traded is skipped with its reason. The others are
 * traded if the net exposure of a basket with both sides does not end further from its target, Σ ± w × G, than before.
 */
import { type Decimal, dec, floorTo, ONE, sum, text, textRounded, ZERO } from './decimal.ts';
import type { Instrument, PositionLeg, Side } from './model.ts';
import { otherSide } from './position.ts';
import { onlyLeg } from './power-measures.ts';
import { fail, ok, type Result } from './result.ts';

export type RebalanceSkip =
  | 'WITHIN_DRIFT'
  | 'PRICE_STALE'
  | 'NOT_TRADABLE'
  | 'REDUCE_ONLY'
  /** The cap (`maxTradeUsd`) leaves a delta that is too small to trade. */
  | 'MAX_TRADE'
  | 'ZERO_QUANTITY'
  | 'MIN_NOTIONAL'
  /** Without the skipped legs this trade would move the net exposure away from its target. */
  | 'NET_EXPOSURE';

export interface RebalanceLeg extends Pick<PositionLeg, 'symbol' | 'side' | 'quantity' | 'targetWeight'> {
  /** Mark price, USD; a stale price still values the leg. */
  readonly mark: string;
  readonly stale: boolean;
  readonly instrument: Pick<
    Instrument,
    'symbol' | 'stepSize' | 'minQuantity' | 'minNotional' | 'tradeability'
  >;
}

export interface RebalanceRow {
  readonly symbol: string;
  readonly ticker: string;
  /** The leg's side. */
  readonly side: Side;
  readonly currentWeight: string;
  readonly targetWeight: string;
  /** Trade in USD after the cap; + adds to the leg, − takes out. */
  readonly deltaUsd: string;
  /** `deltaUsd` in base units, rounded towards zero to the step; '0' where skipped. */
  readonly deltaQuantity: string;
  readonly skipped: boolean;
  readonly skipReason: RebalanceSkip | null;
}

export interface RebalancePlan {
  /** Largest distance of a leg's weight from its target, fraction. */
  readonly drift: string;
  readonly rows: readonly RebalanceRow[];
}

export interface RebalanceOrder {
  readonly symbol: string;
  readonly side: Side;
  readonly quantity: string;
  /** True: the order takes out of a leg. */
  readonly reduces: boolean;
}

/**
 * @param minimumDrift fraction; below it every leg is skipped WITHIN_DRIFT. '0': any drift is traded
 * @param maxTradeUsd null: no cap
 */
export function planRebalance(
  legs: readonly RebalanceLeg[],
  minimumDrift: string,
  maxTradeUsd: string | null,
): RebalancePlan {
  const notionals = legs.map((leg) => dec(leg.quantity).mul(leg.mark));
  const gross = sum(notionals);
  const measured = legs.map((leg, index) => {
    const notional = notionals[index] ?? ZERO;
    const weight = gross.isZero() ? ZERO : notional.div(gross);
    return {
      leg,
      weight,
      delta: dec(leg.targetWeight).mul(gross).minus(notional),
      distance: weight.minus(leg.targetWeight).abs(),
    };
  });
  const drift = measured.reduce((most, { distance }) => (distance.gt(most) ? distance : most), ZERO);
  const turnover = sum(measured.map(({ delta }) => delta.abs()));
  const scale = maxTradeUsd !== null && turnover.gt(maxTradeUsd) ? dec(maxTradeUsd).div(turnover) : ONE;
  const withinDrift = drift.isZero() || drift.lt(minimumDrift);
  const trades = measured.map((one) => {
    const capped = one.delta.mul(scale);
    const skipReason = withinDrift ? 'WITHIN_DRIFT' : skipReasonOf(one.leg, one.delta, capped);
    const quantity = skipReason === null ? quantityOf(one.leg, capped) : ZERO;
    return { ...one, capped, quantity, skipReason };
  });
  const isUnhedging = worsensNetExposure(trades);
  return {
    drift: textRounded(drift, 18),
    rows: trades.map(({ leg, weight, capped, quantity, skipReason: ownReason }) => {
      const skipReason = ownReason ?? (isUnhedging ? 'NET_EXPOSURE' : null);
      return {
        symbol: leg.symbol,
        ticker: leg.instrument.symbol,
        side: leg.side,
        currentWeight: textRounded(weight, 18),
        targetWeight: leg.targetWeight,
        deltaUsd: textRounded(capped, 12),
        deltaQuantity: skipReason === null ? text(quantity) : '0',
        skipped: skipReason !== null,
        skipReason,
      };
    }),
  };
}

/**
 * True: the trades of a hedged basket leave the net exposure (USD, signed) further from its target by a quantity step of each traded leg or
 * more. By less than that, rounding down to steps leaves any rebalance.
 */
function worsensNetExposure(
  trades: readonly { readonly leg: RebalanceLeg; readonly delta: Decimal; readonly quantity: Decimal }[],
): boolean {
  // A basket of one side has no hedge to lose.
  if (new Set(trades.map(({ leg }) => leg.side)).size < 2) return false;
  const net = (of: (trade: (typeof trades)[number]) => Decimal) =>
    sum(trades.map((trade) => (trade.leg.side === 'BUY' ? of(trade) : of(trade).neg())));
  const missing = net(({ delta }) => delta);
  const missingAfter = missing.minus(net(({ leg, quantity }) => quantity.mul(leg.mark)));
  const traded = trades.filter(({ quantity }) => !quantity.isZero());
  const rounding = sum(traded.map(({ leg }) => dec(leg.instrument.stepSize).mul(leg.mark)));
  return traded.length > 0 && missingAfter.abs().gte(missing.abs().plus(rounding));
}

/** Orders of the rows that are not skipped: reductions first, because they free the margin that the others need. */
export function rebalanceOrders(rows: readonly RebalanceRow[]): readonly RebalanceOrder[] {
  const orders = rows
    .filter(({ skipped }) => !skipped)
    .map((row) => {
      const delta = dec(row.deltaQuantity);
      const reduces = delta.isNegative();
      const side = reduces ? otherSide(row.side) : row.side;
      return { symbol: row.symbol, side, quantity: text(delta.abs()), reduces };
    });
  return [...orders.filter(({ reduces }) => reduces), ...orders.filter(({ reduces }) => !reduces)];
}

/** The pair that LIVE_BETA needs: exactly one long and one short leg with a quantity. */
export function liveBetaPair<Leg extends Pick<PositionLeg, 'side' | 'quantity'>>(
  legs: readonly Leg[],
): Result<{ readonly long: Leg; readonly short: Leg }, { readonly kind: 'invalid_live_beta_exposure' }> {
  const open = legs.filter((leg) => !dec(leg.quantity).isZero());
  const long = onlyLeg(open, 'BUY');
  const short = onlyLeg(open, 'SELL');
  if (long === undefined || short === undefined) return fail({ kind: 'invalid_live_beta_exposure' });
  return ok({ long, short });
}

/** Target weights of a pair for β > 0; they sum to exactly 1. */
export function betaWeights(beta: string): { readonly long: string; readonly short: string } {
  const long = textRounded(ONE.div(ONE.plus(beta)), 18);
  return { long, short: text(ONE.minus(long)) };
}

function quantityOf(leg: RebalanceLeg, delta: Decimal): Decimal {
  const step = dec(leg.instrument.stepSize);
  const mark = dec(leg.mark);
  if (mark.isZero()) return ZERO;
  const size = floorTo(delta.abs().div(mark), step);
  // A reduction is at most the leg's quantity, so it never turns a long into a short.
  if (delta.isNegative()) return (size.gt(leg.quantity) ? dec(leg.quantity) : size).neg();
  return size;
}

function skipReasonOf(leg: RebalanceLeg, delta: Decimal, capped: Decimal): RebalanceSkip | null {
  const { status } = leg.instrument.tradeability;
  if (leg.stale || dec(leg.mark).isZero()) return 'PRICE_STALE';
  if (status === 'not_tradable') return 'NOT_TRADABLE';
  if (status === 'reduce_only' && delta.gt(0)) return 'REDUCE_ONLY';
  const reason = tooSmall(leg, capped);
  if (reason === null) return null;
  return tooSmall(leg, delta) === null ? 'MAX_TRADE' : reason;
}

function tooSmall(leg: RebalanceLeg, delta: Decimal): 'ZERO_QUANTITY' | 'MIN_NOTIONAL' | null {
  const quantity = quantityOf(leg, delta);
  // Less than the venue trades at all.
  if (quantity.abs().lt(leg.instrument.minQuantity)) return 'ZERO_QUANTITY';
  // The minimum counts for reductions too: whether one is sent reduce-only, and so free of the minimum, depends on the
  // venue's net position.
  return quantity.abs().mul(leg.mark).lt(leg.instrument.minNotional) ? 'MIN_NOTIONAL' : null;
}
