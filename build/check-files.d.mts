/** Lines of a text; the last one may end without a line break. */
export function lineCount(text: string): number;

/**
 * Files that break the rule of length, in words.
 * @param lines path → its number of lines
 * @param ceilings path → lines that a long file may have
 */
export function lengthFaults(
  lines: ReadonlyMap<string, number>,
  ceilings: ReadonlyMap<string, number>,
): readonly string[];

/**
 * Uses of real time in a test; comments do not count, strings do.
 * @returns line, from 1, and the word of each
 */
export function realTimeUses(
  path: string,
  text: string,
): readonly { readonly line: number; readonly word: string }[];
