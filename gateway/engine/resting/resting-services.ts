/**
 * Services of the engine for the routes of resting orders. Every method of every service
 * - refuses in this order: an invalid request (VALIDATION_ERROR with the field's dotted path in `details`: unknown
 *   symbol or client, a time in the past, a level passed already, below the venue's minimum, unknown prediction
 *   market), then a missing feed (NOT_IMPLEMENTED_ERROR) or unknown markets (CONFIGURATION_ERROR), then a resource of
 *   another account (RESOURCE_NOT_FOUND), then its state (RESOURCE_BUSY, NOOP_ERROR);
 * - answers after the commit that holds the change, its events and, for a new object, its idempotency record, in one
 *   unit; a repeated key gets its first answer before any of the checks of state;
 * - changes nothing when it refuses.
 *
 * A method that could open a position answers RESOURCE_BUSY with `details.reason` `PAUSED` while the user's trading is
 * paused. A state that will end by itself (a TRIGGERED trigger) answers RESOURCE_BUSY. An object that is already in the
 * requested state, or has ended, answers NOOP_ERROR.
 *
 * Events, each in the unit of its change: `<kind>.created`, `.updated` (any change that does not end it), `.completed`
 * (also PARTIALLY_COMPLETED), `.failed`, `.cancelled` (also EXPIRED), with kind trigger, schedule, ladder;
 * `order.updated`; `notification.created`, sent to the account of its parameters.
 */
import type { OrderService } from '../execution/order-service.ts';
import type { PositionService } from '../positions/position-service.ts';
import type { RebalanceService } from './rebalances/rebalance-service.ts';
import type { ScheduleService } from './schedules/schedule-service.ts';
import type { BracketService } from './triggers/bracket-service.ts';
import type { LadderService } from './triggers/ladder-service.ts';
import type { TriggerService } from './triggers/trigger-service.ts';

export interface RestingServices {
  readonly triggers: TriggerService;
  readonly schedules: ScheduleService;
  readonly ladders: LadderService;
  readonly brackets: BracketService;
  readonly rebalances: RebalanceService;
  readonly positions: PositionService;
  readonly orders: OrderService;
}
