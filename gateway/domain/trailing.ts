/**
 * Brackets that follow the best value of their metric, as a pure fold.
 *
 * Trailing begins when the metric is at `activation` or better. From then on the peak is the best value seen and the bracket
 * fires when the metric falls back strictly beyond
 *   stop-loss:    the better of its own level and peak ∓ delta (before activation: its own level)
 *   take-profit:  peak ∓ delta (before activation it cannot fire)
 * Without `activation` a stop-loss follows from the first value on, and a take-profit from its own level on.
 *
 * The fold gives the same object back while nothing changed, so that a caller can tell by identity; and the kept peak
 * needs a new row only from time to time (`isPeakWorthKeeping`), not on every tick.
 */
import { askedLevel, fireDirection } from './bracket.ts';
import { type Decimal, dec, text } from './decimal.ts';
import { type Direction, isPast, opposite } from './measure.ts';
import type { SizedLevels } from './sized-levels.ts';
import type { ArmedBracket, Bracket, BracketKind } from './trigger.ts';

/**
 * Arms a bracket for watching. A trailing bracket of either kind fires on a retreat.
 * @param gain the direction in which the metric moves when the holder gains (`gainDirection`)
 * @param value the metric now; null when it is not known yet
 */
export function armBracket(
  kind: BracketKind,
  bracket: Bracket,
  gain: Direction,
  value: string | null,
): ArmedBracket {
  const direction = bracket.trailing === null ? fireDirection(kind, gain) : opposite(gain);
  const armed: ArmedBracket = { bracket, direction, peak: null };
  return value === null ? armed : followPeak(kind, armed, value);
}

/** Takes in one value of the metric. The same object comes back when the value changes nothing. */
export function followPeak(kind: BracketKind, armed: ArmedBracket, value: string): ArmedBracket {
  if (armed.bracket.trailing === null) return armed;
  const gain = opposite(armed.direction);
  if (armed.peak !== null) return isPast(value, gain, armed.peak) ? { ...armed, peak: value } : armed;
  const { activation } = levelsOf(kind, armed);
  const begun = activation === null || !isPast(value, opposite(gain), activation);
  return begun ? { ...armed, peak: value } : armed;
}

/**
 * Level at which the bracket fires; null while it cannot fire (a trailing take-profit before its activation).
 */
export function firingLevel(kind: BracketKind, armed: ArmedBracket): string | null {
  const { direction, peak } = armed;
  const { level: own, delta } = levelsOf(kind, armed);
  if (delta === null) return own;
  if (peak === null) return kind === 'STOP_LOSS' ? own : null;
  const followed = backFrom(peak, delta, direction);
  if (kind === 'TAKE_PROFIT') return text(followed);
  return isPast(own, opposite(direction), text(followed)) ? own : text(followed);
}

/**
 * Level on the gaining side from which `followPeak` would move the peak; null: the peak never moves (no trailing) or at
 * any value (a stop-loss without activation that has seen no value yet).
 */
export function followingLevel(kind: BracketKind, armed: ArmedBracket): string | null {
  if (armed.bracket.trailing === null) return null;
  return armed.peak ?? levelsOf(kind, armed).activation;
}

/**
 * True: the peak should be stored again. Trailing began, or the peak gained a twentieth of delta since `kept`. So
 * after a crash the bracket fires at most a twentieth of delta later than without it.
 */
export function isPeakWorthKeeping(kept: string | null, armed: ArmedBracket): boolean {
  if (armed.bracket.trailing === null || armed.peak === null || armed.peak === kept) return false;
  if (kept === null) return true;
  return dec(armed.peak)
    .minus(kept)
    .abs()
    .mul(20)
    .gte(armed.sized?.delta ?? armed.bracket.trailing.delta);
}

/** One that moved with the size of its position is a quotient. */
const SHOWN_DIGITS = 12;

/** The firing level as shown; null: it cannot fire yet, a loss replaces it, or it is one of a transform. */
export function shownLevel(kind: BracketKind, armed: ArmedBracket): string | null {
  const isOther = armed.standIn !== undefined || armed.bracket.transform !== undefined;
  const level = isOther ? null : firingLevel(kind, armed);
  return level === null ? null : text(dec(level).toSignificantDigits(SHOWN_DIGITS));
}

/** Trailing at the position's present size, in the unit of the metric; null: the bracket does not trail. */
export function shownTrailing(kind: BracketKind, armed: ArmedBracket): Bracket['trailing'] {
  const { delta, activation } = levelsOf(kind, armed);
  const shown = (one: string) => text(dec(one).toSignificantDigits(SHOWN_DIGITS));
  return delta === null
    ? null
    : { delta: shown(delta), activation: activation === null ? null : shown(activation) };
}

/** Levels at the position's present size. */
export function levelsOf(kind: BracketKind, { bracket, sized }: ArmedBracket): SizedLevels {
  if (sized !== undefined) return sized;
  const { value, trailing } = bracket;
  const level = askedLevel(kind, bracket);
  if (trailing === null) return { level, delta: null, activation: null };
  const activation = trailing.activation ?? (kind === 'TAKE_PROFIT' ? value : null);
  return { level, delta: trailing.delta, activation };
}

function backFrom(peak: string, delta: string, retreat: Direction): Decimal {
  return retreat === 'LESS_THAN' ? dec(peak).minus(delta) : dec(peak).plus(delta);
}
