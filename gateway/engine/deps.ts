/** What every engine service is given by the composition root. */
import type { Principal } from '../domain/model.ts';
import type { BasketRegistry } from './basket-registry.ts';
import type { Book } from './book.ts';
import type { Clock, Ids, Logger, MarketData, Store, Venues } from './ports.ts';

export interface EngineDeps {
  readonly store: Store;
  readonly venues: Venues;
  readonly market: MarketData;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly book: Book;
  readonly baskets: BasketRegistry;
  /** The contract's `deriveBasketKey`. */
  readonly basketKey: (longIds: readonly string[], shortIds: readonly string[]) => string;
  /** Is `clientId` an active integration for this caller? */
  readonly isActiveClient: (principal: Principal, clientId: string) => boolean;
}
