/** Checks of conditions and brackets before they are watched. Paths are those of the request's fields. */
import { bracketMeasure, fireDirection, gainDirection } from '../../../domain/bracket.ts';
import { conditionMeasure, weightedLegs } from '../../../domain/condition.ts';
import { CONDITIONS, type Condition, measureOf, misfit } from '../../../domain/condition-table.ts';
import { dec, text } from '../../../domain/decimal.ts';
import {
  type Direction,
  isBeyond,
  isPast,
  type Measure,
  mayBeBeyond,
  measureValue,
} from '../../../domain/measure.ts';
import type { Position, TradeAccount, TradeLeg } from '../../../domain/model.ts';
import type { WeightedLeg } from '../../../domain/power-measures.ts';
import { fail } from '../../../domain/result.ts';
import { openLedger } from '../../../domain/slicing.ts';
import {
  isDefined,
  neededHours,
  ratioLevel,
  type TransformTerms,
  transformed,
  transformTerms,
  type WindowFigures,
} from '../../../domain/transform.ts';
import type { Bracket, BracketKind, Trigger } from '../../../domain/trigger.ts';
import type { EngineDeps } from '../../core/deps.ts';
import { type Checked, FINE, invalid, marketsUnknown } from '../../core/errors.ts';
import { marketFacts } from '../../core/market-facts.ts';
import { knowsMarkets, unknownSymbol } from '../../execution/check-symbols.ts';
import type { RatioWindows } from './ratio-windows.ts';

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
      return unknownSymbol(deps, account.connector, 'condition.symbol', condition.symbol);
    }
  }
  const wrong = misfit(condition, legs);
  return wrong === null ? FINE : invalid(`condition.${wrong.field}`, wrong.message);
}

/** Refuses figures without a feed (NOT_IMPLEMENTED_ERROR), unknown prediction markets, markets not known yet. */
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

type WatchedOf = Pick<Trigger, 'connector' | 'legs' | 'weights' | 'priceSource'>;

/**
 * Refuses a condition that is met already. If its value is unknown, the condition counts as not met.
 * @param windows for a transformed condition: its window counts as far as it is known
 */
export function checkNotMet(
  deps: Deps,
  windows: Pick<RatioWindows, 'known'>,
  condition: Condition,
  of: WatchedOf,
): Checked {
  const measure = conditionMeasure(condition, weightedLegs(of.legs, of.weights), of.priceSource);
  if (!measure.ok) return FINE;
  const terms = transformOfCondition(condition);
  if (terms !== null) {
    const window = windows.known({
      connector: of.connector,
      measure: measure.value,
      lookback: terms.lookback,
    });
    const seen = { connector: of.connector, measure: measure.value, direction: condition.direction };
    return window === undefined ? FINE : checkLevelAhead(deps, 'condition.value', seen, terms, window);
  }
  const facts = marketFacts(deps.market, of.connector);
  const { direction, value: level } = condition;
  if (!mayBeBeyond(measure.value, direction, level, facts)) return FINE;
  if (isBeyond(measure.value, direction, level, facts) !== true) return FINE;
  return alreadyMet('condition.value', measureValue(measure.value, facts));
}

function alreadyMet(path: string, value: string | null) {
  return invalid(path, `The condition is met already: the value is ${value}`, 'already_met');
}

/**
 * Refuses a transform of anything but mark prices, and one whose window has too few hours or no variation. The window
 * is then known to `checkNotMet`.
 */
export async function checkWindow(
  windows: RatioWindows,
  condition: Condition,
  of: WatchedOf,
): Promise<Checked> {
  const terms = transformOfCondition(condition);
  const measure = conditionMeasure(condition, weightedLegs(of.legs, of.weights), of.priceSource);
  if (terms === null || !measure.ok) return FINE;
  if (of.priceSource !== 'MARK') return invalid('priceSource', 'A transform compares mark prices');
  const window = { connector: of.connector, measure: measure.value, lookback: terms.lookback };
  return checkHours('condition', terms, await windows.load(window));
}

/** `checkWindow` for a bracket on a position; also refuses a level that is passed already. */
export async function checkBracketWindow(
  deps: Pick<Deps, 'market'>,
  windows: RatioWindows,
  asked: { readonly path: string; readonly kind: BracketKind; readonly bracket: Bracket },
  position: Pick<Position, 'connector' | 'legs'>,
): Promise<Checked> {
  const { path, kind, bracket } = asked;
  const terms = transformTerms(bracket);
  const measure = bracketMeasure(bracket.type, position.legs);
  if (terms === null || !measure.ok) return FINE;
  const { connector } = position;
  const window = await windows.load({ connector, measure: measure.value, lookback: terms.lookback });
  const known = checkHours(path, terms, window);
  if (!known.ok) return known;
  const direction = fireDirection(kind, gainDirection(bracket.type, position.legs));
  const seen = { connector, measure: measure.value, direction };
  return checkLevelAhead(deps, `${path}.value`, seen, terms, window);
}

function checkHours(path: string, terms: TransformTerms, window: WindowFigures): Checked {
  const { transform, lookback } = terms;
  if (isDefined(transform, lookback, window)) return FINE;
  const needed = neededHours(lookback);
  const few = `Of ${lookback} hours ${window.observations} are known: at least ${needed} are needed`;
  return window.observations < needed
    ? invalid(`${path}.lookback`, few, 'too_few_hours')
    : invalid(`${path}.transform`, 'The ratio stood still in these hours', 'no_deviation');
}

function checkLevelAhead(
  deps: Pick<Deps, 'market'>,
  path: string,
  seen: { readonly connector: string; readonly measure: Measure; readonly direction: Direction },
  terms: TransformTerms,
  window: WindowFigures,
): Checked {
  const ratio = measureValue(seen.measure, marketFacts(deps.market, seen.connector));
  const level = ratioLevel(terms.transform, terms.level, window);
  if (ratio === null || level === null || !isPast(ratio, seen.direction, level)) return FINE;
  return alreadyMet(path, transformed(terms.transform, ratio, window));
}

function transformOfCondition(condition: Condition): TransformTerms | null {
  return 'transform' in condition ? transformTerms(condition) : null;
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
