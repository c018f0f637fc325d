import type { z } from 'zod';
import { basketPlan, type execution, type executionOrder, type fill } from '../../contract/trading.ts';
import type { Execution, Fill, Order } from '../../domain/model.ts';
import type { BasketPlan } from '../../domain/sizing.ts';
import type { NamePlaced } from './authority.ts';
import { iso, isoOrNull } from './time.ts';
import { wireForm } from './wire-form.ts';

export function presentExecution(value: Execution, name: NamePlaced): z.input<typeof execution> {
  return {
    id: value.id,
    connector: value.connector,
    tradeAccountId: value.tradeAccountId,
    basketKey: value.basketKey,
    type: value.type,
    origin: value.origin,
    intent: value.intent,
    status: value.status,
    error: value.error,
    errorCode: value.errorCode,
    onLegFailure: value.onLegFailure,
    slippage: value.slippage,
    orders: value.orders.map(presentOrder),
    positionId: value.positionId,
    clientId: value.clientId,
    parentId: value.parentId,
    authority: name(value),
    createdAt: iso(value.createdAt),
    activeAt: isoOrNull(value.activeAt),
    finishedAt: isoOrNull(value.finishedAt),
    updatedAt: iso(value.updatedAt),
  };
}

export function presentOrder(order: Order): z.input<typeof executionOrder> {
  return {
    id: order.id,
    symbol: order.symbol,
    side: order.side,
    mode: order.mode,
    amount: order.amount,
    status: order.status,
    quantity: order.quantity,
    filledQuantity: order.filledQuantity,
    averagePrice: order.averagePrice,
    limitPrice: order.limitPrice,
    reduceOnly: order.reduceOnly,
    attempt: order.attempt,
    clientOrderId: order.clientOrderId,
    venueOrderId: order.venueOrderId,
    error: order.error,
    errorCode: order.errorCode,
    createdAt: iso(order.createdAt),
    updatedAt: iso(order.updatedAt),
  };
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

export function presentPlan(plan: BasketPlan): z.input<typeof basketPlan> {
  const { legs, problems } = basketPlan.shape;
  return wireForm(basketPlan, plan, {
    legs: plan.legs.map((sized) => wireForm(legs.element, { ...sized.leg, ...sized }, {})),
    problems: plan.problems.map((problem) => wireForm(problems.element, problem, {})),
  });
}
