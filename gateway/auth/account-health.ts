/** Checks that tell why an account can or cannot trade at this moment. */
import type { TradeAccount, TradeAccountStatus } from '../domain/model.ts';
import type { ConnectorStatus, CredentialReport } from '../engine/ports/venue.ts';

export interface AccountCheck {
  /** `notice`: something that a person should know before trading; it hinders nothing. */
  readonly name: 'connector' | 'credentials' | 'account' | 'history' | 'notice';
  readonly ok: boolean;
  readonly detail: string;
}

export interface AccountHealth {
  /** The stored status, or DEGRADED while a READY account's connector is not up or its history is under review. */
  readonly status: TradeAccountStatus;
  readonly checks: readonly AccountCheck[];
}

/**
 * @param connectorStatus as `GET /connectors` says it; undefined: no connector has that name
 * @param problem fault in the account's history at the venue; null: the history is sound
 * @param report what the venue said of the credentials when it was asked last; null: not asked since the start
 */
export function healthOf(
  account: TradeAccount,
  connectorStatus: ConnectorStatus | undefined,
  problem: string | null,
  report: CredentialReport | null,
): AccountHealth {
  const connector = connectorCheck(account, connectorStatus);
  const status =
    account.status === 'READY' && (!connector.ok || problem !== null) ? 'DEGRADED' : account.status;
  const notices = (report?.warnings ?? []).map((detail) => ({ name: 'notice' as const, ok: true, detail }));
  const checks = [connector, credentialsCheck(account, report), accountCheck(account), ...notices];
  return {
    status,
    checks: problem === null ? checks : [...checks, { name: 'history', ok: false, detail: problem }],
  };
}

function connectorCheck(account: TradeAccount, told: ConnectorStatus | undefined): AccountCheck {
  if (told === undefined) {
    return { name: 'connector', ok: false, detail: `Connector ${account.connector} is not available` };
  }
  const { status, reason } = told;
  return {
    name: 'connector',
    ok: status === 'UP',
    detail: reason === null ? status : `${status}: ${reason}`,
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

function accountCheck(account: TradeAccount): AccountCheck {
  if (account.status === 'DEGRADED') {
    return { name: 'account', ok: false, detail: 'The venue has not opened the account yet' };
  }
  const open = account.status === 'READY';
  return { name: 'account', ok: open, detail: open ? 'Open at the venue' : 'Waits for credentials' };
}
