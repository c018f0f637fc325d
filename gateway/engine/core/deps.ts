/** What every engine service is given by the composition root. */
import type { Principal } from '../../domain/model.ts';
import type { MarketData } from '../ports/market.ts';
import type { Store } from '../ports/store.ts';
import type { Clock, Ids, Logger } from '../ports/system.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';
import type { Venues } from '../ports/venue.ts';
import type { BasketRegistry } from './basket-registry.ts';
import type { Book } from './book.ts';
import type { Brakes } from './brakes.ts';
import type { FollowUps } from './follow-ups.ts';
import type { OrderCancels } from './order-cancels.ts';

/** A unit that the store takes in the place of one that it refused, and what to call when it is on disk. */
export interface AmendedUnit {
  readonly unit: UnitOfWork;
  committed(): void;
}

/** Whether whoever placed something has been cut off since: a grant that was revoked. From memory, and at once. */
export interface Authorities {
  isCutOff(grantId: string): boolean;
}

export interface EngineDeps {
  readonly store: Store;
  readonly venues: Venues;
  readonly market: MarketData;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly book: Book;
  /** Who is told, in the same unit, that an execution ended or a position changed. */
  readonly followUps: FollowUps;
  /** Asked by what could open something, when it is accepted and before it is sent. */
  readonly brakes: Pick<Brakes, 'check' | 'hold'>;
  /** Asked beside the brakes: nothing of an agent that was disconnected opens anything. */
  readonly authorities: Authorities;
  readonly cancels: OrderCancels;
  readonly baskets: BasketRegistry;
  /** Fills that came with the id of another trade. */
  readonly reviews: { amend(unit: UnitOfWork): Promise<AmendedUnit | null> };
  /** The contract's `deriveBasketKey`. */
  readonly basketKey: (longIds: readonly string[], shortIds: readonly string[]) => string;
  /** Is `clientId` an active integration for this caller? */
  readonly isActiveClient: (principal: Principal, clientId: string) => boolean;
}
