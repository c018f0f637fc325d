/** Health of each open account, apart from the venue: its key, nonces, stream and readings. */
import type { Clock } from '../../../engine/ports/system.ts';
import {
  type AccountWatch,
  ofKey,
  ofNonces,
  ofStream,
  troubled,
  WELL,
  watchAccounts,
} from '../kit/account-watch.ts';
import type { OpenAccount, OpenAccounts } from './open-accounts.ts';

/** Read once a minute; less often while the venue limits requests. */
const READ_WITHIN_MS = 3 * 60_000;

export function createAccountWatch(deps: {
  readonly clock: Clock;
  readonly accounts: Pick<OpenAccounts, 'all'>;
  /** Uptime since which the streams are up; null: they are not. */
  readonly streamsUpSince: () => number | null;
}): AccountWatch<OpenAccount> {
  const { clock, accounts, streamsUpSince } = deps;
  const ofReadings = ({ reading, openedAt }: OpenAccount) =>
    streamsUpSince() !== null && clock.uptime() - (reading?.at ?? openedAt) > READ_WITHIN_MS
      ? troubled('its balances and positions could not be read for three minutes')
      : null;
  return watchAccounts({
    clock,
    all: () => accounts.all.map((one) => [one.account, one] as const),
    statusOf: (one) =>
      ofKey(clock, one.session.refusal) ??
      ofNonces(one.session.refusedNonces) ??
      ofReadings(one) ??
      ofStream(clock, one.session.heard, streamsUpSince(), one.openedAt) ??
      WELL,
  });
}
