/** Brackets of agents on a position to which its user adds. */
import type { Placed } from '../../domain/authority.ts';
import type { GivesWay } from '../../domain/bracket-fate.ts';
import type { EngineDeps } from './deps.ts';

/**
 * Protection is the user's: brackets and rebalancing that an agent has set give way to those of an order of its user,
 * also where the order keeps what is there.
 * @param placed who placed the order
 */
export function givesWayTo({ warden }: Pick<EngineDeps, 'warden'>, placed: Placed): GivesWay {
  const isUsers = !warden.isAgent(placed);
  return (present) => isUsers && warden.isAgent(present);
}
