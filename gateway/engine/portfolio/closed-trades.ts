/** The list of closed trades with their economics, computed from each trade's fills. */
import { type ClosedTrade, closedTrade } from '../../domain/closed-trade.ts';
import type { HistoryFilter } from '../ports/history.ts';
import type { Page, PageRequest } from '../ports/pages.ts';
import type { Store } from '../ports/store.ts';

/**
 * Newest close first. Positions without a confirmed fill are left out, so a page may hold fewer trades than asked
 * while more remain. One position is read at a time: the fills of two hundred positions at once would block all other
 * requests.
 */
export async function closedTradePage(
  store: Pick<Store, 'history' | 'position'>,
  filter: { readonly tradeAccountId: string; readonly range: HistoryFilter['range'] },
  page: PageRequest,
  includeSteps: boolean,
): Promise<Page<ClosedTrade>> {
  const { tradeAccountId } = filter;
  const keys = await store.history.closedTrades(filter, page);
  const rows: ClosedTrade[] = [];
  for (const { id } of keys.rows) {
    const position = await store.position(tradeAccountId, id);
    if (position === null) continue;
    const trade = closedTrade(
      position,
      await store.history.fillsOfPosition(tradeAccountId, id),
      includeSteps,
    );
    if (trade !== null) rows.push(trade);
  }
  return { rows, next: keys.next };
}
