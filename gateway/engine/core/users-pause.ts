/** Pauses that the user set, which no agent may end or bypass, and the authors of pauses and changes. */
import { inherited, type Placed, placedBy } from '../../domain/authority.ts';
import { pauseOf } from '../../domain/auto-rebalance.ts';
import { pausedOfReplaced } from '../../domain/bracket-fate.ts';
import type { Execution, Position, Principal } from '../../domain/model.ts';
import { type PausedBy, pausedBy } from '../../domain/pause.ts';
import type { PositionSetup } from '../../domain/position-setup.ts';
import type { EngineDeps } from './deps.ts';
import { busy, type Checked, FINE } from './errors.ts';

const NAMES = { TAKE_PROFIT: 'take-profit', STOP_LOSS: 'stop-loss' } as const;

/** @param principal left out: the user */
export function pauserOf(
  { warden }: Pick<EngineDeps, 'warden'>,
  principal: Principal | undefined,
): PausedBy | null {
  return principal !== undefined && warden.isAgent(placedBy(principal)) ? 'AGENT' : null;
}

/**
 * Authority of an object after a change that lets it do more than before. A user's change makes it the user's; an agent,
 * or a program with a mandate, never takes over an object that somebody else placed.
 */
export function changedBy({ warden }: Pick<EngineDeps, 'warden'>, before: Placed, by: Placed): Placed {
  const bound = warden.of(by);
  const isOthers = bound !== null && !warden.isHis(bound, before);
  return inherited(by.authorityKind === 'oauth_grant' || isOthers ? before : by);
}

/** RESOURCE_BUSY (`details.reason` PAUSED_BY_USER) if an agent would end a pause of its user. */
export function endsUsersPause(
  deps: Pick<EngineDeps, 'warden'>,
  principal: Principal,
  paused: Parameters<typeof pausedBy>[0],
): Checked {
  const isUsers = pausedBy(paused) === 'USER' && pauserOf(deps, principal) === 'AGENT';
  return isUsers ? refused('Its user paused it: only its user may resume or replace it') : FINE;
}

/** `endsUsersPause` of several: the first refusal. */
export function endsUsersPauses(
  deps: Pick<EngineDeps, 'warden'>,
  principal: Principal,
  paused: readonly Parameters<typeof pausedBy>[0][],
): Checked {
  return paused.map((one) => endsUsersPause(deps, principal, one)).find(({ ok }) => !ok) ?? FINE;
}

/**
 * RESOURCE_BUSY (PAUSED_BY_USER) if an order's brackets or rebalancing would replace ones that the user paused.
 * @param position the position to which the order adds
 */
export function replacesUsersPause(
  { warden, state: { positions } }: Pick<EngineDeps, 'warden' | 'state'>,
  placed: Placed,
  position: Position | null | undefined,
  setup: Partial<PositionSetup> | null | undefined,
): Checked {
  if (position == null || setup == null || !warden.isAgent(placed)) return FINE;
  const config = setup.autoRebalance == null ? undefined : positions.rebalanceOf(position.id);
  const names = [
    ...pausedOfReplaced(setup, positions.bracketsOf(position.id)).map((one) => NAMES[one.bracketType]),
    ...(config !== undefined && pausedBy(pauseOf(config)) === 'USER' ? ['rebalancing'] : []),
  ];
  return names.length === 0
    ? FINE
    : refused(
        `The user paused the ${names.join(' and the ')} of the position: only the user may resume or replace it`,
      );
}

/**
 * Reason why an agent's order did not set all its brackets: the user had paused the position's brackets meanwhile.
 * null: all are set, or the order has none.
 * @param position as it is once the execution has ended
 */
export function keptForUser(
  { warden, state }: Pick<EngineDeps, 'warden' | 'state'>,
  execution: Execution,
  position: Position | null,
): string | null {
  const setup = state.setups.get(execution.id);
  if (setup === undefined || position === null || !warden.isAgent(execution)) return null;
  if (execution.orders.every(({ filledQuantity }) => filledQuantity === '0')) return null;
  // Newer brackets are the execution's own, or were set while it ran.
  const older = state.positions.bracketsOf(position.id).filter(({ id }) => id < execution.id);
  const kept = pausedOfReplaced(setup, older).map(({ bracketType }) => NAMES[bracketType]);
  return kept.length === 0 ? null : `Not set, as the user paused the present one: ${kept.join(', ')}`;
}

function refused(message: string) {
  // The tools of MCP show the message alone.
  return busy(`${message} (PAUSED_BY_USER)`, { reason: 'PAUSED_BY_USER' });
}
