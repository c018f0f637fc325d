/** A change of a position that an agent previews, as the request that placing it makes is judged. */
import { putAutoRebalance } from '../contract/auto-rebalance.ts';
import { reversePosition } from '../contract/position-actions.ts';
import { adjustPosition, closePosition } from '../contract/positions.ts';
import { rebalancePosition } from '../contract/rebalance.ts';
import { REBALANCE_SLIPPAGE } from '../domain/auto-rebalance.ts';
import { setupOfReversal } from '../domain/bracket-fate.ts';
import type { Position, TradeAccount, TradeLeg } from '../domain/model.ts';
import type { Asked } from '../engine/core/asked.ts';
import type { EngineDeps } from '../engine/core/deps.ts';
import { held } from '../engine/execution/bracket-checks.ts';
import type { Intention } from '../engine/execution/intention.ts';
import { askOfPlacing } from '../engine/execution/may-place.ts';
import { closeLaterAsk, keepWeightsAsk } from '../engine/execution/may-wait.ts';
import type { BoundMandate } from '../engine/ports/mandate-book.ts';
import { adjustIntention, closeIntention } from '../engine/positions/change-position.ts';
import { bracketsOfReversal } from '../engine/positions/reverse-position.ts';
import { rebalanceIntention } from '../engine/resting/rebalances/rebalancer.ts';
import { closedBy } from '../engine/resting/triggers/trigger-mandate.ts';
import { adjustmentOf, isWholeFraction } from '../http/routes/positions.ts';
import type { AgentRequest } from '../mcp/verdict.ts';

type Deps = Pick<EngineDeps, 'warden' | 'state' | 'basketKey' | 'market'>;

export interface PreviewedChange extends AgentRequest {
  /** Legs that a rebalance would trade, in base units. */
  readonly legs: readonly TradeLeg[];
}

/** null: the request is not complete, or it changes protection or margin. */
export function askedOfChange(
  deps: Deps,
  bound: BoundMandate,
  account: TradeAccount,
  position: Position,
  change: PreviewedChange,
): Asked | null {
  const placed = { authorityKind: bound.holder.kind, authorityId: bound.holder.id };
  const ofOrder = (intention: Intention) =>
    askOfPlacing(
      deps,
      bound,
      { account, basketKey: position.basketKey, request: { asked: null } },
      intention,
    );
  switch (change.route) {
    case 'POST /positions/:id/close': {
      const read = closePosition.body.safeParse(change.body);
      const close = read.success ? closing(deps, position, read.data) : null;
      if (!read.success || close === null) return null;
      if (read.data.type === 'MARKET') return ofOrder(close);
      const later = read.data.type === 'TRIGGER' ? closedAtTrigger(position, read.data, close) : close;
      return closeLaterAsk(deps, bound, account, position, later);
    }
    case 'POST /positions/:id/adjust': {
      const read = adjustPosition.body.safeParse(change.body);
      const adjust = read.success
        ? adjustIntention(deps, position, adjustmentOf(position.id, read.data))
        : null;
      return adjust?.ok === true ? ofOrder(adjust.value) : null;
    }
    case 'POST /positions/:id/reverse': {
      const read = reversePosition.body.safeParse(change.body);
      const close = read.success ? closing(deps, position, { ...read.data, fraction: '1' }) : null;
      if (!read.success || close === null) return null;
      const brackets = bracketsOfReversal(deps, position, read.data.brackets, placed);
      return ofOrder({ ...close, intent: 'REVERSE', setup: setupOfReversal(brackets), brackets });
    }
    case 'POST /positions/:id/rebalance': {
      const read = rebalancePosition.body.safeParse(change.body);
      if (!read.success || change.legs.length === 0) return null;
      const { slippage = REBALANCE_SLIPPAGE, onLegFailure } = read.data;
      return ofOrder(rebalanceIntention(position, change.legs, { slippage, onLegFailure, clientId: null }));
    }
    case 'PUT /positions/:id/auto-rebalance': {
      const read = putAutoRebalance.body.safeParse(change.body);
      return read.success ? keepWeightsAsk(account, position, read.data) : null;
    }
    default:
      return null;
  }
}

function closing(
  deps: Deps,
  position: Position,
  { fraction, slippage }: { readonly fraction: string; readonly slippage?: string | undefined },
): Intention | null {
  const asked = {
    fraction: isWholeFraction(fraction) ? '1' : fraction,
    slippage: slippage ?? null,
    clientId: null,
  };
  const made = closeIntention(deps, position, asked);
  return made.ok ? made.value : null;
}

/** A trigger is judged by the exact share: it is rounded to lots when it fires. */
function closedAtTrigger(
  position: Position,
  { fraction }: { readonly fraction: string },
  { slippage }: Pick<Intention, 'slippage'>,
): Pick<Intention, 'legs' | 'slippage'> {
  const legs = held(position).map(({ symbol, side, quantity }): TradeLeg => {
    return { symbol, side, mode: 'BASE', amount: quantity };
  });
  return closedBy({ legs, fraction, slippage });
}
