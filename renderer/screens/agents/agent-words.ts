/** Words for the gateway's facts about agents, and the assignment of audit log entries to agents. */
import Big from 'big.js';
import type { Answer, Row } from '../../../gateway/client/client.ts';
import type { MandateBody } from '../../../gateway/contract/mandate.ts';
import { usd } from '../../../gateway/contract/mandate-words.ts';
import { MANDATE_RIGHTS } from '../../../gateway/domain/enumerations.ts';
import type { BadgeTone } from '../../components/badge.tsx';

export type Grant = Answer<'GET /oauth2/grants'>['grants'][number];
export type Agent = Answer<'GET /agents'>['agents'][number];
export type House = Answer<'GET /agents'>['house'];
export type AuditEntry = Row<'GET /audit-log'>;

/** Maximum number of agents that the gateway connects; further ones get a 403 on the consent page. */
export const MOST_AGENTS = 10;

const WRITE = 'mcp:write';

export function mayWrite({ scopes }: Pick<Grant, 'scopes'>): boolean {
  return scopes.includes(WRITE);
}

/**
 * Permissions in words: every grant may read, whatever its scopes are.
 * @param agent undefined: not read yet
 */
export function mayDo(
  grant: Pick<Grant, 'scopes'>,
  agent: { readonly mandate: { readonly terms: Pick<MandateBody, 'rights'> } | null } | undefined,
): string {
  if (!mayWrite(grant)) return 'Reads only';
  if (agent === undefined) return 'Reads, trades, …';
  const rights = agent.mandate?.terms.rights;
  // Without a mandate it may do everything.
  if (rights === undefined || rights.readCredentials) return 'Reads, trades, sees credentials';
  const isFree = MANDATE_RIGHTS.some((right) => rights[right]);
  return isFree ? 'Reads, trades and changes settings' : 'Reads and trades';
}

export const ACTIONS: Readonly<Record<AuditEntry['action'], string>> = {
  'user.registered': 'User created',
  'session.opened': 'Signed in',
  'session.refused': 'Sign-in refused',
  'session.ended': 'Session ended',
  'password.changed': 'Password changed',
  'api_key.created': 'API key created',
  'api_key.revoked': 'API key revoked',
  'credentials.stored': 'Stored venue credentials',
  'credentials.read': 'Read venue credentials, decrypted',
  'credentials.removed': 'Removed venue credentials',
  'account.armed': 'Armed a live account',
  'account.disarmed': 'Disarmed a live account',
  'venue_key.created': 'Made a key for an account at a venue',
  'venue_key.registered': 'Registered a key at a venue',
  'venue_token.created': 'Made a token for readings at a venue',
  'integrator.approved': 'Approved an integrator at a venue',
  'withdrawal.submitted': 'Submitted a withdrawal that the wallet signed',
  'account_tier.changed': 'Changed the tier of an account at a venue',
  'approval.requested': 'Asked for your approval of an order',
  'approval.approved': 'An order was approved by you',
  'approval.denied': 'An order was denied by you',
  'approval.expired': 'An order expired unanswered',
  'approval.withdrawn': 'An order was withdrawn before you answered',
  'agent.approved': 'Allowed by you',
  'agent.denied': 'Denied by you',
  'agent.connected': 'Connected',
  'agent.revoked': 'Disconnected',
  'agent.token_reused': 'Disconnected: a used-up token came again',
  'agent.code_replayed': 'Disconnected: a used-up code came again',
  'agent.suspended': 'Paused',
  'agent.resumed': 'Resumed',
  'agent.order.placed': 'Placed an order or changed a position',
  'mandate.changed': 'Limits set by you',
  'house_limits.changed': 'Limits over all agents set by you',
  'destination.created': 'A webhook or message channel was made',
  'destination.changed': 'A webhook or message channel was changed',
  'destination.secret_rotated': 'A webhook got a new secret',
  'destination.removed': 'A webhook or message channel was removed',
  'protection.loosened': 'Made the protection of a position smaller',
  'trading.paused': 'Paused trading',
  'trading.resumed': 'Resumed trading',
  'trading.panic': 'Closed everything (panic)',
};

export const METHODS: Readonly<Record<AuditEntry['method'], string>> = {
  password: 'Password',
  wallet: 'Wallet',
  session: 'Your session',
  link: 'One-time link of this computer',
  api_key: 'API key',
  oauth_grant: 'The agent',
  oauth_client: 'The agent',
  gateway: 'Tandem itself',
};

export type LeftWaiting = Answer<'GET /oauth2/grants/{id}/waiting'>;

export function waitingCount({ triggers, ladders, schedules, autoRebalances }: LeftWaiting): number {
  return triggers + ladders + schedules + autoRebalances;
}

/** Counts of the agent's resting orders and rebalances, `2 triggers and 1 TWAP`; null: there are none. */
export function waitingWords(waiting: LeftWaiting): string | null {
  const parts = [
    counted(waiting.triggers, 'trigger'),
    counted(waiting.ladders, 'ladder'),
    counted(waiting.schedules, 'TWAP'),
    counted(waiting.autoRebalances, 'automatic rebalance'),
  ].filter((part) => part !== null);
  const last = parts.pop();
  if (last === undefined) return null;
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
}

/**
 * `It leaves 2 positions open. What it holds and has waiting is worth 481.76 USD.`
 * @param asked number of its orders that wait for approval: they count as if placed, and are withdrawn
 */
