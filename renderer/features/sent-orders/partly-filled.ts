/** What an execution that did not fill left behind, in words: what filled is named where that is known. */
import type { Execution } from '../../../gateway/client/client.ts';

type Order = Pick<Execution['orders'][number], 'symbol' | 'status' | 'filledQuantity' | 'errorCode'>;

export type ExecutionEnd = Pick<Execution, 'status' | 'activeAt' | 'intent' | 'onLegFailure'> & {
  readonly orders: readonly Order[];
};

export const NOTHING_PLACED = 'No orders were placed';
const MAYBE_FILLED = 'May be partly filled: check positions';
export const PARTLY_FILLED = 'Partly filled';

/** Whether it has ended without some of what it should fill, and what it filled is known. */
export function isPartlyFilled(execution: ExecutionEnd): boolean {
  return isUnfilled(execution) && !execution.orders.some(isInDoubt) && execution.orders.some(hasFilled);
}

/**
 * @param tickerOf instrument id → ticker
 * @param isPast of any time ago: what was held then may be closed
 * @returns null: it is on its way, or has filled
 */
export function endText(
  execution: ExecutionEnd,
  tickerOf: (id: string) => string,
  { isPast = false }: { readonly isPast?: boolean } = {},
): string | null {
  const { activeAt, intent, onLegFailure, orders } = execution;
  if (!isUnfilled(execution)) return null;
  if (activeAt === null) return NOTHING_PLACED;
  if (orders.some(isInDoubt)) return MAYBE_FILLED;
  if (!isPartlyFilled(execution)) return 'Nothing was filled';
  const filled = orders.filter(hasFilled);
  const missed = orders.filter((order) => !hasFilled(order));
  const names = (some: readonly Order[]) => shortList(some.map(({ symbol }) => tickerOf(symbol)));
  const isUnwound = onLegFailure === 'UNWIND' && !onlyReduces(execution);
  // Of a basket that was there before, the leg that failed may be held as well.
  const isHeld = intent === 'OPEN' && !isUnwound && !isPast;
  const be = (some: readonly Order[]) => (some.length === 1 ? 'is' : 'are');
  const verbs = isHeld ? [`${be(filled)} held`, `${be(missed)} not`] : ['filled', 'did not'];
  const fills =
    missed.length > 0
      ? `${names(filled)} ${verbs[0]}, ${names(missed)} ${verbs[1]}`
      : `${names(filled.filter(({ status }) => status !== 'FILLED'))} filled in part`;
  // By an execution of its own, which may fail too.
  return isUnwound ? `${fills}. What filled is to be closed again: check positions` : fills;
}

/**
 * What mends the basket that it left behind, by the name of the action on Positions; null: nothing was left, or it is to be
 * closed again.
 */
export function mendedBy(execution: ExecutionEnd): 'complete' | 'rebalance' | null {
  const { intent, onLegFailure, orders } = execution;
  if (!isPartlyFilled(execution) || onlyReduces(execution) || onLegFailure === 'UNWIND') return null;
  // Of a basket that was there before, the leg that failed may be held as well.
  return intent === 'OPEN' && !orders.every(hasFilled) ? 'complete' : 'rebalance';
}

/** What only takes out of a position is never unwound. */
export function onlyReduces({ intent }: Pick<Execution, 'intent'>): boolean {
  return intent === 'CLOSE' || intent === 'REDUCE' || intent === 'REVERSE';
}

const isUnfilled = ({ status }: ExecutionEnd) => status === 'FAILED' || status === 'CANCELLED';
const hasFilled = ({ filledQuantity }: Order) => Number(filledQuantity) > 0;

/** An order that nobody knows the end of: the venue does not answer for it, or denies what the position shows. */
function isInDoubt({ status, errorCode }: Order): boolean {
  return (
    status === 'PENDING' ||
    status === 'PARTIAL' ||
    errorCode === 'UNKNOWN_OUTCOME' ||
    errorCode === 'NEEDS_REVIEW'
  );
}

const MOST_NAMED = 3;

function shortList(names: readonly string[]): string {
  const unnamed = names.length - MOST_NAMED;
  if (unnamed > 0) return `${names.slice(0, MOST_NAMED).join(', ')} and ${unnamed} more`;
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** The gateway's reason without a last sentence that says the same. */
export function reasonText(error: string): string {
  return error.replace(
    /\s*(No orders were placed|Nothing was filled|The basket may be partly filled: [^.]*)\.\s*$/,
    '',
  );
}
