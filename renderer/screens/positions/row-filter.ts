/** Filter of rows by instrument, basket and opener. */
import type { PositionLeg } from './use-position-data.ts';

interface Filtered {
  readonly legs: readonly Pick<PositionLeg, 'symbol' | 'ticker'>[];
}

/** Separators between the words of a basket's name, typed or shown. */
const BETWEEN = /[\s/+,]+/;

const wordsOf = (text: string) => text.toLowerCase().split(BETWEEN).filter(Boolean);

/**
 * True: every typed word begins one of the position's: `btc/eth`, `sol-perp`, `agent claude`.
 * @param opener who opened it; undefined: not known yet
 */
export function passes({ legs }: Filtered, typed: string, opener: string | undefined): boolean {
  const own = [...legs.flatMap(({ symbol, ticker }) => [symbol, ticker]), opener ?? ''].flatMap(wordsOf);
  return wordsOf(typed).every((word) => own.some((one) => one.startsWith(word)));
}

/** True: the text has at least one word. */
export function isFilter(typed: string): boolean {
  return wordsOf(typed).length > 0;
}
