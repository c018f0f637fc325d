/** Words for the gateway's facts about trade accounts and venues, and typed values of the form of venue credentials. */
import type { Answer } from '../../../gateway/client/client.ts';
import type { TradeAccount } from '../../api/session.ts';
import type { Tone } from '../../components/status-badge.tsx';

export type Connector = Answer<'GET /connectors'>['connectors'][number];

interface Words {
  readonly text: string;
  readonly tone: Tone;
}

export const ACCOUNT_STATUS: Readonly<Record<TradeAccount['status'], Words>> = {
  READY: { text: 'Ready', tone: 'good' },
  NO_CREDENTIALS: { text: 'Needs credentials', tone: 'warn' },
  INVALID_CREDENTIALS: { text: 'Credentials refused', tone: 'bad' },
  DEGRADED: { text: 'Degraded', tone: 'warn' },
};

const VENUE_STATUS: Readonly<Record<Connector['status'], Words>> = {
  UP: { text: 'Up', tone: 'good' },
  DEGRADED: { text: 'Degraded', tone: 'warn' },
  DOWN: { text: 'Down', tone: 'bad' },
};

/** Status and trading state of a venue in one badge: prices may arrive while orders are refused. */
export function venueWords({ status, trading }: Pick<Connector, 'status' | 'trading'>): Words {
  if (status === 'DOWN' || trading === 'UP') return VENUE_STATUS[status];
  return trading === 'CLOSE_ONLY'
    ? { text: 'Closing only', tone: 'warn' }
    : { text: 'No orders', tone: 'bad' };
}

const CHECKS: Readonly<Record<string, string>> = {
  connector: 'Venue',
  credentials: 'Credentials',
  account: 'Account at the venue',
  history: 'History',
  notice: 'Good to know',
};

export function checkName(name: string): string {
  return CHECKS[name] ?? name;
}

/** Detail of a check. The detail of a venue's check is the venue's status. */
export function checkDetail({ name, detail }: TradeAccount['checks'][number]): string {
  const status =
    name === 'connector' ? Object.entries(VENUE_STATUS).find(([id]) => id === detail) : undefined;
  return status === undefined ? detail : status[1].text;
}

const CAPABILITIES: Readonly<Record<string, string>> = {
  isolated_margin: 'isolated margin',
  fills_history: 'history of fills',
  order_lookup: 'orders found by their ID',
  account_stream: 'live account data',
  paper_reset: 'reset of paper accounts',
  margin_change: 'changing the margin of isolated legs',
  wallet_approval: 'approval by a wallet',
  exchange_setup: 'setup of accounts, withdrawals',
  btc_dominance: 'Bitcoin dominance',
  prediction_markets: 'prediction markets',
};

export function capabilityWords(capabilities: readonly string[]): string {
  return capabilities.map((name) => CAPABILITIES[name] ?? name.replaceAll('_', ' ')).join(', ');
}

/** A field that the venue asks for. */
export type CredentialField = NonNullable<Connector['credentials']>[number];

/** One line of the credentials form. */
export interface CredentialLine {
  readonly name: string;
  readonly value: string;
  readonly kind: CredentialField['kind'];
  /** Set when the venue describes its credential fields. */
  readonly field?: CredentialField;
}

export const NO_LINE: CredentialLine = { name: '', value: '', kind: 'text' };

export type CredentialBody = Record<string, string | number | boolean>;

/**
 * Builds the gateway's request body. Lines without a name and a value are left out.
 * @returns the body, or the first mistake with the index of its line
 */
export function credentialBody(
  lines: readonly CredentialLine[],
): { readonly body: CredentialBody } | { readonly line: number; readonly message: string } {
  const body: CredentialBody = {};
  for (const [line, { name, value, kind, field }] of lines.entries()) {
    const key = name.trim();
    if (value === '' && (key === '' || field?.required === false)) continue;
    if (key === '') return { line, message: 'This value needs a name' };
    const label = field?.label ?? key;
    if (Object.hasOwn(body, key)) return { line, message: `${label} is there twice` };
    if (value === '') return { line, message: `${label} needs a value` };
    if (kind === 'number' && !/^-?\d{1,15}$/.test(value))
      return { line, message: `${label} has to be a whole number` };
    if (kind === 'yes-no' && !/^(yes|no)$/.test(value))
      return { line, message: `${label} has to be yes or no` };
    body[key] = kind === 'number' ? Number(value) : kind === 'yes-no' ? value === 'yes' : value;
  }
  if (Object.keys(body).length === 0) return { line: 0, message: 'Name and value of at least one field' };
  return { body };
}
