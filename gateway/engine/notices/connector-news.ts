/**
 * Notifies every user with an account on a connector when the connector goes down, works only in part, or works again.
 * Its status comes from the source that `GET /connectors` and the channel `connector.status` use, so all three agree.
 */
import type { TradeAccount } from '../../domain/model.ts';
import { connectorNotification, type NotificationText } from '../../domain/notification.ts';
import type { EngineDeps } from '../core/deps.ts';
import type { Unsubscribe } from '../ports/system.ts';
import type { ConnectorStatus } from '../ports/venue.ts';
import { tellUsers } from './notify.ts';

/** Minimum time between two trouble notifications of one connector, because its connection may come and go. */
const AT_MOST_EVERY_MS = 60_000;

/** Connector statuses as market/ derives them: a venue that says UP and sends nothing is DEGRADED. */
export interface ConnectorStatuses {
  connectorIds(): readonly string[];
  /** undefined: there is no such connector. */
  statusOf(connector: string): ConnectorStatus | undefined;
  onStatus(listener: (connector: string) => void): Unsubscribe;
}

type Deps = Pick<EngineDeps, 'store' | 'clock' | 'ids' | 'logger'>;

interface Told {
  was: ConnectorStatus['status'];
  /** Monotonic time of the last trouble notification; null: none was sent. */
  toldAt: number | null;
  /** True: trouble was notified, so the recovery has to be notified as well. */
  isTrouble: boolean;
}

export function tellConnectorNews(
  deps: Deps,
  statuses: ConnectorStatuses,
  accounts: () => readonly TradeAccount[],
): Unsubscribe {
  const told = new Map<string, Told>(
    statuses
      .connectorIds()
      .map((id) => [id, { was: statuses.statusOf(id)?.status ?? 'UP', toldAt: null, isTrouble: false }]),
  );
  return statuses.onStatus((connector) => {
    const now = statuses.statusOf(connector);
    const before = told.get(connector);
    if (now === undefined || before === undefined) return;
    const text = newsOf(connector, before, now, deps.clock.uptime());
    before.was = now.status;
    if (text === null) return;
    const there = accounts().filter((account) => account.connector === connector);
    tellUsers(deps, there, text);
  });
}

/** The notification for a status change, which `told` then remembers; null: none is needed. */
function newsOf(
  connector: string,
  told: Told,
  { status, reason }: ConnectorStatus,
  uptime: number,
): NotificationText | null {
  if (status === 'UP') {
    if (!told.isTrouble) return null;
    told.isTrouble = false;
    return connectorNotification('CONNECTOR_RECOVERED', connector, 'UP');
  }
  const isSoon = told.toldAt !== null && uptime - told.toldAt < AT_MOST_EVERY_MS;
  if (told.was !== 'UP' || isSoon) return null;
  told.toldAt = uptime;
  told.isTrouble = true;
  return connectorNotification('CONNECTOR_DEGRADED', connector, `${status}: ${reason ?? 'no reason given'}`);
}
