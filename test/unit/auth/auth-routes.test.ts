import { expect } from 'chai';
import type { BoundRoute } from '../../../gateway/call/call.ts';
import {
  endSessionRoute,
  listSessionsRoute,
  loginRoute,
  logoutRoute,
  meRoute,
  refreshRoute,
  registerRoute,
  wsTicketRoute,
} from '../../../gateway/contract/auth.ts';
import type { Principal } from '../../../gateway/domain/model.ts';
import { authRoutes } from '../../../gateway/http/routes/auth.ts';
import { authForEachTest, PASSWORD } from './auth-fixture.ts';
import { callRoute, DISK_FULL, NOT_FOUND, refusalOf } from './call-route.ts';

const ADA = { email: 'ada@example.com', password: PASSWORD };

describe('/auth routes', () => {
  const fixture = authForEachTest();
  let routes: readonly BoundRoute[];

  const register = (body: object = { ...ADA, displayName: 'Ada' }) =>
    callRoute(routes, registerRoute, { body });
  const login = () => callRoute(routes, loginRoute, { body: { method: 'email', ...ADA } });
  const principalOf = (accessToken: string): Principal => {
    const answer = fixture.auth.authenticator.authenticateToken(accessToken);
    if (!answer.ok) throw new Error(answer.message);
    return answer.principal;
  };
  const cookieOf = (headers: Readonly<Record<string, unknown>>) =>
    String(headers['set-cookie']).split(';')[0] ?? '';

  beforeEach(() => {
    routes = authRoutes(fixture.auth, () => 'http://tandem.localhost:7391');
  });

  it('register answers 201 as a login, with the paper account and the cookie', async () => {
    const { status, headers, body } = await register();
    expect(status).to.equal(201);
    expect(body.expiresIn).to.equal(900);
    expect(body.user).to.include({ email: ADA.email, displayName: 'Ada', walletAddress: null });
    expect(body.user).not.to.have.property('passwordHash');
    expect(body.tradeAccount).to.include({ alias: 'Paper', connector: 'paper', status: 'READY' });
    expect(headers['cache-control']).to.equal('no-store');
    expect(headers['set-cookie']).to.match(
      /^tandem_session=[\w.-]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const principal = principalOf(body.accessToken);
    const byCookie = fixture.auth.authenticator.authenticate({ cookie: cookieOf(headers) });
    expect(byCookie).to.deep.equal({ ok: true, via: 'cookie', principal });
  });

  it('refresh by cookie needs no body and renews the cookie', async () => {
    const { headers } = await register();
    const next = await callRoute(routes, refreshRoute, { headers: { cookie: cookieOf(headers) } });
    expect(principalOf(next.body.accessToken).kind).to.equal('session');
    expect(next.headers['set-cookie']).to.include('Max-Age=2592000');
  });

  it('refresh without anything, or with a dead cookie', async () => {
    const { headers, body } = await register();
    expect(await refusalOf(routes, refreshRoute)).to.include({
      status: 401,
      message: 'Missing authorization token',
    });
    await callRoute(routes, logoutRoute, { principal: principalOf(body.accessToken) });
    for (const cookie of [cookieOf(headers), 'tandem_session=forged']) {
      expect(await refusalOf(routes, refreshRoute, { headers: { cookie } })).to.include({
        status: 401,
        message: 'Invalid or expired refresh token',
      });
    }
  });

  it('logout ends the session, its refresh token and its cookie', async () => {
    const { body, headers } = await register();
    const principal = principalOf(body.accessToken);
    const answer = await callRoute(routes, logoutRoute, { principal });
    expect(answer.status).to.equal(204);
    expect(answer.headers['set-cookie']).to.match(/^tandem_session=; Max-Age=0; /);
    expect(fixture.auth.authenticator.authenticateToken(body.accessToken).ok).to.equal(false);
    expect(fixture.auth.authenticator.authenticate({ cookie: cookieOf(headers) }).ok).to.equal(false);
    expect(
      (await refusalOf(routes, refreshRoute, { body: { refreshToken: body.refreshToken } })).status,
    ).to.equal(401);
    expect((await callRoute(routes, logoutRoute, { principal })).status).to.equal(204);
  });

  it('me and sessions', async () => {
    const first = await register();
    await fixture.clock.advance(1_000);
    const second = await login();
    const principal = principalOf(second.body.accessToken);
    expect((await callRoute(routes, meRoute, { principal })).body).to.deep.equal(first.body.user);
    const { sessions } = (await callRoute(routes, listSessionsRoute, { principal })).body;
    expect(sessions.map((session) => session.current)).to.deep.equal([true, false]);
    expect(sessions[0]).to.include({ ip: '127.0.0.1', userAgent: null });
    expect(JSON.stringify(sessions)).not.to.match(/hash|token/i);
  });

  it('ending a session: another one, the own one, an unknown one', async () => {
    const first = await register();
    const second = await login();
    const principal = principalOf(second.body.accessToken);
    const firstSession = principalOf(first.body.accessToken);
    const idOf = (of: Principal) => (of.kind === 'session' ? of.sessionId : '');
    const other = await callRoute(routes, endSessionRoute, { principal, params: { id: idOf(firstSession) } });
    expect(other.status).to.equal(204);
    expect(other.headers).not.to.have.property('set-cookie');
    expect(fixture.auth.authenticator.authenticateToken(first.body.accessToken).ok).to.equal(false);
    const gone = await refusalOf(routes, endSessionRoute, { principal, params: { id: idOf(firstSession) } });
    expect(gone).to.include(NOT_FOUND);
    const own = await callRoute(routes, endSessionRoute, { principal, params: { id: idOf(principal) } });
    expect(own.headers['set-cookie']).to.include('Max-Age=0');
  });

  it('a ticket for the WebSocket', async () => {
    const { body } = await register();
    const principal = principalOf(body.accessToken);
    const answer = await callRoute(routes, wsTicketRoute, { principal });
    expect(fixture.auth.tickets.redeem(answer.body.ticket)).to.deep.equal(principal);
    expect(Date.parse(answer.body.expiresAt) - fixture.clock.now()).to.equal(30_000);
  });

  it('a disk that is full is a 500 in the business shape', async () => {
    fixture.failCommits = true;
    expect(await refusalOf(routes, registerRoute, { body: ADA })).to.include(DISK_FULL);
  });

  it('bodies are strict', () => {
    const refused = (body: unknown) => registerRoute.body.safeParse(body).success === false;
    expect(refused({ ...ADA, admin: true })).to.equal(true);
    expect(refused({ ...ADA, email: 'not an e-mail' })).to.equal(true);
    expect(refused({ ...ADA, password: 'too short' })).to.equal(true);
    expect(refused({ ...ADA, password: 'x'.repeat(129) })).to.equal(true);
    expect(refused({ ...ADA, password: 1234567890 })).to.equal(true);
    expect(registerRoute.body.parse({ ...ADA, email: ' ADA@Example.com ' }).email).to.equal(
      'ada@example.com',
    );
    const login = (body: unknown) => loginRoute.body.safeParse(body).success;
    expect(login({ method: 'email', ...ADA })).to.equal(true);
    expect(login(ADA)).to.equal(false);
    expect(login({ method: 'email', ...ADA, signature: '0x' })).to.equal(false);
    expect(login({ method: 'wallet', ...ADA })).to.equal(false);
  });
});
