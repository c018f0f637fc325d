/** Records of the authorization server, whole and plausible; each test changes what it is about. */
import type { AuditEntry } from '../../gateway/domain/audit.ts';
import type { OAuthCode, OAuthGrant, OAuthInteraction } from '../../gateway/domain/oauth.ts';
import { nextId, START } from './store-records.ts';

const MINUTE_MS = 60_000;

export const interaction = (over: Partial<OAuthInteraction> = {}): OAuthInteraction => ({
  uid: nextId(),
  clientId: 'client',
  redirectUri: 'https://agent.example/cb',
  scopes: ['mcp:read'],
  state: 'é',
  codeChallenge: 'challenge',
  proposal: null,
  prompt: 'LOGIN',
  userId: null,
  createdAt: START,
  expiresAt: START + 10 * MINUTE_MS,
  ...over,
});

export const grantOf = (userId: string, over: Partial<OAuthGrant> = {}): OAuthGrant => ({
  id: nextId(),
  userId,
  clientId: 'client',
  clientName: 'Agent',
  scopes: ['mcp:read'],
  status: 'PENDING',
  connectedAt: START,
  expiresAt: START + MINUTE_MS,
  revokedAt: null,
  leftWaiting: null,
  continues: [],
  ...over,
});

export const codeOf = ({ id, clientId, expiresAt }: OAuthGrant): OAuthCode => ({
  codeHash: `hash of ${id}`,
  grantId: id,
  clientId,
  redirectUri: 'https://agent.example/cb',
  codeChallenge: 'challenge',
  expiresAt,
  redeemedAt: null,
});

export const auditOf = (userId: string, over: Partial<AuditEntry> = {}): AuditEntry => ({
  id: nextId(),
  userId,
  action: 'agent.approved',
  subjectId: null,
  method: 'session',
  client: 'test',
  ip: '127.0.0.1',
  says: null,
  at: START,
  ...over,
});
