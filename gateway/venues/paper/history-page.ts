/** A page of an account's history. The cursor is the number of items already told. */
import { fail, ok, type Result } from '../../domain/result.ts';
import type { VenueError, VenueFill, VenueFunding, VenueHistory } from '../../engine/ports.ts';
import type { HistoryItem } from './account-state.ts';

const PAGE_SIZE = 500;

export function historyPage(
  history: readonly HistoryItem[],
  cursor: string | null,
  /** Items from this one on are not told yet. */
  told = history.length,
): Result<VenueHistory, VenueError> {
  const from = cursor === null ? 0 : Number(cursor);
  if ((cursor !== null && !/^\d{1,15}$/.test(cursor)) || from > history.length) {
    return fail({ kind: 'rejected', message: 'This history cursor is not one of this account' });
  }
  const fills: VenueFill[] = [];
  const funding: VenueFunding[] = [];
  const to = Math.min(from + PAGE_SIZE, Math.max(from, told));
  for (const item of history.slice(from, to)) {
    if (item.kind === 'fill') fills.push(item.fill);
    else funding.push(item.funding);
  }
  return ok({ fills, funding, nextCursor: String(to), more: to < told });
}
