/** A page of an account's history. The cursor counts the items already handed out (generation.ts). */
import { fail, ok, type Result } from '../../../domain/result.ts';
import type { VenueError, VenueFill, VenueFunding, VenueHistory } from '../../../engine/ports/venue.ts';
import { type HistoryItem, historyLength, type PaperAccount } from './account-state.ts';
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
  const items: HistoryItem[] = [];
  if (from < account.archivedHistory)
    items.push(
      ...(await accounts.archivedHistory(account, from, Math.min(limit, account.archivedHistory - from))),
    );
  // Items that were archived meanwhile are left to the next page.
  const recent = from + items.length - account.archivedHistory;
  if (recent >= 0) items.push(...account.history.slice(recent, recent + limit - items.length));
  for (const item of items) {
    if (item.kind === 'fill') fills.push(item.fill);
    else funding.push(item.funding);
  }
  const to = from + items.length;
  return ok({ fills, funding, nextCursor: cursorText(accounts.generations, to), more: to < told });
}
