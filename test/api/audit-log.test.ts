/** `GET /audit-log`: every security-relevant action is there, with who, what, when, through what and from where. */
import { expect } from 'chai';
import { consentVisitor } from '../support/consent-visitor.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { gatewayForEachTest } from '../support/gateway.ts';
import { PASSWORD } from '../support/gateway-client.ts';
import type { Json } from '../support/json.ts';
import { newPkce, oauthClient } from '../support/oauth-client.ts';
import { openForEachTest } from '../support/open-for-tests.ts';
import { untilSettled } from '../support/until.ts';

const AGENT = { 'user-agent': 'audit test' };

describe('the audit log', () => {
  const gateway = gatewayForEachTest();
  let session: Record<string, string>;
  let userId: string;

  beforeEach(async () => {
    const user = await gateway.register();
    userId = user.user.id;
    session = { ...AGENT, authorization: `Bearer ${user.accessToken}` };
  });

  const page = async (query = '') =>
    (await gateway.request('GET', `/audit-log${query}`, { headers: session })).json;
  const actions = async () => (await page()).auditEntries.map((entry: Json) => entry.action);
  const as = (method: string, path: string, body?: unknown) =>
    gateway.request(method, path, { headers: session, body });

  it('has the sign-in, keys and sessions of a user', async () => {
    await gateway.expect('POST', '/auth/login', {
      headers: AGENT,
      body: { method: 'email', email: 'ada@example.test', password: PASSWORD },
    });
    const key = await as('POST', '/api-keys', { label: 'bot', scope: 'read' });
    await as('DELETE', `/api-keys/${key.json.id}`);
    await as('POST', '/auth/password', { current: PASSWORD, next: 'another password' });
    const other = await gateway.request('POST', '/auth/login', {
      headers: AGENT,
      body: { method: 'email', email: 'ada@example.test', password: 'another password' },
    });
    const { sessions } = (await as('GET', '/auth/sessions')).json;
    const ended = sessions.find((one: Json) => !one.current).id;
    await as('DELETE', `/auth/sessions/${ended}`);
    expect(other.status).to.equal(200);

    const { auditEntries } = await page();
    expect(auditEntries.map(({ action }: Json) => action)).to.deep.equal([
      'session.ended',
      'session.opened',
      'password.changed',
      'api_key.revoked',
      'api_key.created',
      'session.opened',
      'session.opened',
      'user.registered',
    ]);
    const [end, , changed, , created, , , registered] = auditEntries;
    expect(end.subjectId).to.equal(ended);
    expect(created).to.deep.include({
      subjectId: key.json.id,
      method: 'session',
      client: 'audit test',
      ip: '127.0.0.1',
    });
    expect(changed).to.deep.include({ subjectId: userId, method: 'password', client: 'audit test' });
    expect(registered.subjectId).to.equal(userId);
    expect(Date.parse(registered.at)).to.be.at.most(Date.parse(end.at));
  });

  it('has the life of an agent', async () => {
    const visitor = consentVisitor(gateway);
    const agent = oauthClient(gateway);
    const first = await agent.connect(visitor);
    await agent.revoke(first.refresh_token);
    const second = await agent.connect(visitor);
    const { grants } = (await as('GET', '/oauth2/grants')).json;
    await as('DELETE', `/oauth2/grants/${grants[0].id}`);
    await visitor.deny(`${gateway.url}${agent.authorizePath(second.clientId, newPkce().challenge)}`);
    expect((await actions()).filter((action: string) => action.startsWith('agent.'))).to.deep.equal([
      'agent.denied',
      'agent.revoked',
      'agent.connected',
      'agent.approved',
      'agent.revoked',
      'agent.connected',
      'agent.approved',
    ]);
    const { auditEntries } = await page();
    const revocations = auditEntries.filter(({ action }: Json) => action === 'agent.revoked');
    expect(revocations[0]).to.deep.include({ subjectId: grants[0].id, method: 'session' });
    expect(revocations[1]).to.deep.include({ method: 'oauth_client', client: first.clientId });
  });

  it('what did not happen is not there', async () => {
    const before = await actions();
    await gateway.request('POST', '/auth/login', {
      body: { method: 'email', email: 'nobody@example.test', password: 'wrong' },
    });
    await as('DELETE', '/api-keys/018f0000-0000-7000-8000-000000000000');
    await as('POST', '/auth/password', { current: PASSWORD, next: 'short' });
    expect(await actions()).to.deep.equal(before);
  });

  it('is paged newest first, without repeating or skipping, and belongs to its user', async () => {
    for (let count = 0; count < 5; count += 1)
      await as('POST', '/api-keys', { label: `key ${count}`, scope: 'read' });
    await gateway.register('bob@example.test');
    const whole = (await page()).auditEntries;
    const seen: Json[] = [];
    let cursor: string | undefined;
    do {
      const one: Json = await page(`?limit=2${cursor === undefined ? '' : `&cursor=${cursor}`}`);
      seen.push(...one.auditEntries);
      cursor = one.nextCursor;
      await as('POST', '/api-keys', { label: 'between the pages', scope: 'read' });
    } while (cursor !== undefined);
    expect(seen).to.deep.equal(whole);
    expect(whole).to.have.length(7);
    const malformed = await as('GET', '/audit-log?cursor=x');
    expect(malformed.status).to.equal(400);
    expect(malformed.json.details[0].path).to.equal('cursor');
    expect((await as('GET', '/audit-log?limit=201')).status).to.equal(400);
  });

  it('is for sessions only', async () => {
    const key = await as('POST', '/api-keys', { label: 'bot', scope: 'read_write' });
    await gateway.expect('GET', '/audit-log', { headers: { 'x-api-key': key.json.key } }, 403);
    expect((await gateway.request('GET', '/audit-log')).status).to.equal(401);
  });
});

describe('refused sign-ins in the audit log', () => {
  const clock = openForEachTest(() => createFakeClock());
  const gateway = gatewayForEachTest({ clock });
  let session: Record<string, string>;

  beforeEach(async () => {
    session = { authorization: `Bearer ${(await gateway.register()).accessToken}` };
  });

  async function attempt(email: string, password: string): Promise<void> {
    await gateway.expect(
      'POST',
      '/auth/login',
      {
        headers: AGENT,
        body: { method: 'email', email, password },
      },
      401,
    );
  }
  /** The entry is written after the answer, so that the answer does not tell whether the user exists. */
  const refusals = (atLeast: number): Promise<readonly Json[]> =>
    untilSettled(`${atLeast} refusals are in the audit log`, async () => {
      const { auditEntries } = (await gateway.request('GET', '/audit-log', { headers: session })).json;
      const found = auditEntries.filter(({ action }: Json) => action === 'session.refused');
      return found.length >= atLeast && found;
    });

  it('has a wrong password of a user who exists, once a minute however often it is tried', async () => {
    for (const password of ['wrong password', 'wronger password', 'wrongest password']) {
      await attempt('ada@example.test', password);
    }
    const [first] = await refusals(1);
    expect(first).to.include({ subjectId: null, method: 'password', client: 'audit test', ip: '127.0.0.1' });
    clock.jump(60_000);
    await attempt('ada@example.test', 'wrong again');
    expect(await refusals(2)).to.have.length(2);
  });

  it('has a wrong current password of somebody who wants to change it', async () => {
    await gateway.expect(
      'POST',
      '/auth/password',
      {
        headers: session,
        body: { current: 'not the password', next: 'another password' },
      },
      400,
    );
    expect(await refusals(1)).to.have.length(1);
  });
});

describe('the audit log of two runs of the gateway', () => {});
