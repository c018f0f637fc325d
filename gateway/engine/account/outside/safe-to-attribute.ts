/**
 * Conditions for giving an account's fills to a basket: no execution that may have made them is running or has just
 * ended, and the fill is old enough not to turn out to be an execution's. Each obstacle passes with time.
 */
import type { Execution, TradeAccount } from '../../../domain/model.ts';
import { fail, ok, type Result } from '../../../domain/result.ts';
import type { EngineDeps } from '../../core/deps.ts';
import type { EngineError } from '../../core/errors.ts';

export const SETTLE_WINDOW_MS = 10_000;
export const MINIMUM_FILL_AGE_MS = 15_000;
/** Largest difference between the venue's clock and this one. */
const SKEW_MS = 5_000;
/** Number of the account's latest executions that are searched for one that ended just now. */
const LATEST = 100;

type SyncCode =
  | 'SYNC_CREATE_EXECUTION_IN_FLIGHT'
  | 'SYNC_CREATE_EXECUTION_JUST_SETTLED'
  | 'SYNC_CREATE_FILLS_TOO_RECENT'
  | 'SYNC_CREATE_CLOID_ALREADY_PROVISIONAL';

/** A conflict that passes with time; `details` hold the wait time. */
export function notYet(code: SyncCode, message: string, details: Readonly<Record<string, unknown>> = {}) {
  return fail<EngineError>({
    code,
    message,
    details: {
      minimumFillAgeSeconds: MINIMUM_FILL_AGE_MS / 1_000,
      settleWindowSeconds: SETTLE_WINDOW_MS / 1_000,
      ...details,
    },
  });
}

export async function checkSettled(
  deps: Pick<EngineDeps, 'state' | 'store' | 'clock'>,
  account: TradeAccount,
): Promise<Result<null, EngineError>> {
  return deps.state.claims.isRunning(account.id) ? inFlight() : checkNoneJustEnded(deps, account);
}

export function inFlight() {
  return notYet('SYNC_CREATE_EXECUTION_IN_FLIGHT', 'An execution on this account is still running');
}

export async function checkNoneJustEnded(
  deps: Pick<EngineDeps, 'store' | 'clock'>,
  account: TradeAccount,
): Promise<Result<null, EngineError>> {
  const latest = await latestExecutions(deps, account);
  const settledAt = Math.max(...latest.map(({ finishedAt }) => finishedAt ?? 0), 0);
  const safeAt = settledAt + SETTLE_WINDOW_MS;
  if (deps.clock.now() >= safeAt) return ok(null);
  return notYet(
    'SYNC_CREATE_EXECUTION_JUST_SETTLED',
    'An execution on this account has only just ended; its fills are still being told apart',
    { retryAt: new Date(safeAt).toISOString() },
  );
}

/**
 * Time from which a fill is certainly of no execution, epoch ms; null: one that may have made it is running. An execution
 * that began after the fill has not made it: a plan whose slices follow each other in seconds keeps no fill waiting.
 * @param executions the account's latest
 */
export function certainAt(
  fill: { readonly timestamp: number },
  executions: readonly Pick<Execution, 'createdAt' | 'finishedAt'>[],
): number | null {
  const ends = executions
    .filter(({ createdAt }) => createdAt <= fill.timestamp + SKEW_MS)
    .map(({ finishedAt }) => finishedAt);
  if (ends.includes(null)) return null;
  return Math.max(oldEnoughAt([fill]), ...ends.map((endedAt) => (endedAt ?? 0) + SETTLE_WINDOW_MS));
}

export async function latestExecutions(
  deps: Pick<EngineDeps, 'store'>,
  account: TradeAccount,
): Promise<readonly Pick<Execution, 'createdAt' | 'finishedAt'>[]> {
  const page = { limit: LATEST, after: null };
  return (await deps.store.executions({ tradeAccountId: account.id }, page)).rows;
}

/** Time from which the youngest of the fills is old enough, epoch ms. */
export function oldEnoughAt(fills: readonly { readonly timestamp: number }[]): number {
  return Math.max(...fills.map(({ timestamp }) => timestamp), 0) + MINIMUM_FILL_AGE_MS;
}
