/** `GET /markets`: single instruments of the account's venue, every page. */
import { useQuery } from '@tanstack/react-query';
import type { Answer } from '../../../gateway/client/client.ts';
import { queryKey } from '../../api/queries.ts';
import { useAccount, useClient } from '../../api/session.ts';
import type { BasketFilter } from '../../features/market-baskets/use-basket-list.ts';

export type MarketRow = Answer<'GET /markets'>['markets'][number];
export type MarketTotals = Answer<'GET /markets'>['totals'];

export interface InstrumentList {
  readonly rows: readonly MarketRow[];
  readonly totals: MarketTotals | null;
}

const ROUTE = 'GET /markets';
const PAGE = 500;
/** Interval of re-reads, for the order of the rows and for new or delisted instruments; prices come by stream. */
const REFRESH_MS = 15_000;

export function useInstrumentRows({ scope, search }: BasketFilter) {
  const client = useClient();
  const { connector } = useAccount();
  const request = { connector, scope, ...(search === '' ? {} : { search }) };
  return useQuery({
    queryKey: [...queryKey(null, ROUTE, { query: request }), 'all'],
    queryFn: async ({ signal }): Promise<InstrumentList> => {
      const rows: MarketRow[] = [];
      let totals: MarketTotals | null = null;
      for (;;) {
        const query = { ...request, limit: PAGE, offset: String(rows.length) };
        const page = await client.call(ROUTE, { query, signal });
        rows.push(...page.markets);
        totals = page.totals;
        // A short page is the last one. Asking for an offset after the last row would only give an empty page.
        if (page.markets.length < PAGE) return { rows, totals };
      }
    },
    refetchInterval: REFRESH_MS,
    // Thousands of rows change at once, so comparing the new list with the old one gains nothing.
    structuralSharing: false,
    placeholderData: (previous) => previous,
  });
}