export function openWords({ positions, grossUsd }: NonNullable<Agent['usage']>, asked: number): string {
  const open = counted(positions, 'position') ?? 'no position';
  const [most, what] =
    asked === 0 ? ['', 'holds and has waiting'] : ['at most ', 'holds, has waiting and has asked you for'];
  return `It leaves ${most}${open} open. What it ${what} is worth ${usd(cents(grossUsd))}.`;
}

/** `Its order that waits for your approval is withdrawn.`; null: no order waits. */
export function askedWords(asked: number): string | null {
  if (asked === 0) return null;
  return asked === 1
    ? 'Its order that waits for your approval is withdrawn.'
    : `Its ${asked} orders that wait for your approval are withdrawn.`;
}

/** Rounds to cents: used amounts come with all digits of prices and quantities. */
export const cents = (amount: string) => new Big(amount).round(2).toFixed();

function counted(count: number, what: string): string | null {
  if (count === 0) return null;
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** Id of the client behind the grant; null until the entry about its connection is read. */
export function clientIdOf(grantId: string, entries: readonly AuditEntry[]): string | null {
  const connected = entries.find(
    ({ action, subjectId }) => action === 'agent.connected' && subjectId === grantId,
  );
  return connected?.client ?? null;
}

/**
 * Audit log entries about one agent: its connection and revocation, and its client's actions in between. The log
 * names the client, not the grant, so two grants of one client share those entries.
 * @param entries newest first
 */
export function activityOf(
  grant: Pick<Grant, 'id' | 'connectedAt'>,
  entries: readonly AuditEntry[],
): readonly AuditEntry[] {
  const clientId = clientIdOf(grant.id, entries);
  return entries.filter(
    ({ subjectId, method, client, at }) =>
      subjectId === grant.id ||
      (method === 'oauth_grant' && clientId !== null && client === clientId && at >= grant.connectedAt),
  );
}

/** True: the entries read so far reach back to the agent's consent. */
export function reachesBack(grant: Pick<Grant, 'connectedAt'>, entries: readonly AuditEntry[]): boolean {
  const oldest = entries.at(-1);
  return oldest !== undefined && oldest.at < grant.connectedAt;
}

export const STATES: Readonly<Record<Agent['state'], readonly [string, BadgeTone]>> = {
  READS: ['Reads', 'neutral'],
  TRADES: ['Trades within limits', 'accent'],
  ASKS: ['Trades, asks you', 'accent'],
  UNLIMITED: ['No limits', 'danger'],
  SUSPENDED: ['Paused', 'warn'],
  ENDED: ['Its time is over', 'warn'],
};

export interface UsedBar {
  readonly name: string;
  readonly used: string;
  /** null: not limited. */
  readonly most: string | null;
  readonly isMoney: boolean;
  /** Used amount split into actual and reserved, in words; null: nothing is used, or the name says it. */
  readonly parts: string | null;
}

/**
 * `Filled: 0 USD. Only reserved: 481.76 USD waits for your approval.`
 * @param there amount that is not only reserved, with its name
 * @param reserved the other parts, each with its words
 */
function partsWords(
  there: readonly [name: string, usd: string],
  ...reserved: readonly (readonly [usd: string, words: string])[]
): string | null {
  const [name, amount] = there;
  const rest = reserved.filter(([part]) => !new Big(part).eq(0));
  if (rest.length === 0) return new Big(amount).eq(0) ? null : `All ${name.toLowerCase()}.`;
  const words = rest.map(([part, what]) => `${usd(cents(part))} ${what}`).join(', ');
  return `${name}: ${usd(cents(amount))}. Only reserved: ${words}.`;
}

function countWords(name: string, there: number, all: number): string | null {
  return all === there ? null : `${name}: ${there}. Only reserved: ${all - there}.`;
}

const UNDER_WAY = 'under way';
const ASKED = 'waits for your approval';

/** Use of each limit. A profit counts as zero loss. */
export function used(terms: MandateBody, usage: NonNullable<Agent['usage']>): readonly UsedBar[] {
  const money = (name: string, amount: string, most: string | null, parts: string | null = null) => ({
    name,
    used: amount,
    most,
    isMoney: true,
    parts,
  });
  const counted = (name: string, count: number, most: number | null, parts: string | null = null) => ({
    name,
    used: String(count),
    most: most === null ? null : String(most),
    isMoney: false,
    parts,
  });
  const { opened, gross } = usage;
  const loss = usage.lossUsd24h.startsWith('-') ? '0' : usage.lossUsd24h;
  return [
    money(
      'Counts as opened in 24 hours',
      usage.openedUsd24h,
      terms.maxOpenedUsd24h,
      partsWords(['Filled', opened.filledUsd], [opened.reservedUsd, UNDER_WAY], [opened.askedUsd, ASKED]),
    ),
    money(
      'Counts as held and waiting',
      usage.grossUsd,
      terms.maxGrossUsd,
      partsWords(
        ['Held', gross.heldUsd],
        [gross.reservedUsd, UNDER_WAY],
        [gross.waitingUsd, 'in waiting orders'],
        [gross.askedUsd, ASKED],
      ),
    ),
    money('Lost in 24 hours', loss, terms.lossStop?.usd ?? null),
    counted(
      'Positions',
      usage.positions,
      terms.maxPositions,
      countWords('Open', usage.positionsHeld, usage.positions),
    ),
    counted(
      'Waiting orders',
      usage.resting,
      terms.maxResting,
      countWords('Placed', usage.restingPlaced, usage.resting),
    ),
    counted('Orders in 24 hours', usage.ordersLastDay, terms.rate.perDay),
  ];
}
