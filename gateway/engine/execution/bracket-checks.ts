/** Checks of a requested take-profit and stop-loss against the legs that are or would be held. */
import { type BracketLeg, bracketMeasure, gainDirection, isAlreadyCrossed } from '../../domain/bracket.ts';
import { type AskedBrackets, askedBrackets } from '../../domain/bracket-fate.ts';
import { dec, text } from '../../domain/decimal.ts';
import { type MarketFacts, measureValue } from '../../domain/measure.ts';
import type { TradeLeg } from '../../domain/model.ts';
import { openLedger } from '../../domain/slicing.ts';
import type { Bracket } from '../../domain/trigger.ts';
import type { EngineDeps } from '../core/deps.ts';
import { type Checked, FINE, invalid } from '../core/errors.ts';
import { marketFacts } from '../core/market-facts.ts';

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
  }
  return FINE;
}

function unfitMetric(path: string, { type }: Bracket) {
  return invalid(`${path}.type`, `${type} needs exactly one long and one short leg`);
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
    // A transform's level is no level of the ratio: it is checked where its window is known, and looked at once armed.
    if (bracket.transform !== undefined) continue;
    if (seen.value === null || !isAlreadyCrossed(kind, bracket, seen.gain, seen.value)) continue;
    return invalid(`${path}.value`, `The level is passed already: the value is ${seen.value}`, 'already_met');
  }
  return FINE;
}

/** Legs as if they were opened at the present mark prices. A leg without a price is left out. */
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

/**
 * Present value of a bracket's metric (null: not known) and the direction in which it gains. null as a whole: the
 * metric does not exist for these legs.
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
