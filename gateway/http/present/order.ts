import type { z } from 'zod';
import type { cancelReport } from '../../contract/cancel-report.ts';
import type { order } from '../../contract/orders.ts';
import type { Execution, Position } from '../../domain/model.ts';
import { orderNotional } from '../../domain/order.ts';
import type { CancelReport } from '../../engine/execution/order-service.ts';
import type { OrderOfExecution } from '../../engine/ports/store.ts';
import type { PositionBrackets } from '../../engine/resting/triggers/bracket-service.ts';
import { presentOrder } from './execution.ts';

type OrderJson = z.input<typeof order>;

export interface OrderContext {
  /** Position of the order's execution; undefined: it has made none. */
  readonly position: Pick<Position, 'legs'> | undefined;
  readonly brackets: PositionBrackets;
}

export function presentOrderOfExecution(value: OrderOfExecution, context: OrderContext): OrderJson {
  const { order: one, execution } = value;
  return {
    ...presentOrder(one),
    executionId: execution.id,
    connector: execution.connector,
    tradeAccountId: execution.tradeAccountId,
    basketKey: execution.basketKey,
    origin: execution.origin,
    intent: execution.intent,
    positionId: execution.positionId,
    // Without a position it opens one: its orders have the sides of the basket.
    legs: (context.position?.legs ?? execution.orders).map(({ symbol, side }) => ({ symbol, side })),
    bracketType: bracketOf(execution, context.brackets),
    ...orderNotional(one),
  };
}

function bracketOf({ id }: Execution, { takeProfit, stopLoss }: PositionBrackets): OrderJson['bracketType'] {
  if (takeProfit?.executionId === id) return 'TAKE_PROFIT';
  return stopLoss?.executionId === id ? 'STOP_LOSS' : null;
}

export function presentCancelReport({ cancelled, failed }: CancelReport): z.input<typeof cancelReport> {
  return {
    cancelled: [...cancelled],
    failed: failed.map(({ id, error }) => ({ id, errorCode: error.code, message: error.message })),
  };
}
