/** A page of an account's history. The cursor counts the items already handed out (generation.ts). */
import { fail, ok, type Result } from '../../../domain/result.ts';
import type { VenueError, VenueFill, VenueFunding, VenueHistory } from '../../../engine/ports/venue.ts';
import { historyLength, type PaperAccount } from './account-state.ts';
import { cursorItem, cursorText } from './generation.ts';
import type { PaperAccounts } from './paper-accounts.ts';

/** Maximum items on a page. */
const PAGE_SIZE = 500;

export async function historyPage(
  accounts: PaperAccounts,
  account: PaperAccount,
  cursor: string | null,
  /** Index of the first history item that is not handed out yet. */
  told = historyLength(account),
): Promise<Result<VenueHistory, VenueError>> {
  const from = cursorItem(cursor, account.id, accounts.generations);
  if (from === null || from > historyLength(account)) {
    return fail({ kind: 'rejected', message: 'This history cursor is not one of this account' });
  }
  const fills: VenueFill[] = [];
  const funding: VenueFunding[] = [];
  const limit = Math.min(PAGE_SIZE, Math.max(0, told - from));
  const old = Math.min(limit, Math.max(0, account.archivedHistory - from));
  // Taken first: they may leave memory while the old ones are read.
  const start = Math.max(0, from - account.archivedHistory);
  const recent = account.history.slice(start, start + limit - old);
  const items = [...(old === 0 ? [] : await accounts.archivedHistory(account, from, old)), ...recent];
  for (const item of items) {
    if (item.kind === 'fill') fills.push(item.fill);
    else funding.push(item.funding);
  }
  const to = from + items.length;
  return ok({ fills, funding, nextCursor: cursorText(accounts.generations, to), more: to < told });
}
