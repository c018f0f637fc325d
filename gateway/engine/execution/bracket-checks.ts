/** Checks of a requested take-profit and stop-loss against the legs that are or would be held. */

import { type BracketLeg, bracketMeasure, gainDirection, isAlreadyCrossed } from '../../domain/bracket.ts';
import { type AskedBrackets, askedBrackets } from '../../domain/bracket-fate.ts';
import { isOneSided } from '../../domain/condition-table.ts';
import { dec, text } from '../../domain/decimal.ts';
import { type MarketFacts, measureValue } from '../../domain/measure.ts';
import type { TradeAccount, TradeLeg } from '../../domain/model.ts';
import type { BasketRequest } from '../../domain/sizing.ts';
import { openLedger } from '../../domain/slicing.ts';
import type { Bracket } from '../../domain/trigger.ts';
import type { EngineDeps } from '../core/deps.ts';
import { type Checked, FINE, invalid } from '../core/errors.ts';
import { marketFacts } from '../core/market-facts.ts';
import { basketKeyOf } from './basket-key.ts';

/** Refuses brackets for a basket to be opened if their metric does not exist for its legs. */
export function checkBracketsFit(
  asked: AskedBrackets,
  legs: readonly Pick<TradeLeg, 'symbol' | 'side'>[],
): Checked {
  const brackets = askedBrackets(asked);
  if (brackets.length === 0) return FINE;
  const held = legs.map(({ symbol, side }) => ({ symbol, side, quantity: '1', entryNotional: '1' }));
  for (const { path, bracket } of brackets) {
    if (!bracketMeasure(bracket.type, held).ok) return unfitMetric(path, bracket);
    const better = betterMetric(bracket, held);
    if (better !== null) return priceOfBothSides(path, better);
  }
  return FINE;
}

function unfitMetric(path: string, { type }: Bracket) {
  return invalid(`${path}.type`, `${type} needs exactly one long and one short leg`);
}

/**
 * Metric that covers both sides of a basket; null: the bracket's own metric does. PRICE over both sides would be their
 * ratio, which nobody who says PRICE expects.
 */
function betterMetric({ type }: Pick<Bracket, 'type'>, legs: readonly Pick<BracketLeg, 'side'>[]) {
  if (type !== 'PRICE' || isOneSided(legs)) return null;
  return legs.length === 2 ? 'PRICE_RATIO' : 'WEIGHTED_RATIO';
}

function priceOfBothSides(path: string, better: string) {
  return invalid(
    `${path}.type`,
    `PRICE is of a basket with one side: this one is long and short. Use ${better} for the ratio of its sides, or PERCENTAGE or DOLLAR for its result`,
    'two_sided',
  );
}

/** Refuses brackets whose metric does not exist for the open legs, or whose level is passed already. */
export function checkBrackets(
  deps: Pick<EngineDeps, 'market'>,
  connector: string,
  asked: AskedBrackets,
  legs: readonly BracketLeg[],
): Checked {
  for (const { path, kind, bracket } of askedBrackets(asked)) {
    const seen = seenMetric({ legs }, bracket, marketFacts(deps.market, connector));
    if (seen === null) return unfitMetric(path, bracket);
    const better = betterMetric(bracket, held({ legs }));
    if (better !== null) return priceOfBothSides(path, better);
    // A transform's level is not a ratio level. It is checked where its window is known, and again once armed.
    if (bracket.transform !== undefined) continue;
    if (seen.value === null || !isAlreadyCrossed(kind, bracket, seen.gain, seen.value)) continue;
    return invalid(`${path}.value`, `The level is passed already: the value is ${seen.value}`, 'already_met');
  }
  return FINE;
}

/** Legs as if opened at current mark prices. A leg without a price is left out. */
export function imaginedLegs(
  deps: Pick<EngineDeps, 'market'>,
  connector: string,
  legs: readonly TradeLeg[],
  totalUsd: string | null,
): readonly BracketLeg[] {
  const markOf = (symbol: string) => deps.market.quote(connector, symbol)?.mark ?? '0';
  return openLedger(legs, totalUsd, markOf).flatMap(({ symbol, side, total, usdPerUnit, unit }) => {
    const mark = markOf(symbol);
    if (dec(mark).isZero()) return [];
    const notional = dec(total).mul(usdPerUnit);
    const quantity = unit === 'BASE' ? total : text(notional.div(mark));
    return [{ symbol, side, quantity, entryNotional: text(notional) }];
  });
}

