/** `GET /fee`. */

import type { AccountDirectory } from '../../call/authenticator.ts';
import { type BoundRoute, bind } from '../../call/call.ts';
import { invalid } from '../../call/errors.ts';
import { getFee } from '../../contract/fee.ts';
import { feeRatesOf } from '../../engine/execution/ask-venue.ts';
import { quoteFee } from '../../engine/execution/quote-fee.ts';
import type { MarketData } from '../../engine/ports/market.ts';
import type { Venues } from '../../engine/ports/venue.ts';
import { unwrap } from '../unwrap.ts';
import { notFound } from './refusals.ts';

export function feeRoutes(
  market: MarketData,
  venues: Venues,
  accounts: Pick<AccountDirectory, 'find'>,
): readonly BoundRoute[] {
  return [
    bind(getFee, ({ principal, query }) => {
      const { connector, legs, notional, totalUsd, tradeAccountId } = query;
      const venue = venues.get(connector);
      if (venue === undefined) throw invalid('connector', 'Unknown connector');
      // The contract accepts either `notional` or `legs`, never both or none.
      const asked =
        notional === undefined
          ? { by: 'legs' as const, legs: legs ?? [], totalUsd: totalUsd ?? null }
          : { by: 'notional' as const, notional };
      const account =
        tradeAccountId === undefined ? null : accounts.find(principal, tradeAccountId.toLowerCase());
      if (account === undefined || (account !== null && account.connector !== connector))
        throw notFound('Trade account');
      const { takerRate: taker, makerRate: maker } = venue.info;
      const rates = account === null ? { taker, maker } : feeRatesOf({ venues }, account);
      const quote = unwrap(quoteFee(market, connector, rates, asked));
      return { body: { ...quote, legs: [...quote.legs] } };
    }),
  ];
}
