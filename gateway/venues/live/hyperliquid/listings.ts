/** The venue's universe of instruments, with its first prices. */
import type { Logger } from '../../../engine/ports/system.ts';
import type { ListingSource, Listings } from '../kit/listings.ts';
import { read } from '../kit/wire.ts';
import type { Client } from './client.ts';
import { EMPTY_LISTING, type Listing, listingOf, withKnownEntries } from './listing.ts';
import type { MarketData } from './market-data.ts';
import * as wire from './wire.ts';

/** One reading weighs 20 of the 1,200 a minute. @param id of the connector */
export function universeOf(deps: {
  readonly id: string;
  readonly client: Pick<Client, 'info'>;
  readonly logger: Logger;
  readonly market: MarketData;
}): ListingSource<Listing> {
  const { id, client, logger, market } = deps;
  /** The list as the venue wrote it last. */
  let meta: wire.WireMeta | null = null;
  return {
    empty: EMPTY_LISTING,
    fromKept(kept) {
      const told = read(wire.keptMeta, kept);
      if (!told.ok) return null;
      meta = told.value;
      return listingOf(id, told.value, new Map(Object.entries(told.value.symbols ?? {})));
    },
    async ask(before) {
      const told = await client.info('market', { type: 'metaAndAssetCtxs' }, wire.metaAndContexts);
      if (!told.ok || told.value[0].universe.length === 0) return null;
      const [answer, contexts] = told.value;
      const unread = answer.universe.flatMap((one, index) => (one === null ? [index] : []));
      if (unread.length > 0) logger.warn({ unread }, 'some instruments of Hyperliquid are not as described');
      meta = withKnownEntries(answer, meta);
      return {
        listing: listingOf(id, meta, before.symbols),
        kept: meta,
        taken() {
          market.takeContexts(contexts);
          // Prices first: listeners expect them as soon as the venue is up.
          market.tellNow();
        },
      };
    },
  };
}

/** Takes the stream's number of instruments: one other than the list's means a new listing. */
export function countListings(listings: Pick<Listings<Listing>, 'now' | 'lookNow' | 'isReading'>) {
  /** Number for which the list was last read: if no list explains it, it causes no further reading. */
  let askedFor = 0;
  return (count: number): void => {
    const { size } = listings.now();
    if (count === size || count === askedFor || size === 0 || listings.isReading()) return;
    askedFor = count;
    listings.lookNow();
  };
}