/** Legs of the position after an addition at current mark prices. */
export function wholeLegs(
  position: { readonly legs: readonly BracketLeg[] } | null,
  added: readonly BracketLeg[],
): readonly BracketLeg[] {
  const held = position?.legs ?? [];
  const grown = held.map((leg) => {
    const more = added.find(({ symbol }) => symbol === leg.symbol);
    if (more === undefined) return leg;
    const quantity = text(dec(leg.quantity).plus(more.quantity));
    return { ...leg, quantity, entryNotional: text(dec(leg.entryNotional).plus(more.entryNotional)) };
  });
  return [...grown, ...added.filter(({ symbol }) => held.every((leg) => leg.symbol !== symbol))];
}

/** Refuses levels that a plan which starts now has passed already. */
export function checkLevelsOfPlan(...[deps, account, asked]: Parameters<typeof checkValueOfPlan>): Checked {
  const { legs, totalUsd } = asked;
  const position = deps.state.positions.ofBasket(account.id, basketKeyOf(deps, legs)) ?? null;
  const added = imaginedLegs(deps, account.connector, legs, totalUsd);
  // Without one of its prices a level of the whole basket cannot be compared.
  if (added.length < legs.length) return FINE;
  return checkBrackets(deps, account.connector, asked, wholeLegs(position, added));
}

/** Refuses a POSITION_VALUE level that the whole plan would already have passed at its start. */
export function checkValueOfPlan(
  deps: Pick<EngineDeps, 'market' | 'state' | 'basketKey'>,
  account: Pick<TradeAccount, 'id' | 'connector'>,
  asked: AskedBrackets & Pick<BasketRequest, 'legs' | 'totalUsd'>,
): Checked {
  const values = askedBrackets(asked).filter(({ bracket }) => bracket.type === 'POSITION_VALUE');
  if (values.length === 0) return FINE;
  const position = deps.state.positions.ofBasket(account.id, basketKeyOf(deps, asked.legs)) ?? null;
  const added = imaginedLegs(deps, account.connector, asked.legs, asked.totalUsd);
  const of = Object.fromEntries(values.map(({ path, bracket }) => [path, bracket]));
  return checkBrackets(deps, account.connector, of, wholeLegs(position, added));
}

/** Refuses brackets that do not fit the legs of a plan, or whose level it would already have passed at its start. */
export function checkPlannedBrackets(
  deps: Parameters<typeof checkValueOfPlan>[0],
  { tradeAccountId: id, connector }: { readonly tradeAccountId: string; readonly connector: string },
  asked: Parameters<typeof checkValueOfPlan>[2],
): Checked {
  const fitting = checkBracketsFit(asked, asked.legs);
  return fitting.ok ? checkValueOfPlan(deps, { id, connector }, asked) : fitting;
}

/** Brackets, with the value of the whole position for a POSITION_VALUE bracket. */
export function sizedForPlan<Asked extends AskedBrackets>(
  deps: Pick<EngineDeps, 'market'>,
  connector: string,
  asked: Asked,
  plan: Pick<BasketRequest, 'legs' | 'totalUsd'> & {
    readonly position: { readonly legs: readonly BracketLeg[] } | null;
  },
): Asked {
  const isSized = askedBrackets(asked).every(
    ({ bracket: { type, sizedFor } }) => type !== 'POSITION_VALUE' || sizedFor !== undefined,
  );
  if (isSized) return asked;
  const added = imaginedLegs(deps, connector, plan.legs, plan.totalUsd);
  const whole = { legs: wholeLegs(plan.position, added) };
  const value = seenMetric(whole, { type: 'POSITION_VALUE' }, marketFacts(deps.market, connector))?.value;
  const sized = (bracket: Bracket | null | undefined) =>
    bracket?.type !== 'POSITION_VALUE' || value == null ? bracket : { sizedFor: value, ...bracket };
  return { ...asked, takeProfit: sized(asked.takeProfit), stopLoss: sized(asked.stopLoss) };
}

/**
 * Current value of a bracket's metric (null: unknown) and the direction in which it gains. null as a whole: the metric
 * does not exist for these legs.
 */
export function seenMetric(
  position: { readonly legs: readonly BracketLeg[] },
  bracket: Pick<Bracket, 'type'>,
  facts: MarketFacts,
): { readonly value: string | null; readonly gain: ReturnType<typeof gainDirection> } | null {
  const measure = bracketMeasure(bracket.type, position.legs);
  if (!measure.ok) return null;
  return {
    value: measureValue(measure.value, facts),
    gain: gainDirection(bracket.type, held(position)),
  };
}

export function held<Leg extends { readonly quantity: string }>(position: {
  readonly legs: readonly Leg[];
}): readonly Leg[] {
  return position.legs.filter(({ quantity }) => quantity !== '0');
}
