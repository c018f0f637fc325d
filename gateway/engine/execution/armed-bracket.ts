/** A bracket as it would be armed for a position at the present prices. */
import { gainDirection } from '../../domain/bracket.ts';
import { scaledTo } from '../../domain/bracket-size.ts';
import type { Position } from '../../domain/model.ts';
import { lacksLeg, standInLevel } from '../../domain/stand-in.ts';
import { armBracket, followPeak } from '../../domain/trailing.ts';
import type { ArmedBracket, Bracket, BracketKind } from '../../domain/trigger.ts';
import type { EngineDeps } from '../core/deps.ts';
import { marketFacts } from '../core/market-facts.ts';
import { held, seenMetric } from './bracket-checks.ts';

/**
 * null: the metric does not fit the legs, or no leg is open.
 * @param legs what the bracket is for: the open legs, or all of a basket that is being opened
 */
export function armedFor(
  { market }: Pick<EngineDeps, 'market'>,
  position: Pick<Position, 'connector' | 'legs'>,
  kind: BracketKind,
  bracket: Bracket,
  legs: Position['legs'] = held(position),
): ArmedBracket | null {
  const facts = marketFacts(market, position.connector);
  const { replaces: _, approvedAt: __, sizedFor, ...terms } = bracket;
  const asked = armBracket(kind, terms, gainDirection(bracket.type, legs), null);
  const unseen = sizedFor === undefined ? asked : scaledTo(kind, asked, sizedFor, position.legs, facts);
  const isLacking = held(position).length > 0 && lacksLeg({ armed: unseen, legs }, position.legs);
  const seen = isLacking ? null : seenMetric(position, bracket, facts);
  if (seen === null && !isLacking) return null;
  const value = seen?.value ?? null;
  const armed = value === null ? unseen : followPeak(kind, unseen, value);
  if (!isLacking || kind !== 'STOP_LOSS') return armed;
  return { ...armed, standIn: standInLevel(kind, armed, position.legs, facts) };
}
