/** All routes of resting orders, in the order in which the documentation lists them. */
import type { BoundRoute } from '../../call/call.ts';
import { alertRoutes } from './alerts.ts';
import { rebalanceRoutes } from './auto-rebalance.ts';
import { ladderRoutes } from './ladders.ts';
import { notificationRoutes } from './notifications.ts';
import { orderRoutes } from './orders.ts';
import { positionActionRoutes } from './position-actions.ts';
import type { RestingRouteDeps } from './resting-deps.ts';
import { safetyRoutes } from './safety.ts';
import { scheduleRoutes } from './schedules.ts';
import { triggerRoutes } from './triggers.ts';

export function restingRoutes(deps: RestingRouteDeps): readonly BoundRoute[] {
  return [
    ...triggerRoutes(deps),
    ...alertRoutes(deps),
    ...scheduleRoutes(deps),
    ...ladderRoutes(deps),
    ...positionActionRoutes(deps),
    ...rebalanceRoutes(deps),
    ...orderRoutes(deps),
    ...notificationRoutes(deps),
    ...safetyRoutes(deps),
  ];
}
