/**
 * Tells everybody with an account on a connector that it has gone down or works only in part, and that it works again. What
 * a connector is, is asked where `GET /connectors` and the channel `connector.status` ask: there is one answer.
 */
import type { TradeAccount } from '../../domain/model.ts';
import { connectorNotification, type NotificationText } from '../../domain/notification.ts';
import type { EngineDeps } from '../core/deps.ts';
import type { Unsubscribe } from '../ports/system.ts';
import type { ConnectorStatus } from '../ports/venue.ts';
import { tellUsers } from './notify.ts';

/** A connection that comes and goes is told at most this often. */
const AT_MOST_EVERY_MS = 60_000;

/** As market/ knows the connectors: a venue that says UP and sends nothing is DEGRADED. */
export interface ConnectorStatuses {
  connectorIds(): readonly string[];
  /** undefined: there is no such connector. */
  statusOf(connector: string): ConnectorStatus | undefined;
  onStatus(listener: (connector: string) => void): Unsubscribe;
}

type Deps = Pick<EngineDeps, 'store' | 'clock' | 'ids' | 'logger'>;

interface Told {
  was: ConnectorStatus['status'];
  /** On the clock that is never set; null: never. */
  toldAt: number | null;
  /** Whoever heard that it is in trouble hears that it is not any more. */
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

/** Notes what was told. null: no news. */
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
