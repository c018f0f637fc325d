import type { Execution, Order, TradeLeg } from '../domain/model.ts';
import type { EngineDeps } from './deps.ts';

export type NewLeg = TradeLeg;

/** An execution as it is accepted: IDLE, its orders PENDING and not sized. */
export function newExecution(
  deps: Pick<EngineDeps, 'ids' | 'clock'>,
  asked: Pick<
    Execution,
    | 'userId'
    | 'tradeAccountId'
    | 'connector'
    | 'basketKey'
    | 'origin'
    | 'intent'
    | 'positionId'
    | 'clientId'
    | 'parentId'
    | 'onLegFailure'
    | 'slippage'
  > & { readonly legs: readonly NewLeg[] },
): Execution {
  const { legs, ...header } = asked;
  const id = deps.ids.next();
  const now = deps.clock.now();
  return {
    ...header,
    id,
    type: 'MARKET',
    status: 'IDLE',
    error: null,
    errorCode: null,
    createdAt: now,
    activeAt: null,
    finishedAt: null,
    updatedAt: now,
    orders: legs.map(
      (leg, legIndex): Order => ({
        id: deps.ids.next(),
        executionId: id,
        tradeAccountId: asked.tradeAccountId,
        legIndex,
        symbol: leg.symbol,
        side: leg.side,
        mode: leg.mode,
        amount: leg.amount,
        reduceOnly: false,
        quantity: null,
        limitPrice: null,
        attempt: 0,
        clientOrderId: null,
        expiresAt: null,
        venueOrderId: null,
        status: 'PENDING',
        filledQuantity: '0',
        averagePrice: null,
        error: null,
        errorCode: null,
        createdAt: now,
        updatedAt: now,
      }),
    ),
  };
}
