/**
 * Notifies every user with an account on a connector when the connector goes down, works only in part, or works again.
 * Its status comes from the source that `GET /connectors` and the channel `connector.status` use, so all three agree.
 */
import type { TradeAccount } from '../../domain/model.ts';
import { connectorNotification, type NotificationText } from '../../domain/notification.ts';
import type { EngineDeps } from '../core/deps.ts';
import type { Unsubscribe } from '../ports/system.ts';
import { type ConnectorStatus, tradingOf } from '../ports/venue-status.ts';
import { tellUsers } from './notify.ts';

/** Minimum time between two trouble notifications of one connector, because its connection may come and go. */
const AT_MOST_EVERY_MS = 60_000;

/** Connector statuses as market/ derives them: a venue that reports UP and sends nothing is DEGRADED. */
export interface ConnectorStatuses {
  connectorIds(): readonly string[];
  /** undefined: there is no such connector. */
  statusOf(connector: string): ConnectorStatus | undefined;
  onStatus(listener: (connector: string) => void): Unsubscribe;
}

type Deps = Pick<EngineDeps, 'store' | 'clock' | 'ids' | 'logger'>;

interface Told {
  wasWell: boolean;
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
      .map((id) => [
        id,
        { wasWell: isWell(statuses.statusOf(id), deps.clock.now()), toldAt: null, isTrouble: false },
      ]),
  );
  return statuses.onStatus((connector) => {
    const now = statuses.statusOf(connector);
    const before = told.get(connector);
    if (now === undefined || before === undefined) return;
    const well = isWell(now, deps.clock.now());
    const text = newsOf(connector, before, now, well, deps.clock.uptime());
    before.wasWell = well;
    if (text === null) return;
    const there = accounts().filter((account) => account.connector === connector);
    tellUsers(deps, there, text);
  });
}

/** True: prices arrive, and orders are accepted or soon will be. A limit that ends within a minute is no news. */
function isWell(told: ConnectorStatus | undefined, now: number): boolean {
  if (told === undefined || told.status !== 'UP') return told === undefined;
  const { until = null } = told;
  return tradingOf(told) === 'UP' || (until !== null && until - now < AT_MOST_EVERY_MS);
}

/** The notification for a status change, which `told` then remembers; null: none is needed. */
function newsOf(
  connector: string,
  told: Told,
  now: ConnectorStatus,
  well: boolean,
  uptime: number,
): NotificationText | null {
  if (well) {
    if (!told.isTrouble) return null;
    told.isTrouble = false;
    return connectorNotification('CONNECTOR_RECOVERED', connector, 'UP');
  }
  const isSoon = told.toldAt !== null && uptime - told.toldAt < AT_MOST_EVERY_MS;
  if (!told.wasWell || isSoon) return null;
  told.toldAt = uptime;
  told.isTrouble = true;
  const what = now.status === 'UP' ? 'It takes no orders' : now.status;
  return connectorNotification(
    'CONNECTOR_DEGRADED',
    connector,
    `${what}: ${now.reason ?? 'no reason given'}`,
  );
}
