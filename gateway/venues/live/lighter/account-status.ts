/** Health of an open account, apart from the venue: its key, nonces, stream and readings. */
import type { Clock } from '../../../engine/ports/system.ts';
import type { AccountStatus } from '../../../engine/ports/venue-status.ts';
import { ofKey, ofNonces, ofReadings, ofStream, WELL } from '../kit/account-watch.ts';
import type { OpenAccount } from '../kit/open-accounts.ts';
import type { Session } from './session.ts';

/** Read once a minute; less often while the venue limits requests. */
const READ_WITHIN = { ms: 3 * 60_000, words: 'three minutes' };

/** @param streamsUpSince of `Clock.uptime`; null: they are down */
export function accountStatus(
  { clock, streamsUpSince }: { readonly clock: Clock; readonly streamsUpSince: number | null },
  { session, reading, openedAt }: OpenAccount<Session>,
): AccountStatus {
  return (
    ofKey(clock, session.refusal) ??
    ofNonces(session.refusedNonces) ??
    ofReadings(clock, reading?.at ?? openedAt, streamsUpSince, READ_WITHIN) ??
    ofStream(clock, session.heard, streamsUpSince, openedAt) ??
    WELL
  );
}
