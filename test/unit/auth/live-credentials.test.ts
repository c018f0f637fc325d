import { expect } from 'chai';
import type { Principal } from '../../../gateway/domain/model.ts';
import { authForEachTest, unwrap } from './auth-fixture.ts';

describe('credentials outside headers', () => {
  const fixture = authForEachTest();
  let principal: Extract<Principal, { kind: 'session' }>;

  beforeEach(async () => {
    const { user, session } = await fixture.register();
    principal = { kind: 'session', userId: user.id, sessionId: session.id };
  });

  const newKey = (expiresAt: number | null) => fixture.newKey(principal.userId, { expiresAt });

  it('a ticket is good once', () => {
    const { ticket, expiresAt } = fixture.auth.tickets.issue(principal);
    expect(expiresAt - fixture.clock.now()).to.equal(30_000);
    expect(fixture.auth.tickets.redeem(ticket)).to.deep.equal(principal);
    expect(fixture.auth.tickets.redeem(ticket)).to.equal(null);
    expect(fixture.auth.tickets.redeem('made up')).to.equal(null);
  });

  it('a ticket is good for 30 seconds', async () => {
    const { ticket } = fixture.auth.tickets.issue(principal);
    const other = fixture.auth.tickets.issue(principal);
    await fixture.clock.advance(29_999);
    expect(fixture.auth.tickets.redeem(ticket)).to.deep.equal(principal);
    await fixture.clock.advance(1);
    expect(fixture.auth.tickets.redeem(other.ticket)).to.equal(null);
  });

  it('a ticket dies with its session', async () => {
    const { ticket } = fixture.auth.tickets.issue(principal);
    unwrap(await fixture.auth.sessions.end(principal.userId, principal.sessionId));
    expect(fixture.auth.tickets.redeem(ticket)).to.equal(null);
  });

  it('token, key and ticket are told apart', async () => {
    const { live, tokens, tickets } = fixture.auth;
    const expiresAt = fixture.clock.now() + 1_000;
    const { key, secret } = await newKey(expiresAt);
    const token = tokens.signSession(principal.userId, principal.sessionId);
    expect(live.authenticate({ token })).to.deep.equal({ ok: true, principal, expiresAt: null });
    expect(live.authenticate({ ticket: tickets.issue(principal).ticket })).to.deep.include({
      ok: true,
      principal,
    });
    expect(live.authenticate({ apiKey: secret })).to.deep.nested.include({
      ok: true,
      expiresAt,
      'principal.keyId': key.id,
    });
    expect(live.authenticate({ token: secret })).to.include({ message: 'Invalid or expired access token' });
    expect(live.authenticate({ apiKey: token })).to.include({ message: 'Invalid API key' });
  });

  it('standing ends with the session, the key, the expiry of the key', async () => {
    const { live } = fixture.auth;
    const standing = async (expiresAt: number | null) => {
      const { key, secret } = await newKey(expiresAt);
      const verdict = live.authenticate({ apiKey: secret });
      return { id: key.id, alive: () => verdict.ok && live.isAlive(verdict.principal) };
    };
    const lasting = await standing(null);
    const expiring = await standing(fixture.clock.now() + 1_000);
    expect([lasting.alive(), expiring.alive(), live.isAlive(principal)]).to.deep.equal([true, true, true]);
    await fixture.clock.advance(1_000);
    expect(expiring.alive()).to.equal(false);
    unwrap(await fixture.auth.apiKeys.revoke(principal.userId, lasting.id));
    expect(lasting.alive()).to.equal(false);
    unwrap(await fixture.auth.sessions.end(principal.userId, principal.sessionId));
    expect(live.isAlive(principal)).to.equal(false);
    expect(
      live.isAlive({ kind: 'oauth_grant', userId: 'u', grantId: 'g', clientId: 'c', scopes: [] }),
    ).to.equal(false);
  });
});
