/** Health of each open account, apart from the venue: its key, requests, stream and readings. */
import type { Clock } from '../../../engine/ports/system.ts';
import type { AccountStatus } from '../../../engine/ports/venue-status.ts';
import {
  type AccountWatch,
  ofKey,
  ofNonces,
  ofStream,
  troubled,
  WELL,
  watchAccounts,
} from '../kit/account-watch.ts';
import { describeMode, isTradedMode, modeName, type SeenMode } from './account-mode.ts';
import type { OpenAccount, OpenAccounts } from './open-accounts.ts';
import type { RequestLimits } from './request-limits.ts';

/** Read every four seconds; less often while the venue limits requests. */
const READ_WITHIN_MS = 60_000;

function ofMode({ word }: SeenMode): AccountStatus | null {
  if (isTradedMode(word)) return null;
  const reason = `Tandem cannot compute the margin of an opening order in its mode (${modeName(word)}). Its owner can change the mode at the venue`;
  return { status: 'DEGRADED', trading: 'CLOSE_ONLY', reason, until: null };
}

export function createAccountWatch(deps: {
  readonly clock: Clock;
  readonly accounts: Pick<OpenAccounts, 'all'>;
  readonly limits: Pick<RequestLimits, 'shortage'>;
  /** Uptime since which the streams are up; null: they are not. */
  readonly streamsUpSince: () => number | null;
}): AccountWatch<OpenAccount> {
  const { clock, accounts, limits, streamsUpSince } = deps;

  function ofRequests(user: string): AccountStatus | null {
    const short = limits.shortage(user);
    if (short === null) return null;
    const reason = `${short.left} of its requests are left at the venue, which are kept for what closes; it gets one more for each USDC traded`;
    return { status: 'DEGRADED', trading: 'CLOSE_ONLY', reason, until: short.until };
  }

  function ofReadings({ reading, openedAt }: OpenAccount): AccountStatus | null {
    const isOld = clock.uptime() - (reading?.at ?? openedAt) > READ_WITHIN_MS;
    if (streamsUpSince() === null || !isOld) return null;
    return troubled('its balances and positions could not be read for a minute');
  }

  return watchAccounts({
    clock,
    all: () => accounts.all(),
    statusOf(one) {
      const status =
        ofKey(clock, one.session.refusal) ??
        ofMode(one.session.mode) ??
        ofRequests(one.session.user) ??
        ofNonces(one.session.refusedNonces) ??
        ofReadings(one) ??
        ofStream(clock, one.session.heard, streamsUpSince(), one.openedAt) ??
        WELL;
      const mode = describeMode(one.session.mode);
      return mode === null ? status : { ...status, mode };
    },
  });
}
