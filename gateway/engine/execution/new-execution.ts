import type { Execution, Order, TradeLeg } from '../../domain/model.ts';
import { executionId, idStem, orderId } from '../../domain/order.ts';
import type { EngineDeps } from '../core/deps.ts';

type Header = Pick<
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
  | 'authorityKind'
  | 'authorityId'
  | 'reserved'
>;

/** A newly accepted execution: IDLE, its orders PENDING and not sized. */
export function newExecution(
  deps: Pick<EngineDeps, 'ids' | 'clock'>,
  asked: Header & {
    readonly legs: readonly TradeLeg[];
    /** Quantities that the trader named, by instrument. */
    readonly targets?: ReadonlyMap<string, string> | null;
    /** Worst prices that the caller agreed to, by instrument. */
    readonly worstPrices?: ReadonlyMap<string, string> | null;
  },
): Execution {
  const stem = idStem(deps.ids.next());
  const id = executionId(stem);
  const now = deps.clock.now();
  // Field by field: spreading the header object would cost more than the rest of an acknowledgement.
  return {
    id,
    userId: asked.userId,
    tradeAccountId: asked.tradeAccountId,
    connector: asked.connector,
    basketKey: asked.basketKey,
    type: 'MARKET',
    origin: asked.origin,
    intent: asked.intent,
    status: 'IDLE',
    error: null,
    errorCode: null,
    positionId: asked.positionId,
    clientId: asked.clientId,
    parentId: asked.parentId,
    onLegFailure: asked.onLegFailure,
    slippage: asked.slippage,
    authorityKind: asked.authorityKind,
    authorityId: asked.authorityId,
    reserved: asked.reserved,
    createdAt: now,
    activeAt: null,
    finishedAt: null,
    updatedAt: now,
    orders: asked.legs.map(
      (leg, legIndex): Order => ({
        id: orderId(stem, legIndex),
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
        worstPrice: asked.worstPrices?.get(leg.symbol) ?? null,
        sizedPrice: null,
        targetQuantity: asked.targets?.get(leg.symbol) ?? null,
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

/**
 * A child execution, committed with the end of its parent. It has the parent's account, origin, client and authority.
 * The parent's reservation stays with the parent.
 */
export function childExecution(
  deps: Pick<EngineDeps, 'ids' | 'clock'>,
  parent: Execution,
  asked: Pick<Header, 'basketKey' | 'intent' | 'positionId' | 'onLegFailure' | 'slippage'> & {
    /** Reservation of the child. Default null. */
    readonly reserved?: Execution['reserved'];
    readonly legs: readonly TradeLeg[];
    readonly worstPrices?: ReadonlyMap<string, string> | null;
  },
): Execution {
  return newExecution(deps, { ...parent, reserved: null, ...asked, parentId: parent.id });
}
