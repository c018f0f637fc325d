/** Parts that all keyset lists share: the requested page, and the cursor of the next page. */
import { type CursorPosition, encodeCursor } from '../../contract/cursor.ts';
import type { TradeAccount } from '../../domain/model.ts';
import type { Page, PageRequest } from '../../engine/ports/pages.ts';
import type { RestingFilter } from '../../engine/ports/store.ts';

export function pageAsked(query: {
  readonly limit: number;
  readonly cursor?: CursorPosition | undefined;
}): PageRequest {
  return { limit: query.limit, after: query.cursor ?? null };
}

export function nextCursorOf(page: Page<unknown>): { readonly nextCursor?: string } {
  return page.next === null ? {} : { nextCursor: encodeCursor(page.next) };
}

/** Filter for an account's list, narrowed by the query's connector and statuses. */
export function accountFilter<Status extends string>(
  account: TradeAccount,
  query: { readonly connector?: string | undefined; readonly status?: readonly Status[] | undefined },
): RestingFilter<Status> {
  return {
    tradeAccountId: account.id,
    ...(query.connector === undefined ? {} : { connector: query.connector }),
    ...(query.status === undefined ? {} : { statuses: query.status }),
  };
}
