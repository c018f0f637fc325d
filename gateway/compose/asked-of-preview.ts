/** A preview of an agent as the risk check judges it: as the request that placing it would make. */
import { z } from 'zod';
import { bracketInput, bracketsMode, putBrackets } from '../contract/brackets.ts';
import type { Position, TradeAccount } from '../domain/model.ts';
import type { Asked, Loss } from '../engine/core/asked.ts';
import type { EngineDeps } from '../engine/core/deps.ts';
import { actedOn } from '../engine/execution/acted-on.ts';
import { basketKeyOf } from '../engine/execution/basket-key.ts';
import { loosenedByBrackets, loosenedByOrder } from '../engine/execution/loosening.ts';
import { marginAsk } from '../engine/execution/may-wait.ts';
import type { BoundMandate } from '../engine/ports/mandate-book.ts';
import { bracketChangeOf, bracketsOf } from '../http/resting-input.ts';
import type { AgentAsk, AgentRequest } from '../mcp/verdict.ts';
import { askedOfChange } from './asked-of-change.ts';

/** Fields of orders with take-profit and stop-loss. */
export const bracketFields = z.object({
  takeProfit: bracketInput.optional(),
  stopLoss: bracketInput.optional(),
  brackets: bracketsMode,
});

type Deps = Pick<EngineDeps, 'warden' | 'state' | 'basketKey' | 'market'>;

/** @param request the one that placing it would make */
export function askedOfPreview(
  deps: Deps,
  bound: BoundMandate,
  account: TradeAccount,
  ask: AgentAsk,
  request: AgentRequest,
): Asked {
  const {
    kind,
    brings = [],
    effect,
    legs,
    totalUsd,
    slippage,
    positionId,
    rests,
    margin,
    laterSlippage,
  } = ask;
  const { warden, state } = deps;
  const stated = positionId === null ? undefined : state.positions.get(positionId);
  const isOwn = stated === undefined || warden.holdings.ownership(warden.keysOf(bound), stated) !== 'NONE';
  const change =
    stated === undefined ? null : askedOfChange(deps, bound, account, stated, { ...request, legs });
  // A caller without a part of the position cannot see it.
  if (change !== null) return { ...change, isOwn: change.isOwn && isOwn };
  // An order without a stated position adds to the open one of its basket.
  const position =
    stated ?? (legs.length === 0 ? undefined : state.positions.ofBasket(account.id, basketKeyOf(deps, legs)));
  const loosens = position === undefined ? [] : loosenedBy(deps, position, ask);
  const isLess = loosens.length > 0;
  return {
    account,
    kind,
    brings,
    effect: isLess && effect === 'TIGHTENS' ? 'LOOSENS' : effect,
    loosens: isLess ? loosens : undefined,
    trades: legs.length === 0 ? [] : [{ legs, totalUsd, slippage }],
    laterSlippage,
    actsOn: actedOn(position, kind, brings.length > 0),
    opensPosition: effect === 'OPENS' && position === undefined,
    rests,
    request: null,
    isRequest: true,
    ...(margin === undefined ? {} : marginAsk(margin.symbol, margin.amount)),
    isOwn,
  };
}

/** Protection that would be lost. An incomplete request is refused before it is judged. */
function loosenedBy(deps: Deps, position: Position, { protection }: AgentAsk): readonly Loss[] {
  switch (protection?.does) {
    case undefined:
      return [];
    case 'SET': {
      const read = putBrackets.body.safeParse(protection.body);
      return read.success ? loosenedByBrackets(deps, position, bracketChangeOf(read.data)) : [];
    }
    case 'BRING': {
      const read = bracketFields.safeParse(protection.body);
      return read.success ? loosenedByOrder(deps, position, bracketsOf(read.data)) : [];
    }
  }
}
