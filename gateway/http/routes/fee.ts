/** `GET /fee`. */
import { getFee } from '../../contract/fee.ts';
import { quoteFee } from '../../engine/execution/quote-fee.ts';
import type { MarketData } from '../../engine/ports/market.ts';
import type { Venues } from '../../engine/ports/venue.ts';
import { type BoundRoute, bind, invalid } from '../handler.ts';
import { unwrap } from '../unwrap.ts';

export function feeRoutes(market: MarketData, venues: Venues): readonly BoundRoute[] {
  return [
    bind(getFee, ({ query }) => {
      const { connector, legs, notional, totalUsd } = query;
      const venue = venues.get(connector);
      if (venue === undefined) throw invalid('connector', 'Unknown connector');
      // The contract accepts either `notional` or `legs`, never both or none.
      const asked =
        notional === undefined
          ? { by: 'legs' as const, legs: legs ?? [], totalUsd: totalUsd ?? null }
          : { by: 'notional' as const, notional };
      const quote = unwrap(quoteFee(market, venue.info, asked));
      return { body: { ...quote, legs: [...quote.legs] } };
    }),
  ];
}
