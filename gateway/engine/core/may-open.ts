/** Checks that an order that could open a position may do so now. Closing orders are not checked. */
import { grantOf, type Placed } from '../../domain/authority.ts';
import type { TradeAccount } from '../../domain/model.ts';
import { ok, type Result } from '../../domain/result.ts';
import type { ConnectorStatus } from '../ports/venue-status.ts';
import type { EngineDeps } from './deps.ts';
import { busy, type EngineError, noop } from './errors.ts';

export const AGENT_DISCONNECTED = 'The agent that placed it was disconnected';

export function isCutOff({ authorities }: Pick<EngineDeps, 'authorities'>, placed: Placed): boolean {
  const grantId = grantOf(placed);
  return grantId !== null && authorities.isCutOff(grantId);
}

/**
 * RESOURCE_BUSY (`details.reason` PAUSED) while trading is paused; NOOP_ERROR for good once the placing grant is
 * revoked; ACCOUNT_NOT_ARMED and CALLER_NOT_ALLOWED on a live account.
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

/** Reason why nothing opens at the venue or on the account now. */
export interface Shut {
  readonly message: string;
  readonly reason: 'CLOSE_ONLY' | 'VENUE_DOWN' | 'ACCOUNT_DOWN';
  /** Expected end, epoch ms; null: unknown. */
  readonly retryAt: number | null;
}

/** State that prevents opening orders; null: the venue reports none. */
export function shutFor(
  { venues }: Pick<EngineDeps, 'venues'>,
  { id: tradeAccountId, connector, exchangeIdentifier, status: own }: TradeAccount,
): Shut | null {
  const venue = venues.get(connector);
  const status = venue?.status();
  return (
    shutBy(connector, 'VENUE_DOWN', status) ??
    shutBy(
      'The account',
      'ACCOUNT_DOWN',
      // An account with refused credentials shows its own error and remedy.
      own === 'INVALID_CREDENTIALS'
        ? undefined
        : (venue?.accountStatus?.({ tradeAccountId, exchangeIdentifier }) ?? undefined),
    )
  );
}

function shutBy(
  who: string,
  down: 'VENUE_DOWN' | 'ACCOUNT_DOWN',
  told: Pick<ConnectorStatus, 'trading' | 'reason' | 'until'> | undefined,
): Shut | null {
  if (told?.trading === undefined || told.trading === 'UP') return null;
  const isDown = told.trading === 'DOWN';
  const what = isDown ? 'takes no orders at the moment' : 'takes only closing orders';
  return {
    message: `${who} ${what}: ${told.reason ?? 'no reason given'}`,
    reason: isDown ? down : 'CLOSE_ONLY',
    retryAt: told.until ?? null,
  };
}

/** RESOURCE_BUSY (`details.reason`, `retryAt` if known) while nothing can open at the venue or on the account. */
export function takesOpening(
  deps: Pick<EngineDeps, 'venues'>,
  account: TradeAccount,
): Result<null, EngineError> {
  const shut = shutFor(deps, account);
  if (shut === null) return ok(null);
  const { message, reason, retryAt } = shut;
  return busy(message, { reason, ...(retryAt === null ? {} : { retryAt }) });
}
