/** What is refused of a condition or a bracket that is to be watched. Paths are those of the request's fields. */
import { conditionMeasure, type WeightedLeg } from '../../../domain/condition.ts';
import { dec, text } from '../../../domain/decimal.ts';
import { predictionFeed } from '../../../domain/feed.ts';
import { isBeyond, mayBeBeyond, measureValue } from '../../../domain/measure.ts';
import type { TradeAccount, TradeLeg } from '../../../domain/model.ts';
import { fail } from '../../../domain/result.ts';
import { openLedger } from '../../../domain/slicing.ts';
import type { Condition, PriceSource } from '../../../domain/trigger.ts';
import type { EngineDeps } from '../../core/deps.ts';
import { type Checked, type EngineError, FINE, invalid, marketsUnknown } from '../../core/errors.ts';
import { marketFacts } from '../../core/market-facts.ts';
import { knowsMarkets, unknownSymbol } from '../../execution/check-symbols.ts';

type Deps = Pick<EngineDeps, 'market' | 'venues'>;

/** Wrong whatever the market does: an instrument that is not there, legs that the condition does not fit. */
export function checkCondition(
  deps: Deps,
  account: TradeAccount,
  condition: Condition,
  legs: readonly Pick<WeightedLeg, 'symbol' | 'side'>[],
): Checked {
  if (condition.type === 'CROSS_ASSET_PRICE' && knowsMarkets(deps, account)) {
    const { symbol } = condition;
    if (deps.market.instrument(account.connector, symbol) === undefined) {
      return unknownSymbol('condition.symbol', account.connector);
    }
  }
  const weighted = legs.map((leg) => ({ ...leg, weight: '0' }));
  const measure = conditionMeasure(condition, weighted, 'MARK');
  if (measure.ok) return FINE;
  return measure.error.kind === 'symbol_not_a_leg'
    ? invalid('condition.symbol', 'Must be one of the legs')
    : invalid('condition.type', 'PRICE_RATIO needs exactly one long and one short leg');
}

/** The connector tells no such figure (NOT_IMPLEMENTED_ERROR), or nothing at all yet, or knows no such prediction market. */
export function checkFeed(deps: Deps, account: TradeAccount, condition: Condition): Checked {
  const { connector } = account;
  if (condition.type === 'PREDICTION_MARKET_OUTCOME') {
    const name = predictionFeed(condition.source, condition.marketKey);
    const told = deps.market.feeds(connector).filter(({ prediction }) => prediction !== null);
    if (deps.market.feed(connector, name) === undefined && told.length > 0) {
      return invalid('condition.marketKey', `Not a prediction market of ${connector}`, 'unknown_market');
    }
    if (!tells(deps, connector, 'prediction_markets')) return noFeed(connector, 'prediction markets');
    if (told.length === 0) return marketsUnknown();
  }
  if (condition.type === 'BTC_DOM' && !tells(deps, connector, 'btc_dominance')) {
    return noFeed(connector, 'Bitcoin dominance');
  }
  return knowsMarkets(deps, account) ? FINE : marketsUnknown();
}

function tells(deps: Deps, connector: string, feed: 'prediction_markets' | 'btc_dominance'): boolean {
  return deps.venues.get(connector)?.info.capabilities.includes(feed) ?? false;
}

function noFeed(connector: string, what: string) {
  return fail<EngineError>({
    code: 'NOT_IMPLEMENTED_ERROR',
    message: `Connector ${connector} has no feed of ${what}`,
    details: { path: 'condition.type' },
  });
}

/** Refused where it is met already. A value that is not known now is met by nothing. */
export function checkNotMet(
  deps: Deps,
  connector: string,
  condition: Condition,
  legs: readonly WeightedLeg[],
  source: PriceSource,
  path: string,
): Checked {
  const measure = conditionMeasure(condition, legs, source);
  if (!measure.ok) return FINE;
  const facts = marketFacts(deps.market, connector);
  const { direction, value: level } = condition;
  if (!mayBeBeyond(measure.value, direction, level, facts)) return FINE;
  if (isBeyond(measure.value, direction, level, facts) !== true) return FINE;
  const value = measureValue(measure.value, facts);
  return invalid(path, `The condition is met already: the value is ${value}`, 'already_met');
}

export function checkExpiry(deps: Pick<EngineDeps, 'clock'>, expiresAt: number | null): Checked {
  if (expiresAt === null || expiresAt > deps.clock.now()) return FINE;
  return invalid('expiresAt', 'Must be later than now', 'expired');
}

/** A leg in USD that is below the venue's smallest order at any price. Base units may be worth more by then. */
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
