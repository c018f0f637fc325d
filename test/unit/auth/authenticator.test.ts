import { expect } from 'chai';
import type { Authentication } from '../../../gateway/call/authenticator.ts';
import { authForEachTest, startAuth, unwrap } from './auth-fixture.ts';

describe('authenticator', () => {
  let grantStatus: 'active' | 'revoked' | 'unavailable';
  const fixture = authForEachTest({ options: { grants: { status: () => grantStatus, seen: () => {} } } });
  let userId: string;
  let bearer: string;
  let sessionId: string;

  const ask = (headers: Record<string, string>): Authentication =>
    fixture.auth.authenticator.authenticate(headers);
  const message = (answer: Authentication) => (answer.ok ? 'accepted' : `${answer.status} ${answer.message}`);
  const grantToken = () =>
    fixture.auth.tokens.signGrant({
      userId,
      grantId: 'grant-1',
      clientId: 'client-1',
      scopes: ['mcp:read', 'mcp:write'],
      lifetimeSeconds: 600,
    });

  beforeEach(async () => {
    grantStatus = 'active';
    const registered = await fixture.register();
    userId = registered.user.id;
    sessionId = registered.session.id;
    bearer = `Bearer ${fixture.auth.tokens.signSession(userId, sessionId)}`;
  });

  describe('401 Missing authorization token', () => {
    it('no bearer token and no session cookie', () => {
      expect(message(ask({}))).to.equal('401 Missing authorization token');
      expect(message(ask({ cookie: 'other=1; tandem_session=' }))).to.equal(
        '401 Missing authorization token',
      );
    });

    it('another scheme is no bearer token', () => {
      expect(message(ask({ authorization: 'Basic YTpi' }))).to.equal('401 Missing authorization token');
    });
  });

  describe('401 Invalid or expired access token', () => {
    it('an expired token, also one that was accepted before', async () => {
      expect(message(ask({ authorization: bearer }))).to.equal('accepted');
      await fixture.clock.advance(15 * 60_000 - 1);
      expect(message(ask({ authorization: bearer }))).to.equal('accepted');
      await fixture.clock.advance(1);
      expect(message(ask({ authorization: bearer }))).to.equal('401 Invalid or expired access token');
    });

    it('an invalid bearer is not rescued by a good cookie', () => {
      const cookie = fixture.auth.cookies.issue(sessionId).split(';')[0] ?? '';
      expect(message(ask({ authorization: 'Bearer nonsense', cookie }))).to.equal(
        '401 Invalid or expired access token',
      );
    });

    it('a cookie that is forged or whose session has ended', async () => {
      const cookie = fixture.auth.cookies.issue(sessionId).split(';')[0] ?? '';
      expect(message(ask({ cookie }))).to.equal('accepted');
      const forged = `tandem_session=${sessionId}.${'A'.repeat(43)}`;
      expect(message(ask({ cookie: forged }))).to.equal('401 Invalid or expired access token');
      unwrap(await fixture.auth.sessions.end(userId, sessionId));
      expect(message(ask({ cookie }))).to.equal('401 Invalid or expired access token');
    });
  });

  describe('401 Invalid API key', () => {
    it('unknown or empty', () => {
      expect(message(ask({ 'x-api-key': `tdm_${'A'.repeat(43)}` }))).to.equal('401 Invalid API key');
      expect(message(ask({ 'x-api-key': '' }))).to.equal('401 Invalid API key');
    });

    it('two keys in one request are none', async () => {
      const { secret } = await fixture.newKey(userId);
      expect(message(ask({ 'x-api-key': `${secret}, ${secret}` }))).to.equal('401 Invalid API key');
    });
  });

  it('without an authorization server every grant token is revoked', async () => {
    const plain = await startAuth();
    const token = plain.auth.tokens.signGrant({
      userId,
      grantId: 'grant-1',
      clientId: 'client-1',
      scopes: [],
      lifetimeSeconds: 600,
    });
    expect(message(plain.auth.authenticator.authenticateToken(token))).to.equal('401 Token has been revoked');
    await plain.close();
  });

  describe('who it is', () => {
    it('a session, by bearer and by cookie', () => {
      const principal = { kind: 'session', userId, sessionId };
      expect(ask({ authorization: bearer })).to.deep.equal({ ok: true, via: 'header', principal });
      expect(ask({ authorization: bearer.replace('Bearer', 'bearer') })).to.have.property('ok', true);
      const cookie = `a=b; ${fixture.auth.cookies.issue(sessionId).split(';')[0]}; c=d`;
      expect(ask({ cookie })).to.deep.equal({ ok: true, via: 'cookie', principal });
    });

    it('a grant with its client and scopes', () => {
      expect(ask({ authorization: `Bearer ${grantToken()}` })).to.deep.equal({
        ok: true,
        via: 'header',
        principal: {
          kind: 'oauth_grant',
          userId,
          grantId: 'grant-1',
          clientId: 'client-1',
          scopes: ['mcp:read', 'mcp:write'],
        },
      });
    });

    it('an API key is answered synchronously', async () => {
      const { secret } = await fixture.newKey(userId);
      expect(fixture.auth.authenticator.authenticate({ 'x-api-key': secret })).not.to.be.instanceOf(Promise);
    });
  });
});
