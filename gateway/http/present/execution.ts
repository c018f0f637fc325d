import type { z } from 'zod';
import type { basketPlan, execution, executionOrder, fill } from '../../contract/trading.ts';
import type { Execution, Fill, Order } from '../../domain/model.ts';
import type { BasketPlan } from '../../domain/sizing.ts';
import type { NamePlaced } from './authority.ts';
import { iso, isoOrNull } from './time.ts';

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
  return {
    legs: plan.legs.map((sized) => ({
      symbol: sized.leg.symbol,
      ticker: sized.ticker,
      side: sized.leg.side,
      quantity: sized.quantity,
      price: sized.price,
      limitPrice: sized.limitPrice,
      notional: sized.notional,
      leverage: sized.leverage,
      marginMode: sized.marginMode,
      margin: sized.margin,
      fee: sized.fee,
      problem: sized.problem,
    })),
    grossNotional: plan.grossNotional,
    netNotional: plan.netNotional,
    totalFee: plan.totalFee,
    marginRequired: plan.marginRequired,
    freeMargin: plan.freeMargin,
    netFundingHourly: plan.netFundingHourly,
    problems: plan.problems.map(({ code, message, symbol }) => ({ code, message, symbol })),
  };
}
