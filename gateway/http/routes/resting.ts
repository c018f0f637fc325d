/** Every route of what waits, in the order in which the documentation lists them. */
import type { Clock, Store } from '../../engine/ports.ts';
import type { RestingServices } from '../../engine/resting-ports.ts';
import type { BoundRoute } from '../handler.ts';
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
  readonly resting: RestingServices;
  readonly store: Store;
  readonly positions: PositionPresenter;
  readonly clock: Pick<Clock, 'now'>;
}

export function restingRoutes({ resting, store, positions, clock }: RestingRouteDeps): readonly BoundRoute[] {
  const { triggers, schedules, ladders, rebalances, orders, safety } = resting;
  return [
    ...triggerRoutes({ triggers, store, positions }),
    ...scheduleRoutes({ schedules, store, positions }),
    ...ladderRoutes({ ladders, store, positions }),
    ...positionActionRoutes({ resting, positions }),
    ...rebalanceRoutes({ rebalances, store, positions }),
    ...orderRoutes({ orders, store, positions }),
    ...notificationRoutes({ store, clock }),
    ...safetyRoutes({ safety }),
  ];
}
