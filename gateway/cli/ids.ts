/** Ids as the command line shows and takes them. */
import { CliError, usage } from './cli-error.ts';

const SHORTEST_PART = 4;
const MOST_NAMED = 5;

/** Last group of a UUID v7, which is random; every command takes it, and the JSON has the whole id. */
export function shortId(id: string): string {
  return id.slice(id.lastIndexOf('-') + 1);
}

/** The rows whose id is `wanted`, or begins or ends with it. A part has four characters at least. */
export function fittingIds<T extends { readonly id: string }>(rows: readonly T[], wanted: string): T[] {
  const part = wanted.toLowerCase();
  const exact = rows.filter(({ id }) => id === part);
  if (exact.length > 0 || part.length < SHORTEST_PART) return exact;
  return rows.filter(({ id }) => id.startsWith(part) || id.endsWith(part));
}

/**
 * The one row that `wanted` names. @param what one of the rows, in the singular: `open position`
 * @param see the command that lists them @throws CliError: there is none (exit code 1), several fit (2), naming them
 */
export function chooseById<T extends { readonly id: string }>(
  rows: readonly T[],
  wanted: string,
  what: string,
  see: string,
): T {
  const found = fittingIds(rows, wanted);
  const [one] = found;
  if (one === undefined) throw new CliError(`no ${what} '${wanted}'; see ${see}`);
  if (found.length > 1) throw ambiguous(found, wanted, what);
  return one;
}

export function ambiguous(found: readonly { readonly id: string }[], wanted: string, what: string): CliError {
  const named = found.slice(0, MOST_NAMED).map(({ id }) => id);
  const more = found.length > named.length ? ', …' : '';
  return usage(`${found.length} ${what}s fit '${wanted}': ${named.join(', ')}${more}; write more of the id`);
}
