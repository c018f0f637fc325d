/** Checks that tell why an account can or cannot trade at this moment. */
import type { TradeAccount, TradeAccountStatus } from '../domain/model.ts';
import type { PaperFault } from '../domain/paper-fault.ts';
import type { CredentialReport } from '../engine/ports/venue.ts';
import { type AccountStatus, type ConnectorStatus, tradingOf } from '../engine/ports/venue-status.ts';

const WITHOUT_ORDERS = { CLOSE_ONLY: 'Only closing orders', DOWN: 'No orders' } as const;

export interface AccountCheck {
  /** `notice`: something that a person should know before trading; it hinders nothing. */
  readonly name: 'connector' | 'credentials' | 'account' | 'account_mode' | 'history' | 'notice' | 'fault';
  readonly ok: boolean;
  readonly detail: string;
}

export interface AccountHealth {
  /** The stored status, or DEGRADED while a READY account's connector is not up or its history is under review. */
  readonly status: TradeAccountStatus;
  readonly checks: readonly AccountCheck[];
}

/**
 * @param connectorStatus as in `GET /connectors`; undefined: no connector has that name
 * @param atVenue status by its venue; null: the venue has none for single accounts, or has not opened it
 * @param problem fault in the account's history at the venue; null: the history is sound
 * @param faults set by the user on a paper account: reported, without a change of the status
 * @param report latest report of the venue on the credentials; null: not asked since the start
 */
export function healthOf(
  account: TradeAccount,
  connectorStatus: ConnectorStatus | undefined,
  atVenue: AccountStatus | null,
  problem: string | null,
  report: CredentialReport | null,
  faults: readonly PaperFault[] = [],
): AccountHealth {
  const connector = connectorCheck(account, connectorStatus);
  const own = accountCheck(account, atVenue);
  const isWell = connector.ok && own.ok && problem === null;
  const status = account.status === 'READY' && !isWell ? 'DEGRADED' : account.status;
  const notices = (report?.warnings ?? []).map((detail) => ({ name: 'notice' as const, ok: true, detail }));
  const checks = [
    connector,
    credentialsCheck(account, report),
    own,
    ...modeChecks(atVenue),
    ...notices,
    ...faults.map((fault) => ({ name: 'fault' as const, ok: false, detail: faultWords(fault) })),
  ];
  return {
    status,
    checks: problem === null ? checks : [...checks, { name: 'history', ok: false, detail: problem }],
  };
}

function modeChecks(atVenue: AccountStatus | null): readonly AccountCheck[] {
  if (atVenue?.mode === undefined) return [];
  const { name, detail, changedAt } = atVenue.mode;
  const since = changedAt === null ? '' : ` since ${new Date(changedAt).toISOString()}`;
  return [{ name: 'account_mode', ok: true, detail: `In ${name} mode${since}: ${detail}` }];
}

function faultWords({ terms, symbol, times, endsAt }: PaperFault): string {
  const orders = times === null ? '' : `, ${times === 1 ? 'the next order' : `the next ${times} orders`}`;
  const of = symbol === null ? '' : ` of ${symbol}`;
  return `${terms.kind}${orders}${of}, until ${new Date(endsAt).toISOString()} at the latest: set for a test`;
}

function connectorCheck(account: TradeAccount, told: ConnectorStatus | undefined): AccountCheck {
  if (told === undefined) {
    return { name: 'connector', ok: false, detail: `Connector ${account.connector} is not available` };
  }
  const { status, reason, until = null } = told;
  const trading = tradingOf(told);
  const what = status === 'UP' && trading !== 'UP' ? WITHOUT_ORDERS[trading] : status;
  const end = until === null ? '' : `, until ${new Date(until).toISOString()}`;
  return {
    name: 'connector',
    ok: status === 'UP' && trading === 'UP',
    detail: reason === null ? what : `${what}: ${reason}${end}`,
  };
}

function credentialsCheck(account: TradeAccount, report: CredentialReport | null): AccountCheck {
  if (account.mode === 'PAPER') {
    return { name: 'credentials', ok: true, detail: 'A paper account needs none' };
  }
  const end = report?.expiresAt ?? null;
  switch (account.status) {
    case 'NO_CREDENTIALS':
      return { name: 'credentials', ok: false, detail: 'None stored' };
    case 'INVALID_CREDENTIALS':
      return { name: 'credentials', ok: false, detail: 'The venue does not accept the stored ones' };
    case 'READY':
    case 'DEGRADED':
      return {
        name: 'credentials',
        ok: true,
        detail: `Accepted by the venue${end === null ? '' : `, until ${new Date(end).toISOString().slice(0, 10)}`}`,
      };
  }
}

function accountCheck(account: TradeAccount, atVenue: AccountStatus | null): AccountCheck {
  if (account.status === 'DEGRADED') {
    return { name: 'account', ok: false, detail: 'The venue has not opened the account yet' };
  }
  const open = account.status === 'READY';
  if (open && atVenue !== null && (atVenue.status !== 'UP' || atVenue.trading !== 'UP')) {
    const { trading, reason, until } = atVenue;
    const what = trading === 'UP' ? 'It trades' : WITHOUT_ORDERS[trading];
    const end = until === null ? '' : `, until ${new Date(until).toISOString()}`;
    return { name: 'account', ok: false, detail: `${what}: ${reason ?? 'no reason given'}${end}` };
  }
  return { name: 'account', ok: open, detail: open ? 'Open at the venue' : 'Waits for credentials' };
}
