/** Pauses of the user, which no agent ends, and who asked for a pause. */
import { placedBy } from '../../domain/authority.ts';
import type { Principal } from '../../domain/model.ts';
import { type PausedBy, pausedBy } from '../../domain/pause.ts';
import type { EngineDeps } from './deps.ts';
import { busy, type Checked, FINE } from './errors.ts';

/** @param principal left out: the user */
export function pauserOf(
  { warden }: Pick<EngineDeps, 'warden'>,
  principal: Principal | undefined,
): PausedBy | null {
  return principal !== undefined && warden.isAgent(placedBy(principal)) ? 'AGENT' : null;
}

/** RESOURCE_BUSY (`details.reason` PAUSED_BY_USER) where an agent would end a pause of its user. */
export function endsUsersPause(
  deps: Pick<EngineDeps, 'warden'>,
  principal: Principal,
  paused: Parameters<typeof pausedBy>[0],
): Checked {
  const isUsers = pausedBy(paused) === 'USER' && pauserOf(deps, principal) === 'AGENT';
  return isUsers
    ? busy('Its user paused it: only its user may resume it', { reason: 'PAUSED_BY_USER' })
    : FINE;
}
