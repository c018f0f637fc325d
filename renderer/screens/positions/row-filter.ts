/** Which rows a typed filter leaves: by instrument, basket and who opened it. */
import type { PositionLeg } from './use-position-data.ts';

interface Filtered {
  readonly legs: readonly Pick<PositionLeg, 'symbol' | 'ticker'>[];
}

/** What stands between the words of a basket's name, typed or shown. */
const BETWEEN = /[\s/+,]+/;

const wordsOf = (text: string) => text.toLowerCase().split(BETWEEN).filter(Boolean);

/**
 * Whether every typed word begins one of the position's: `btc/eth`, `sol-perp`, `agent claude`.
 * @param opener who opened it; undefined: not known yet
 */
export function passes({ legs }: Filtered, typed: string, opener: string | undefined): boolean {
  const own = [...legs.flatMap(({ symbol, ticker }) => [symbol, ticker]), opener ?? ''].flatMap(wordsOf);
  return wordsOf(typed).every((word) => own.some((one) => one.startsWith(word)));
}

/** Whether the text asks for anything. */
export function isFilter(typed: string): boolean {
  return wordsOf(typed).length > 0;
}
