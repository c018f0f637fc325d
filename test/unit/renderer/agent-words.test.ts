import { expect } from 'chai';
import {
  type AuditEntry,
  activityOf,
  clientIdOf,
  mayDo,
  reachesBack,
} from '../../../renderer/screens/agents/agent-words.ts';

const at = (minute: number) => `2026-01-31T12:${String(minute).padStart(2, '0')}:00.000Z`;
let made = 0;
function entry(minute: number, over: Partial<AuditEntry>): AuditEntry {
  made += 1;
  return {
    id: `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`,
    action: 'session.opened',
    subjectId: null,
    method: 'password',
    client: null,
    ip: null,
    at: at(minute),
    ...over,
  };
}

const GRANT = { id: 'grant-1', connectedAt: at(10), scopes: ['mcp:read', 'mcp:write'] };
const READ = entry(20, {
  action: 'credentials.read',
  method: 'oauth_grant',
  client: 'client-1',
  subjectId: 'account',
});
const BEFORE = entry(5, {
  action: 'credentials.read',
  method: 'oauth_grant',
  client: 'client-1',
  subjectId: 'account',
});
const OTHER = entry(19, {
  action: 'credentials.read',
  method: 'oauth_grant',
  client: 'client-2',
  subjectId: 'account',
});
const CONNECTED = entry(11, {
  action: 'agent.connected',
  method: 'oauth_client',
  client: 'client-1',
  subjectId: 'grant-1',
});
const APPROVED = entry(10, {
  action: 'agent.approved',
  method: 'session',
  client: 'Chrome',
  subjectId: 'grant-1',
});
const LOG = [READ, OTHER, entry(15, {}), CONNECTED, APPROVED, BEFORE];

describe('the activity of an agent', () => {
  it('is what is about its grant, and what its client did since', () => {
    expect(activityOf(GRANT, LOG)).to.deep.equal([READ, CONNECTED, APPROVED]);
  });

  it('is not what another client did, even before it is known which client it is', () => {
    expect(activityOf(GRANT, [READ, OTHER])).to.deep.equal([]);
    expect(clientIdOf('grant-1', [READ, OTHER])).to.equal(null);
  });

  it('is complete when the log was read back to its consent', () => {
    expect(reachesBack(GRANT, LOG)).to.equal(true);
    expect(reachesBack(GRANT, LOG.slice(0, 3))).to.equal(false);
    expect(reachesBack(GRANT, [])).to.equal(false);
  });

  it('may be more than reading only with the scope for it', () => {
    expect(mayDo(GRANT)).to.contain('trades');
    expect(mayDo({ scopes: [] })).to.equal('Reads only');
    expect(mayDo({ scopes: ['mcp:read'] })).to.equal('Reads only');
  });
});
