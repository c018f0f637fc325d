/** All routes of resting orders, in the order in which the documentation lists them. */
import type { AuditTrail } from '../../auth/audit.ts';
import type { Store } from '../../engine/ports/store.ts';
import type { Clock } from '../../engine/ports/system.ts';
import type { OrderServices } from '../../engine/safety/safety-service.ts';
import type { BoundRoute } from '../handler.ts';
import type { AuthorityNames } from '../present/authority.ts';
import { rebalanceRoutes } from './auto-rebalance.ts';
import { ladderRoutes } from './ladders.ts';
import { notificationRoutes } from './notifications.ts';
import { orderRoutes } from './orders.ts';
import { positionActionRoutes } from './position-actions.ts';
import type { PositionPresenter } from './positions.ts';
import { safetyRoutes } from './safety.ts';
import { scheduleRoutes } from './schedules.ts';
import { triggerRoutes } from './triggers.ts';

export interface RestingRouteDeps {
  readonly resting: OrderServices;
  readonly store: Store;
  readonly positions: PositionPresenter;
  readonly clock: Pick<Clock, 'now'>;
  readonly names: AuthorityNames;
  readonly audit: AuditTrail;
}

export function restingRoutes(deps: RestingRouteDeps): readonly BoundRoute[] {
  const { resting, store, positions, clock, names, audit } = deps;
  const { triggers, schedules, ladders, rebalances, orders, safety } = resting;
  return [
    ...triggerRoutes({ triggers, store, positions, names }),
    ...scheduleRoutes({ schedules, store, positions, names }),
    ...ladderRoutes({ ladders, store, positions, names }),
    ...positionActionRoutes({ resting, positions, names }),
    ...rebalanceRoutes({ rebalances, store, positions }),
    ...orderRoutes({ orders, store, positions }),
    ...notificationRoutes({ store, clock }),
    ...safetyRoutes({ safety, names, audit }),
  ];
}
