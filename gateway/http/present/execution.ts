import type { z } from 'zod';
import { basketPlan, execution, executionOrder, type fill } from '../../contract/trading.ts';
import type { AccountAfter } from '../../domain/account-after.ts';
import type { ExpectedPlan } from '../../domain/expected-fill.ts';
import type { Execution, Fill, Order } from '../../domain/model.ts';
import type { BasketPlan } from '../../domain/sizing.ts';
import type { NamePlaced } from './authority.ts';
import { iso } from './time.ts';
import { wireForm } from './wire-form.ts';

export function presentExecution(value: Execution, name: NamePlaced): z.input<typeof execution> {
  return wireForm(execution, value, { orders: value.orders.map(presentOrder), authority: name(value) });
}

export function presentOrder(order: Order): z.input<typeof executionOrder> {
  return wireForm(executionOrder, order, {});
}

export function presentFill(value: Fill): z.input<typeof fill> {
  return {
    id: value.id,
    executionId: value.executionId,
    orderId: value.orderId,
    positionId: value.positionId,
    connector: value.connector,
    symbol: value.symbol,
    side: value.side,
    price: value.price,
    quantity: value.quantity,
    notional: value.notional,
    fee: value.fee,
    feeAsset: value.feeAsset,
    realizedPnl: value.realizedPnl,
    liquidity: value.liquidity,
    venueOrderId: value.venueOrderId,
    tradeId: value.tradeId,
    cloid: value.cloid,
    isLiquidation: value.isLiquidation,
    isProvisional: value.isProvisional,
    cause: value.cause ?? 'TRADE',
    timestamp: iso(value.timestamp),
  };
}

export function presentPlan(
  plan: BasketPlan,
  expected: ExpectedPlan,
  after: AccountAfter | null,
): z.input<typeof basketPlan> {
  const { legs, problems } = basketPlan.shape;
  return wireForm(basketPlan, plan, {
    after: presentAfter(after),
    expectedCost: expected.cost,
    expectedSlippage: expected.slippage,
    legs: plan.legs.map((sized, index) =>
      wireForm(legs.element, { ...sized.leg, ...sized }, { expected: expected.legs[index] ?? null }),
    ),
    problems: plan.problems.map((problem) => wireForm(problems.element, problem, {})),
  });
}

export function presentAfter(after: AccountAfter | null): z.input<typeof basketPlan>['after'] {
  return after && { ...after, legs: [...after.legs], unknownTiers: [...after.unknownTiers] };
}
