/** A bracket as it would be armed for a position at current prices. */
import { gainDirection } from '../../domain/bracket.ts';
import { scaledTo, weighed } from '../../domain/bracket-size.ts';
import type { Position } from '../../domain/model.ts';
import { lacksLeg, standInLevel, wholeBasket } from '../../domain/stand-in.ts';
import { armBracket, followPeak } from '../../domain/trailing.ts';
import type { ArmedBracket, Bracket, BracketKind } from '../../domain/trigger.ts';
import type { EngineDeps } from '../core/deps.ts';
import { marketFacts } from '../core/market-facts.ts';
import { held, seenMetric } from './bracket-checks.ts';

/**
 * null: the metric does not fit the legs, or no leg is open.
 * @param isBrought true: the bracket came with an order and covers all legs of its basket at their target weights.
 * Otherwise it covers the legs held.
 */
export function armedFor(
  { market }: Pick<EngineDeps, 'market'>,
  position: Pick<Position, 'connector' | 'legs'>,
  kind: BracketKind,
  bracket: Bracket,
  isBrought = false,
): ArmedBracket | null {
  const legs = isBrought ? position.legs : held(position);
  const facts = marketFacts(market, position.connector);
  const { replaces: _, approvedAt: __, pausedByUser: ___, owner: ____, sizedFor, ...terms } = bracket;
  const asked = armBracket(kind, terms, gainDirection(bracket.type, legs), null);
  const isLacking = held(position).length > 0 && lacksLeg({ armed: asked, legs }, position.legs);
  const whole = isLacking ? wholeBasket(position.legs, facts) : position.legs;
  const before = whole.map((leg, index) => ({
    ...leg,
    entryNotional: position.legs[index]?.targetWeight ?? '0',
  }));
  const fitting = isBrought ? weighed(kind, asked, { before, after: whole }, facts) : asked;
  const unseen = sizedFor === undefined ? fitting : scaledTo(kind, fitting, sizedFor, position.legs, facts);
  const seen = isLacking ? null : seenMetric(position, bracket, facts);
  if (seen === null && !isLacking) return null;
  const value = seen?.value ?? null;
  const armed = value === null ? unseen : followPeak(kind, unseen, value);
  if (!isLacking || kind !== 'STOP_LOSS') return armed;
  return { ...armed, standIn: standInLevel(kind, armed, position.legs, facts) };
}
