import { expect } from 'chai';
import { presetMandate } from '../../../gateway/contract/mandate-presets.ts';
import {
  type AuditEntry,
  activityOf,
  askedWords,
  clientIdOf,
  mayDo,
  openWords,
  reachesBack,
  used,
} from '../../../renderer/screens/agents/agent-words.ts';
import { limitWords } from '../../../renderer/screens/agents/refused-words.ts';

const TERMS = presetMandate(
  'small_and_asked',
  [{ id: crypto.randomUUID(), mode: 'PAPER' }],
  Date.UTC(2026, 0, 1),
);
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
    says: null,
    at: at(minute),
    ...over,
  };
}

const GRANT = { id: 'grant-1', connectedAt: at(10), scopes: ['mcp:read', 'mcp:write'] };
const read = (minute: number, client = 'client-1') =>
  entry(minute, { action: 'credentials.read', method: 'oauth_grant', client, subjectId: 'account' });
const READ = read(20);
const BEFORE = read(5);
const OTHER = read(19, 'client-2');
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
    expect(mayDo(GRANT, undefined)).to.contain('trades');
    expect(mayDo({ scopes: [] }, undefined)).to.equal('Reads only');
    expect(mayDo({ scopes: ['mcp:read'] }, undefined)).to.equal('Reads only');
  });

  it('is said to change settings only where no limits forbid it', () => {
    const held = (changeLeverage: boolean) => ({
      mandate: { terms: { ...TERMS, rights: { ...TERMS.rights, changeLeverage } } },
    });
    expect(mayDo(GRANT, { mandate: null })).to.equal('Reads, trades, sees credentials');
    expect(mayDo(GRANT, held(false))).to.equal('Reads and trades');
    expect(mayDo(GRANT, held(true))).to.equal('Reads, trades and changes settings');
    const readsSecrets = { terms: { ...TERMS, rights: { ...TERMS.rights, readCredentials: true } } };
    expect(mayDo(GRANT, { mandate: readsSecrets })).to.equal('Reads, trades, sees credentials');
    const attributes = { terms: { ...TERMS, rights: { ...TERMS.rights, attributeTrades: true } } };
    expect(mayDo(GRANT, { mandate: attributes })).to.equal('Reads, trades and changes settings');
  });
});

describe('what a limit has refused', () => {
  const refused = (limit: string) => limitWords({ limit, allowed: '2000', used: '119.97', asked: '8040' });

  it('is said in money where it is money, the limit of a day as well, and by count where it counts', () => {
    const money = '2,000\u00a0USD allowed, 119.97\u00a0USD used, 8,040\u00a0USD asked';
    expect(refused('maxGrossUsd')).to.equal(`held and waiting: ${money}`);
    expect(refused('maxOpenedUsd24h')).to.equal(`opened in 24 hours: ${money}`);
    expect(refused('house.maxOpenedUsd24h')).to.equal(`opened in 24 hours, all agents: ${money}`);
    expect(limitWords({ limit: 'maxPositions', allowed: '10', used: '10', asked: null })).to.equal(
      'positions: 10 allowed, 10 used',
    );
  });
});

describe('what revoking an agent leaves', () => {
  const usage = {
    ...{ openedUsd24h: '481.76', grossUsd: '481.7612', positions: 1, resting: 0, lossUsd24h: '0' },
    ...{ ordersLastMinute: 0, ordersLastDay: 2 },
    opened: { filledUsd: '0', reservedUsd: '0', askedUsd: '481.76' },
    gross: { heldUsd: '0', reservedUsd: '0', waitingUsd: '0', askedUsd: '481.7612' },
    ...{ positionsHeld: 0, restingPlaced: 0 },
  };

  it('is what it holds and has waiting', () => {
    expect(openWords(usage, 0)).to.match(
      /^It leaves 1 position open\. What it holds and has waiting is worth .*481\.76/,
    );
    expect(askedWords(0)).to.equal(null);
  });

  it('is at most that where some of it was only asked for, which is withdrawn', () => {
    expect(openWords(usage, 1)).to.match(
      /^It leaves at most 1 position open\. What it holds, has waiting and has asked you for is worth .*481\.76/,
    );
    expect(askedWords(1)).to.equal('Its order that waits for your approval is withdrawn.');
    expect(askedWords(3)).to.equal('Its 3 orders that wait for your approval are withdrawn.');
  });

  it('is told apart in what counts against its limits: what is there, and what is only reserved', () => {
    const partsOf = (over: Partial<typeof usage>) =>
      Object.fromEntries(used(TERMS, { ...usage, ...over }).map(({ name, parts }) => [name, parts]));
    expect(partsOf({})).to.deep.include({
      'Counts as opened in 24 hours':
        'Filled: 0\u00a0USD. Only reserved: 481.76\u00a0USD waits for your approval.',
      'Counts as held and waiting':
        'Held: 0\u00a0USD. Only reserved: 481.76\u00a0USD waits for your approval.',
      Positions: 'Open: 0. Only reserved: 1.',
      'Waiting orders': null,
    });
    const opened = { filledUsd: '300', reservedUsd: '20', askedUsd: '0' };
    const gross = { heldUsd: '300', reservedUsd: '20', waitingUsd: '50', askedUsd: '0' };
    expect(partsOf({ opened, gross, resting: 2, restingPlaced: 1 })).to.deep.include({
      'Counts as opened in 24 hours': 'Filled: 300\u00a0USD. Only reserved: 20\u00a0USD under way.',
      'Counts as held and waiting':
        'Held: 300\u00a0USD. Only reserved: 20\u00a0USD under way, 50\u00a0USD in waiting orders.',
      'Waiting orders': 'Placed: 1. Only reserved: 1.',
    });
    const all = { ...opened, reservedUsd: '0' };
    expect(partsOf({ opened: all, positionsHeld: 1 })).to.deep.include({
      'Counts as opened in 24 hours': 'All filled.',
      Positions: null,
    });
  });
});
