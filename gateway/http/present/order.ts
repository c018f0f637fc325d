import type { z } from 'zod';
import type { cancelReport } from '../../contract/cancel-report.ts';
import type { order } from '../../contract/orders.ts';
import type { CancelReport } from '../../engine/execution/order-service.ts';
import type { OrderOfExecution } from '../../engine/ports/store.ts';
import { presentOrder } from './execution.ts';

export function presentOrderOfExecution(value: OrderOfExecution): z.input<typeof order> {
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
  };
}

export function presentCancelReport({ cancelled, failed }: CancelReport): z.input<typeof cancelReport> {
  return {
    cancelled: [...cancelled],
    failed: failed.map(({ id, error }) => ({ id, errorCode: error.code, message: error.message })),
  };
}
