/** Result of an execution that did not fill, in words. Filled legs are named if they are known. */
import type { Execution } from '../../../gateway/client/client.ts';

type Order = Pick<Execution['orders'][number], 'symbol' | 'status' | 'filledQuantity' | 'errorCode'>;

export type ExecutionEnd = Pick<Execution, 'status' | 'activeAt' | 'intent' | 'onLegFailure'> & {
  readonly orders: readonly Order[];
};

export const NOTHING_PLACED = 'No orders were placed';
const MAYBE_FILLED = 'May be partly filled: check positions';
export const PARTLY_FILLED = 'Partly filled';

/** True: the execution ended without filling everything, and its fills are known. */
export function isPartlyFilled(execution: ExecutionEnd): boolean {
  return isUnfilled(execution) && !execution.orders.some(isInDoubt) && execution.orders.some(hasFilled);
}

/**
 * @param tickerOf instrument id → ticker
 * @param isPast true: the execution may be old, and its fills may have been closed since
 * @returns null: it is in flight, or has filled
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
  // A basket that existed before may hold the failed leg as well.
  const isHeld = intent === 'OPEN' && !isUnwound && !isPast;
  const be = (some: readonly Order[]) => (some.length === 1 ? 'is' : 'are');
  const verbs = isHeld ? [`${be(filled)} held`, `${be(missed)} not`] : ['filled', 'did not'];
  const fills =
    missed.length > 0
      ? `${names(filled)} ${verbs[0]}, ${names(missed)} ${verbs[1]}`
      : `${names(filled.filter(({ status }) => status !== 'FILLED'))} filled in part`;
  // The unwinding is an execution of its own, which may fail too.
  return isUnwound ? `${fills}. What filled is to be closed again: check positions` : fills;
}

/**
 * Action on the Positions screen that repairs the remaining basket; null: nothing remained, or it is being closed
 * again.
 */
export function mendedBy(execution: ExecutionEnd): 'complete' | 'rebalance' | null {
  const { intent, onLegFailure, orders } = execution;
  if (!isPartlyFilled(execution) || onlyReduces(execution) || onLegFailure === 'UNWIND') return null;
  // A basket that existed before may hold the failed leg as well.
  return intent === 'OPEN' && !orders.every(hasFilled) ? 'complete' : 'rebalance';
}

/** True: the execution only reduces a position, and so is never unwound. */
export function onlyReduces({ intent }: Pick<Execution, 'intent'>): boolean {
  return intent === 'CLOSE' || intent === 'REDUCE' || intent === 'REVERSE';
}

const isUnfilled = ({ status }: ExecutionEnd) => status === 'FAILED' || status === 'CANCELLED';
const hasFilled = ({ filledQuantity }: Order) => Number(filledQuantity) > 0;

/** True: the outcome is not known. The venue does not report the order, or contradicts the position. */
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

/** The gateway's reason, without a last sentence that repeats the result. */
export function reasonText(error: string): string {
  return error.replace(
    /\s*(No orders were placed|Nothing was filled|The basket may be partly filled: [^.]*)\.\s*$/,
    '',
  );
}
