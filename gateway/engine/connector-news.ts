/** Tells everybody with an account on a connector that it has gone down or works only in part. */
import type { TradeAccount } from '../domain/model.ts';
import { connectorNotification } from '../domain/notification.ts';
import type { EngineDeps } from './deps.ts';
import { notice } from './notify.ts';
import type { ConnectorStatus, Unsubscribe, Venue } from './ports.ts';
import { oneUnit } from './unit-parts.ts';

/** A connection that comes and goes is told at most this often. */
const AT_MOST_EVERY_MS = 60_000;

export function tellConnectorNews(
  deps: Pick<EngineDeps, 'store' | 'venues' | 'clock' | 'ids' | 'logger'>,
  accounts: () => readonly TradeAccount[],
): Unsubscribe {
  const stops = deps.venues.all().map((venue) => listen(deps, venue, accounts));
  return () => {
    for (const stop of stops) stop();
  };
}

function listen(
  deps: Pick<EngineDeps, 'store' | 'clock' | 'ids' | 'logger'>,
  venue: Venue,
  accounts: () => readonly TradeAccount[],
): Unsubscribe {
  let was: ConnectorStatus['status'] = venue.status().status;
  let toldAt: number | null = null;
  return venue.onStatus(({ status, reason }) => {
    const isNews = was === 'UP' && status !== 'UP';
    was = status;
    const now = deps.clock.now();
    if (!isNews || (toldAt !== null && Math.abs(now - toldAt) < AT_MOST_EVERY_MS)) return;
    toldAt = now;
    const text = connectorNotification(venue.info.id, `${status}: ${reason ?? 'no reason given'}`);
    const there = accounts().filter(({ connector }) => connector === venue.info.id);
    const users = new Set(there.map(({ userId }) => userId));
    const notices = [...users].map((userId) => {
      const own = there.filter((account) => account.userId === userId);
      return notice(
        deps,
        text,
        userId,
        own.map(({ id }) => id),
      );
    });
    if (notices.length === 0) return;
    deps.store
      .commit(oneUnit(...notices))
      .then((committed) => {
        if (!committed.ok) deps.logger.warn({ connector: venue.info.id }, 'a notification was not kept');
      })
      .catch((error: unknown) => deps.logger.error({ err: error }, 'a notification was not kept'));
  });
}
