/** Whether an order that could open a position may do so now. Closing orders never ask. */
import { grantOf, type Placed } from '../../domain/authority.ts';
import type { TradeAccount } from '../../domain/model.ts';
import type { Result } from '../../domain/result.ts';
import type { EngineDeps } from './deps.ts';
import { type EngineError, noop } from './errors.ts';

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
