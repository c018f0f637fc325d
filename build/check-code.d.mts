/**
 * Functions of more than 100 lines.
 * @returns name of the function, or of what it is the value of → lines; the longest of one name
 */
export function longFunctions(path: string, text: string): ReadonlyMap<string, number>;

/** Lines, from 1, of comments that begin with What, Whether, Those or That. */
export function vagueComments(path: string, text: string): readonly number[];

/**
 * Functions that break the rule, in words.
 * @param long `path#name` → lines
 * @param ceilings `path#name` → lines that a function may have
 */
export function functionFaults(
  long: ReadonlyMap<string, number>,
  ceilings: ReadonlyMap<string, number>,
): readonly string[];
