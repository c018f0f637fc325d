/** Protection of a position as an approval would leave it, at the present marks. */
import { putBrackets } from '../contract/brackets.ts';
import { reversePosition } from '../contract/position-actions.ts';
import type { Approval } from '../domain/approval.ts';
import { openingBrackets } from '../domain/bracket-fate.ts';
import type { Position } from '../domain/model.ts';
import type { Protection } from '../domain/protection.ts';
import { namedPosition } from '../engine/approvals/shown-terms.ts';
import type { EngineDeps } from '../engine/core/deps.ts';
import { basketKeyOf } from '../engine/execution/basket-key.ts';
import {
  protectionAfter,
  protectionIfSet,
  withAdded,
  withoutClosed,
} from '../engine/execution/protection-after.ts';
import { bracketsOfReversal } from '../engine/positions/reverse-position.ts';
import { bracketChangeOf, bracketsOf } from '../http/resting-input.ts';
import { bracketFields } from './asked-of-preview.ts';

type Deps = Pick<EngineDeps, 'market' | 'state' | 'basketKey' | 'warden'>;

/** Empty: it is decided, sized later, or neither opens, adds nor sets brackets. */
export function protectionIfApproved(deps: Deps, approval: Approval): readonly Protection[] {
  const { status, connector, request, plan } = approval;
  const trades = plan.legs.flatMap(({ quantity, ...leg }) =>
    quantity === null ? [] : [{ ...leg, quantity, mode: 'BASE' as const, amount: quantity }],
  );
  if (status !== 'PENDING' || trades.length < plan.legs.length) return [];
  const added = trades.filter(({ reduces }) => reduces !== true);
  const placed = { authorityKind: approval.holder.kind, authorityId: approval.holder.id };
  const keepsStopNear = (one: Position | null) => deps.warden.shares.keepsStopNear(placed, one);
  const position = namedPosition(deps, { id: approval.tradeAccountId }, request.params);
  switch (request.route) {
    case 'PUT /positions/:id/brackets': {
      const read = putBrackets.body.safeParse(request.body);
      if (position === undefined || !read.success) return [];
      return protectionIfSet(deps, connector, position, bracketChangeOf(read.data));
    }
    case 'POST /positions/:id/reverse': {
      const read = reversePosition.body.safeParse(request.body ?? {});
      if (position === undefined || !read.success) return [];
      const { carried } = bracketsOfReversal(deps, position, read.data.brackets, placed);
      const set = carried.map(({ from, to }) => ({ kind: from.bracketType, bracket: to }));
      return protectionAfter(deps, connector, null, withAdded(deps, connector, null, added), {
        brackets: { replaced: [], set },
      });
    }
    case 'POST /positions/:id/adjust':
    case 'POST /positions/:id/rebalance': {
      if (position === undefined) return [];
      const closed = trades.filter(({ reduces }) => reduces === true);
      const legs = withoutClosed(position, closed);
      const after = withAdded(deps, connector, { id: position.id, legs }, added);
      return protectionAfter(deps, connector, position, after, { staysNear: keepsStopNear(position) });
    }
    case 'POST /trade/open':
    case 'POST /triggers/open':
    case 'POST /schedules': {
      const read = bracketFields.safeParse(request.body);
      if (!read.success || added.length === 0) return [];
      const held = deps.state.positions.ofBasket(approval.tradeAccountId, basketKeyOf(deps, added)) ?? null;
      const present = held === null ? [] : deps.state.positions.bracketsOf(held.id);
      const brackets = openingBrackets(bracketsOf(read.data), present);
      return protectionAfter(deps, connector, held, withAdded(deps, connector, held, added), {
        brackets,
        staysNear: keepsStopNear(held),
      });
    }
    default:
      return [];
  }
}
