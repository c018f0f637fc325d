/** Refusals of conditions and brackets that are to be watched. Paths are those of the request's fields. */
import { conditionMeasure, weightedLegs } from '../../../domain/condition.ts';
import { CONDITIONS, type Condition, measureOf, misfit } from '../../../domain/condition-table.ts';
import { dec, text } from '../../../domain/decimal.ts';
import { isBeyond, mayBeBeyond, measureValue } from '../../../domain/measure.ts';
import type { TradeAccount, TradeLeg } from '../../../domain/model.ts';
import type { WeightedLeg } from '../../../domain/power-measures.ts';
import { fail } from '../../../domain/result.ts';
import { openLedger } from '../../../domain/slicing.ts';
import type { Trigger } from '../../../domain/trigger.ts';
import type { EngineDeps } from '../../core/deps.ts';
import { type Checked, FINE, invalid, marketsUnknown } from '../../core/errors.ts';
import { marketFacts } from '../../core/market-facts.ts';
import { knowsMarkets, unknownSymbol } from '../../execution/check-symbols.ts';

type Deps = Pick<EngineDeps, 'market' | 'venues'>;

/** Refuses lasting mistakes: unknown instruments, legs that the condition does not fit. */
export function checkCondition(
  deps: Deps,
  account: TradeAccount,
  condition: Condition,
  legs: readonly Pick<WeightedLeg, 'symbol' | 'side'>[],
): Checked {
  const { names } = CONDITIONS[condition.type];
  if (names === 'instrument' && 'symbol' in condition && knowsMarkets(deps, account)) {
    if (deps.market.instrument(account.connector, condition.symbol) === undefined) {
      return unknownSymbol('condition.symbol', account.connector);
    }
  }
  const wrong = misfit(condition, legs);
  return wrong === null ? FINE : invalid(`condition.${wrong.field}`, wrong.message);
}

/** Refuses figures without feed (NOT_IMPLEMENTED_ERROR), unknown prediction markets, markets unknown yet. */
export function checkFeed(deps: Deps, account: TradeAccount, condition: Condition): Checked {
  const { connector } = account;
  const { feed } = CONDITIONS[condition.type];
  if (feed !== null) {
    const told = deps.market.feeds(connector).filter(({ prediction }) => prediction !== null);
    const measure = measureOf(condition, [], 'MARK');
    const isTold = measure?.kind === 'figure' && deps.market.feed(connector, measure.name) !== undefined;
    if (feed.choice !== null && !isTold && told.length > 0) {
      return invalid(feed.choice.path, `Not a ${feed.choice.name} of ${connector}`, 'unknown_market');
    }
    if (deps.venues.get(connector)?.info.capabilities.includes(feed.capability) !== true) {
      return fail({
        code: 'NOT_IMPLEMENTED_ERROR',
        message: `Connector ${connector} has no feed of ${feed.name}`,
        details: { path: 'condition.type' },
      });
    }
    if (feed.choice !== null && told.length === 0) return marketsUnknown();
  }
  return knowsMarkets(deps, account) ? FINE : marketsUnknown();
}

/** Refuses a condition that is met already. If its value is unknown, the condition counts as not met. */
export function checkNotMet(
  deps: Deps,
  condition: Condition,
  of: Pick<Trigger, 'connector' | 'legs' | 'weights' | 'priceSource'>,
): Checked {
  const measure = conditionMeasure(condition, weightedLegs(of.legs, of.weights), of.priceSource);
  if (!measure.ok) return FINE;
  const facts = marketFacts(deps.market, of.connector);
  const { direction, value: level } = condition;
  if (!mayBeBeyond(measure.value, direction, level, facts)) return FINE;
  if (isBeyond(measure.value, direction, level, facts) !== true) return FINE;
  const value = measureValue(measure.value, facts);
  const message = `The condition is met already: the value is ${value}`;
  return invalid('condition.value', message, 'already_met');
}

export function checkExpiry(deps: Pick<EngineDeps, 'clock'>, expiresAt: number | null): Checked {
  if (expiresAt === null || expiresAt > deps.clock.now()) return FINE;
  return invalid('expiresAt', 'Must be later than now', 'expired');
}

/**
 * Refuses USD legs below the venue's minimum order. Legs in base units pass: they may be worth more when the trigger
 * fires.
 */
export function checkMinimum(
  deps: Deps,
  connector: string,
  legs: readonly TradeLeg[],
  totalUsd: string | null,
): Checked {
  for (const [index, leg] of openLedger(legs, totalUsd, () => '0').entries()) {
    const minimum = deps.market.instrument(connector, leg.symbol)?.minNotional;
    if (minimum === undefined || leg.unit === 'BASE' || dec(leg.total).gte(minimum)) continue;
    return invalid(
      `legs.${index}.amount`,
      `${text(dec(leg.total))} USD is below the venue's minimum of ${minimum} USD`,
      'too_small',
    );
  }
  return FINE;
}
