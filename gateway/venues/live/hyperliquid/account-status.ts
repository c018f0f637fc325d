/** Health of an open account, apart from the venue: its key, requests, stream and readings. */
import type { Clock } from '../../../engine/ports/system.ts';
import type { AccountStatus } from '../../../engine/ports/venue-status.ts';
import { ofKey, ofNonces, ofReadings, ofStream, WELL } from '../kit/account-watch.ts';
import type { OpenAccount } from '../kit/open-accounts.ts';
import { describeMode, isTradedMode, modeName, type SeenMode } from './account-mode.ts';
import type { RequestLimits } from './request-limits.ts';
import type { Session } from './session.ts';

/** Read every four seconds; less often while the venue limits requests. */
const READ_WITHIN = { ms: 60_000, words: 'a minute' };

function ofMode({ word }: SeenMode): AccountStatus | null {
  if (isTradedMode(word)) return null;
  const reason = `Tandem cannot compute the margin of an opening order in its mode (${modeName(word)}). Its owner can change the mode at the venue`;
  return { status: 'DEGRADED', trading: 'CLOSE_ONLY', reason, until: null };
}

export function accountStatus(
  deps: {
    readonly clock: Clock;
    readonly limits: Pick<RequestLimits, 'shortage'>;
    /** Uptime since which the streams are up; null: they are not. */
    readonly streamsUpSince: number | null;
  },
  { session, reading, openedAt }: OpenAccount<Session>,
): AccountStatus {
  const { clock, limits, streamsUpSince } = deps;
  const status =
    ofKey(clock, session.refusal) ??
    ofMode(session.mode) ??
    ofRequests(limits.shortage(session.user)) ??
    ofNonces(session.refusedNonces) ??
    ofReadings(clock, reading?.at ?? openedAt, streamsUpSince, READ_WITHIN) ??
    ofStream(clock, session.heard, streamsUpSince, openedAt) ??
    WELL;
  const mode = describeMode(session.mode);
  return mode === null ? status : { ...status, mode };
}

function ofRequests(short: ReturnType<RequestLimits['shortage']>): AccountStatus | null {
  if (short === null) return null;
  const reason = `${short.left} of its requests are left at the venue, which are kept for what closes; it gets one more for each USDC traded`;
  return { status: 'DEGRADED', trading: 'CLOSE_ONLY', reason, until: short.until };
}
