/**
 * Turning a position over: an execution that closes it, and once that has completed a child that opens the opposite basket
 * in the same quantities. The child is in the unit of the close's end, so no crash comes between the two.
 */
import { dec } from '../domain/decimal.ts';
import type { Execution, Order, Principal, TradeLeg } from '../domain/model.ts';
import { ok, type Result } from '../domain/result.ts';
import { type AcceptDeps, acceptExecution, type OrderCommand } from './accept.ts';
import { closeIntention, openPositionOf } from './change-position.ts';
import type { EngineDeps } from './deps.ts';
import type { EngineError } from './errors.ts';
import type { OnExecutionEnded } from './follow-ups.ts';
import type { Answered } from './idempotency.ts';
import { newExecution } from './new-execution.ts';
import { basketKeyOf, checkClient } from './open-basket.ts';
import type { PositionService } from './resting-ports.ts';

export async function reversePosition(
  deps: AcceptDeps,
  principal: Principal,
  command: OrderCommand,
  asked: Parameters<PositionService['reverse']>[2],
): Promise<Result<Answered, EngineError>> {
  const client = checkClient(deps, principal, asked.clientId);
  if (!client.ok) return client;
  const found = await openPositionOf(deps, command, asked.positionId);
  if (!found.ok) return found;
  return acceptExecution(deps, command, found.value.basketKey, () => {
    const { slippage, clientId, onLegFailure } = asked;
    const position = deps.book.position(asked.positionId);
    const close = closeIntention(deps, position, { fraction: '1', slippage, clientId });
    if (!close.ok) return close;
    const braked = deps.brakes.check(command.account.userId);
    if (!braked.ok) return braked;
    return ok({ ...close.value, intent: 'REVERSE', onLegFailure });
  });
}

/** To be registered with `FollowUps`. A close that did not complete opens nothing. */
export function openOpposite(deps: Pick<EngineDeps, 'ids' | 'clock' | 'basketKey'>): OnExecutionEnded {
  return (ended) => {
    if (ended.intent !== 'REVERSE' || ended.status !== 'COMPLETED') return null;
    if (ended.orders.every((order) => turnedOver(order) === '0')) return null;
    return { unit: {}, children: [oppositeOf(deps, ended)] };
  };
}

/** What was closed here: what was traded against the position outside is no part of it. */
function turnedOver({ filledQuantity, amount }: Order): string {
  return dec(amount).lt(filledQuantity) ? amount : filledQuantity;
}

function oppositeOf(deps: Pick<EngineDeps, 'ids' | 'clock' | 'basketKey'>, closed: Execution): Execution {
  // What closes a leg is on the side that its opposite opens.
  const legs = closed.orders
    .map(
      (order): TradeLeg => ({
        symbol: order.symbol,
        side: order.side,
        mode: 'BASE',
        amount: turnedOver(order),
      }),
    )
    .filter(({ amount }) => amount !== '0');
  return newExecution(deps, {
    userId: closed.userId,
    tradeAccountId: closed.tradeAccountId,
    connector: closed.connector,
    basketKey: basketKeyOf(deps, legs),
    origin: closed.origin,
    intent: 'OPEN',
    positionId: null,
    clientId: closed.clientId,
    parentId: closed.id,
    onLegFailure: closed.onLegFailure,
    slippage: closed.slippage,
    legs,
  });
}
