/** A change of a position that an agent previews, against what its user paused. */
import { putBrackets } from '../contract/brackets.ts';
import { reversePosition } from '../contract/position-actions.ts';
import { placedBy } from '../domain/authority.ts';
import { pauseOf } from '../domain/auto-rebalance.ts';
import { namedBrackets } from '../domain/bracket-fate.ts';
import type { Position, Principal, TradeAccount } from '../domain/model.ts';
import type { EngineDeps } from '../engine/core/deps.ts';
import { type Checked, FINE } from '../engine/core/errors.ts';
import { endsUsersPause, endsUsersPauses } from '../engine/core/users-pause.ts';
import { bracketsOfReversal, dropsUsersPause } from '../engine/positions/reverse-position.ts';
import { bracketChangeOf } from '../http/resting-input.ts';
import type { McpProgramDeps } from '../mcp/parts.ts';
import type { AgentRequest } from '../mcp/verdict.ts';

type Deps = Pick<EngineDeps, 'warden' | 'state' | 'basketKey' | 'market'>;

/** @param accountOf undefined: the caller does not reach the account */
export function pauseProblemOf(
  deps: Deps,
  accountOf: (principal: Principal, id: string) => TradeAccount | undefined,
): McpProgramDeps['pauseProblem'] {
  return (principal, positionId, request) => {
    const position = deps.state.positions.get(positionId);
    if (position === undefined || accountOf(principal, position.tradeAccountId) === undefined) return null;
    const free = endsUsersPauseByChange(deps, principal, position, request);
    return free.ok ? null : free.error.message;
  };
}

/** RESOURCE_BUSY (PAUSED_BY_USER) if placing the change would end a pause of the user. */
function endsUsersPauseByChange(
  deps: Deps,
  principal: Principal,
  position: Position,
  { route, body }: AgentRequest,
): Checked {
  const { positions } = deps.state;
  switch (route) {
    case 'PUT /positions/:id/brackets': {
      const read = putBrackets.body.safeParse(body);
      if (!read.success) return FINE;
      const named = namedBrackets(bracketChangeOf(read.data), positions.bracketsOf(position.id));
      return endsUsersPauses(deps, principal, named);
    }
    case 'POST /positions/:id/reverse': {
      const read = reversePosition.body.safeParse(body);
      if (!read.success) return FINE;
      const brackets = bracketsOfReversal(deps, position, read.data.brackets, placedBy(principal));
      return dropsUsersPause(deps, principal, brackets);
    }
    case 'PUT /positions/:id/auto-rebalance': {
      const present = positions.rebalanceOf(position.id);
      return present === undefined ? FINE : endsUsersPause(deps, principal, pauseOf(present));
    }
    default:
      return FINE;
  }
}
