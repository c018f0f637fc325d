/** Binds a request about a position to the quantities in its preview. Called in the same turn as the acceptance. */
import { type Placed, placedBy } from '../../domain/authority.ts';
import type { Principal, TradeAccount } from '../../domain/model.ts';
import { fail } from '../../domain/result.ts';
import { heldLegs, isHeldAsShown, type ShownHeld } from '../../domain/shown-held.ts';
import { askedOf, shownTo } from '../core/caller.ts';
import type { EngineDeps } from '../core/deps.ts';
import { busy, type Checked, FINE } from '../core/errors.ts';
import type { AskedRequest } from '../ports/approval-desk.ts';

type Deps = Pick<EngineDeps, 'warden' | 'state'>;

/**
 * RESOURCE_BUSY with the reason PLAN_CHANGED if the position holds other quantities now.
 * @param shown null: no preview was shown
 */
export function heldAsShown(
  { warden, state }: Deps,
  { account, placed, asked }: { account: TradeAccount; placed: Placed; asked: AskedRequest | null },
  shown: ShownHeld | null,
): Checked {
  const position = shown === null ? undefined : state.positions.get(shown.positionId);
  // A closed position is refused as closed.
  if (shown === null || position === undefined) return FINE;
  if (isHeldAsShown(shown.legs, heldLegs(position))) return FINE;
  // An approval request is bound to what it showed: a repeated request gets the answer to it.
  const known = warden.known(placed, account, asked);
  if (known !== null) return fail(known);
  return busy('The position changed since the preview', { reason: 'PLAN_CHANGED', changed: ['held'] });
}

/** `heldAsShown` for services whose caller carries the previewed quantities. */
export function heldAsCallerSaw(deps: Deps, principal: Principal, account: TradeAccount): Checked {
  const caller = { account, placed: placedBy(principal), asked: askedOf(principal) };
  return heldAsShown(deps, caller, shownTo(principal));
}
