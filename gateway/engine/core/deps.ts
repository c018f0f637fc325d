/** Dependencies that the composition root gives to every engine service. */
import type { Principal } from '../../domain/model.ts';
import type { MarketData } from '../ports/market.ts';
import type { Store } from '../ports/store.ts';
import type { Clock, Ids, Logger } from '../ports/system.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';
import type { Venues } from '../ports/venue.ts';
import type { OpeningLimits } from './account-limits.ts';
import type { BasketRegistry } from './basket-registry.ts';
import type { FollowUps } from './follow-ups.ts';
import type { LiveState } from './live-state.ts';
import type { OrderCancels } from './order-cancels.ts';
import type { TradingPause } from './trading-pause.ts';
import type { Warden } from './warden.ts';

/** A unit that replaces one the store refused, with the callback for when the replacement is on disk. */
export interface AmendedUnit {
  readonly unit: UnitOfWork;
  committed(): void;
}

/** Revocations of grants, from memory. An object placed with a revoked grant is cut off. */
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
  readonly state: LiveState;
  /** Services that add to the unit in which an execution ends or a position changes. */
  readonly followUps: FollowUps;
  /** Checked for every order that could open a position: at acceptance, and again before it is sent. */
  readonly tradingPause: Pick<TradingPause, 'check' | 'holds'>;
  /** Checked together with the trading pause: a disconnected agent opens no position. */
  readonly authorities: Authorities;
  /** Arming and caps of live accounts, checked together with the trading pause and once more before each sending. */
  readonly limits: Pick<
    OpeningLimits,
    'mayOpen' | 'mayAsk' | 'planProblem' | 'dayProblem' | 'admit' | 'forget' | 'withinCaps'
  >;
  /** Pre-trade risk check against mandates of agents and API keys, made together with the account's limits. */
  readonly warden: Warden;
  readonly cancels: OrderCancels;
  readonly baskets: BasketRegistry;
  /** Puts a fill under review if its trade id belongs to another trade already. */
  readonly reviews: { amend(unit: UnitOfWork): Promise<AmendedUnit | null> };
  /** The contract's `deriveBasketKey`. */
  readonly basketKey: (longIds: readonly string[], shortIds: readonly string[]) => string;
  /** True: `clientId` is an active integration for this caller. */
  readonly isActiveClient: (principal: Principal, clientId: string) => boolean;
}
