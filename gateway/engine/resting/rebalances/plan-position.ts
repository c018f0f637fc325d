/**
 * Current rebalance plan of a position, from its weights and mark prices, the mode's target weights and the domain's
 * rules.
 */
import type { AutoRebalance, RebalanceMode, RebalanceTimeframe } from '../../../domain/auto-rebalance.ts';
import { type DecimalString, dec, sum } from '../../../domain/decimal.ts';
import { type BetaProblem, betaOfReturns } from '../../../domain/live-beta.ts';
import type { Position, TradeLeg } from '../../../domain/model.ts';
import type { Protection } from '../../../domain/protection.ts';
import {
  betaWeights,
  liveBetaPair,
  planRebalance,
  type RebalanceLeg,
  type RebalancePlan,
  rebalanceOrders,
} from '../../../domain/rebalance.ts';
import { fail, ok, type Result } from '../../../domain/result.ts';
import type { EngineDeps } from '../../core/deps.ts';
import { type EngineError, invalid, marketsUnknown } from '../../core/errors.ts';
import { protectionAfter, withAdded, withoutClosed } from '../../execution/protection-after.ts';
import type { Pair, PairCloses } from './pair-closes.ts';

/** null: as in the position's configuration; without a configuration TARGET_WEIGHTS, 1h and no maximum. */
export interface RebalanceRequest {
  readonly mode: RebalanceMode | null;
  readonly timeframe: RebalanceTimeframe | null;
  readonly maxTradeUsd: DecimalString | null;
}

export interface PlannedRebalance {
  readonly positionId: string;
  readonly mode: RebalanceMode;
  /** Beta of the pair; null with TARGET_WEIGHTS. */
  readonly beta: DecimalString | null;
  readonly plan: RebalancePlan;
}

export interface ShownRebalance extends PlannedRebalance {
  /** Protection of the position after the plan. */
  readonly protection: readonly Protection[];
}

export interface RebalanceTarget extends Pick<AutoRebalance, 'mode' | 'minimumDrift' | 'maxTradeUsd'> {
  readonly timeframe: RebalanceTimeframe;
}

type PlanDeps = Pick<EngineDeps, 'market' | 'warden'> & { readonly closes: Pick<PairCloses, 'returns'> };

/** LIVE_BETA needs loaded closes. AUTO_REBALANCE_INVALID_LIVE_BETA_EXPOSURE, CONFIGURATION_ERROR, VALIDATION_ERROR. */
export function planPosition(
  deps: PlanDeps,
  position: Position,
  target: RebalanceTarget,
): Result<PlannedRebalance, EngineError> {
  const targets = targetsOf(deps, position, target);
  if (!targets.ok) return targets;
  const legs: RebalanceLeg[] = [];
  for (const leg of position.legs) {
    const instrument = deps.market.instrument(position.connector, leg.symbol);
    const mark = deps.market.quote(position.connector, leg.symbol)?.mark;
    if (instrument === undefined || mark === undefined) return marketsUnknown();
    legs.push({
      symbol: leg.symbol,
      side: leg.side,
      // Target weights leave out trades of guests, so quantities must too.
      quantity: deps.warden.shares.withoutGuests(position, leg),
      targetWeight: targets.value.weights.get(leg.symbol) ?? '0',
      mark,
      stale: deps.market.isStale(position.connector, leg.symbol),
      instrument,
    });
  }
  return ok({
    positionId: position.id,
    mode: target.mode,
    beta: targets.value.beta,
    plan: planRebalance(legs, target.minimumDrift, target.maxTradeUsd),
  });
}

/** Legs in base units, so that exactly the planned quantities are sent; empty if every leg is skipped. */
export function rebalanceLegs(plan: RebalancePlan): readonly TradeLeg[] {
  return rebalanceOrders(plan.rows).map(({ symbol, side, quantity }) => ({
    symbol,
    side,
    mode: 'BASE',
    amount: quantity,
  }));
}

/** Reasons why a plan trades no leg, for a sentence. */
export function skipReasons({ rows }: RebalancePlan): string {
  return [...new Set(rows.flatMap(({ skipReason }) => skipReason ?? []))].join(', ');
}

/** Protection of the position after the plan's fills at the marks. */
export function protectionOfRebalance(
  deps: Pick<EngineDeps, 'market' | 'state'>,
  position: Position,
  plan: RebalancePlan,
): readonly Protection[] {
  const { connector } = position;
  const orders = rebalanceOrders(plan.rows);
  const legs = withoutClosed(
    position,
    orders.filter(({ reduces }) => reduces),
  );
  const held = { id: position.id, legs };
  const after = withAdded(
    deps,
    connector,
    held,
    orders.filter(({ reduces }) => !reduces),
  );
  return protectionAfter(deps, connector, position, after);
}

/** The instrument pair for which `planPosition` computes a beta; null: the legs are not one long and one short. */
export function pairOf(position: Pick<Position, 'legs'>): Pair | null {
  const pair = liveBetaPair(position.legs);
  return pair.ok ? { long: pair.value.long.symbol, short: pair.value.short.symbol } : null;
}

/** LIVE_BETA needs one long and one short leg. Also checked when a configuration is set. */
export function checkExposure(mode: RebalanceMode, position: Position): Result<null, EngineError> {
  return mode !== 'LIVE_BETA' || liveBetaPair(position.legs).ok ? ok(null) : noPair();
}

function noPair() {
  return fail<EngineError>({
    code: 'AUTO_REBALANCE_INVALID_LIVE_BETA_EXPOSURE',
    message: 'LIVE_BETA needs exactly one long and one short leg with a quantity',
    details: {},
  });
}

interface Targets {
  /** Target weights by instrument; they sum to 1. */
  readonly weights: ReadonlyMap<string, string>;
  readonly beta: string | null;
}

function targetsOf(
  deps: PlanDeps,
  position: Position,
  { mode, timeframe }: RebalanceTarget,
): Result<Targets, EngineError> {
  if (mode === 'TARGET_WEIGHTS') {
    const weights = new Map(position.legs.map((leg) => [leg.symbol, leg.targetWeight]));
    // A basket opened outside Tandem has no target weights. Trading towards weights of 0 would close it, so it is
    // refused.
    if (sum([...weights.values()].map(dec)).isZero()) {
      return invalid('mode', 'The position has no target weights');
    }
    return ok({ weights, beta: null });
  }
  const pair = liveBetaPair(position.legs);
  if (!pair.ok) return noPair();
  const { long, short } = pair.value;
  const symbols = { long: long.symbol, short: short.symbol };
  const beta = betaOfReturns(deps.closes.returns(position.connector, timeframe, symbols));
  if (!beta.ok) return fail(noBeta(beta.error));
  const weights = betaWeights(beta.value);
  return ok({
    weights: new Map([
      [long.symbol, weights.long],
      [short.symbol, weights.short],
    ]),
    beta: beta.value,
  });
}

function noBeta(problem: BetaProblem): EngineError {
  const reasons = {
    too_few_returns: 'Not enough candles have been seen yet to compute a beta',
    no_variance: 'The short leg did not move, so there is no beta',
    not_positive: 'The legs moved against each other, so no short position hedges the long one',
  } as const;
  return {
    code: 'CONFIGURATION_ERROR',
    message: reasons[problem.kind],
    details: { reason: problem.kind, ...('returns' in problem ? { returns: problem.returns } : {}) },
  };
}
