/** Whether an order that could open a position may do so now. Closing orders never ask. */
import { grantOf, type Placed } from '../../domain/authority.ts';
import type { TradeAccount } from '../../domain/model.ts';
import { ok, type Result } from '../../domain/result.ts';
import type { EngineDeps } from './deps.ts';
import { busy, type EngineError, noop } from './errors.ts';

export const AGENT_DISCONNECTED = 'The agent that placed it was disconnected';

export function isCutOff({ authorities }: Pick<EngineDeps, 'authorities'>, placed: Placed): boolean {
  const grantId = grantOf(placed);
  return grantId !== null && authorities.isCutOff(grantId);
}

/**
 * RESOURCE_BUSY (`details.reason` PAUSED) while trading is paused; NOOP_ERROR for good once the placing grant is revoked;
 * ACCOUNT_NOT_ARMED and CALLER_NOT_ALLOWED on a live account.
 */
export function mayOpen(
  deps: Pick<EngineDeps, 'tradingPause' | 'authorities' | 'limits'>,
  account: TradeAccount,
  placed: Placed,
): Result<null, EngineError> {
  if (isCutOff(deps, placed)) return noop(AGENT_DISCONNECTED);
  const paused = deps.tradingPause.check(account.userId);
  return paused.ok ? deps.limits.mayOpen(account, placed) : paused;
}

/** Why the venue takes only what closes at the moment; null: it takes everything. */
export function closeOnlyReason({ venues }: Pick<EngineDeps, 'venues'>, connector: string): string | null {
  const status = venues.get(connector)?.status();
  return status?.closeOnly === true ? `${connector} takes only closing orders: ${status.reason ?? ''}` : null;
}

/** RESOURCE_BUSY (`details.reason` CLOSE_ONLY) while the venue takes only what closes. */
export function takesOpening(deps: Pick<EngineDeps, 'venues'>, connector: string): Result<null, EngineError> {
  const reason = closeOnlyReason(deps, connector);
  return reason === null ? ok(null) : busy(reason, { reason: 'CLOSE_ONLY' });
}
