import { expect } from 'chai';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { nonceRoute, registered, sessionTokens, signedIn, user } from '../../gateway/contract/auth.ts';
import { gatewayForEachTest } from '../support/gateway.ts';

const PASSWORD = 'correct horse battery';

describe('API: registration and sign-in', () => {
  const gateway = gatewayForEachTest({ settings: { registration: 'first' } });

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    gateway.request('POST', path, { headers, body });
  const bearer = (accessToken: string) => ({ authorization: `Bearer ${accessToken}` });
  const me = (headers: Record<string, string>) => gateway.request('GET', '/auth/me', { headers });

  it('the first user registers, gets a funded paper account, and can sign in', async () => {
    const answer = await post('/auth/register', { email: 'ada@example.com', password: PASSWORD });
    expect(answer.status).to.equal(201);
    const made = registered.parse(answer.json);
    expect(made.tradeAccount).to.include({ alias: 'Paper', connector: 'paper', status: 'READY' });
    const login = await post('/auth/login', {
      method: 'email',
      email: 'ADA@example.com',
      password: PASSWORD,
    });
    expect(login.status).to.equal(200);
    const again = signedIn.parse(login.json);
    expect(again.user).to.deep.equal(made.user);
    expect(again.expiresIn).to.equal(900);
    expect(user.parse((await me(bearer(again.accessToken))).json)).to.deep.equal(made.user);
  });

  it('registration is closed afterwards', async () => {
    await gateway.register();
    const second = await post('/auth/register', { email: 'bob@example.com', password: PASSWORD });
    expect(second.status).to.equal(403);
    expect(second.json).to.deep.equal({
      message: 'Registration is closed',
      error: 'Forbidden',
      statusCode: 403,
    });
  });

  it('unknown e-mail and wrong password answer alike', async () => {
    const { user: ada } = await gateway.register();
    const wrong = await post('/auth/login', { method: 'email', email: ada.email, password: 'not the one' });
    const unknown = await post('/auth/login', {
      method: 'email',
      email: 'no@example.com',
      password: PASSWORD,
    });
    expect(wrong.json).to.deep.equal({
      message: 'Invalid email or password',
      error: 'Unauthorized',
      statusCode: 401,
    });
    expect([unknown.status, unknown.json]).to.deep.equal([wrong.status, wrong.json]);
  });

  it('a body that is not valid names its fields', async () => {
    const answer = await post('/auth/register', { email: 'nonsense', password: 'short', admin: true });
    expect(answer.status).to.equal(400);
    expect(answer.json).to.include({ message: 'Validation error', errorCode: 'VALIDATION_ERROR' });
    expect(JSON.stringify(answer.json)).to.include('"path":"email"').and.to.include('unrecognized_keys');
  });

  it('a password that everybody tries first is refused, at registration and at the change', async () => {
    const refusal = 'Too easy to guess';
    for (const password of ['1234567890', 'password123', 'Password123', 'ada@example.com']) {
      const answer = await post('/auth/register', { email: 'ada@example.com', password });
      expect(answer.status, password).to.equal(400);
      expect(answer.json.errorCode).to.equal('VALIDATION_ERROR');
      expect(answer.json.details[0].path).to.equal('password');
      expect(answer.json.details[0].message).to.contain(refusal);
    }
    const made = await post('/auth/register', { email: 'ada@example.com', password: PASSWORD });
    expect(made.status, 'the refusals have not used the first place up').to.equal(201);
    const headers = bearer(made.json.accessToken);
    const changed = await post('/auth/password', { current: PASSWORD, next: 'qwertyuiop' }, headers);
    expect(changed.status).to.equal(400);
    expect(changed.json.details[0]).to.include({ path: 'next' });
    expect(
      (await post('/auth/login', { method: 'email', email: 'ada@example.com', password: PASSWORD })).status,
    ).to.equal(200);
  });

  it('a wallet signs in by its signature, once a nonce', async () => {
    const wallet = privateKeyToAccount(generatePrivateKey());
    const asked = await post('/auth/nonce', { address: wallet.address });
    const { nonce, message } = nonceRoute.success[200].parse(asked.json);
    const proof = {
      method: 'wallet',
      address: wallet.address,
      nonce,
      signature: await wallet.signMessage({ message }),
    };
    const login = await post('/auth/login', proof);
    expect(login.status).to.equal(200);
    expect(signedIn.parse(login.json).user.walletAddress).to.equal(wallet.address);
    expect((await post('/auth/login', proof)).status).to.equal(401);
  });

  it('refresh rotates; reuse of a rotated token ends the session', async () => {
    const first = await gateway.register();
    const refreshed = await post('/auth/session/refresh', { refreshToken: first.refreshToken });
    expect(refreshed.status).to.equal(200);
    const second = sessionTokens.parse(refreshed.json);
    expect((await me(bearer(second.accessToken))).status).to.equal(200);
    expect((await post('/auth/session/refresh', { refreshToken: first.refreshToken })).status).to.equal(401);
    expect((await me(bearer(second.accessToken))).status).to.equal(401);
    expect((await post('/auth/session/refresh', { refreshToken: second.refreshToken })).status).to.equal(401);
  });

  it('of parallel refreshes exactly one wins', async () => {
    const { refreshToken } = await gateway.register();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => post('/auth/session/refresh', { refreshToken })),
    );
    expect(answers.map((answer) => answer.status).sort()).to.deep.equal([200, 401, 401, 401, 401]);
  });

  it('logout ends the session', async () => {
    const { accessToken, refreshToken } = await gateway.register();
    expect((await post('/auth/logout', undefined, bearer(accessToken))).status).to.equal(204);
    const refused = await me(bearer(accessToken));
    expect(refused.json).to.include({ statusCode: 401, message: 'Invalid or expired access token' });
    expect((await post('/auth/session/refresh', { refreshToken })).status).to.equal(401);
  });

  it('a password change ends the other sessions', async () => {
    const email = 'ada@example.com';
    const first = registered.parse((await post('/auth/register', { email, password: PASSWORD })).json);
    const other = signedIn.parse(
      (await post('/auth/login', { method: 'email', email, password: PASSWORD })).json,
    );
    const change = { current: PASSWORD, next: 'a completely new one' };
    expect((await post('/auth/password', change, bearer(first.accessToken))).status).to.equal(204);
    expect((await me(bearer(first.accessToken))).status).to.equal(200);
    expect((await me(bearer(other.accessToken))).status).to.equal(401);
    expect((await post('/auth/login', { method: 'email', email, password: PASSWORD })).status).to.equal(401);
    expect((await post('/auth/login', { method: 'email', email, password: change.next })).status).to.equal(
      200,
    );
  });

  it('sessions are listed and ended by their user', async () => {
    const { accessToken } = await gateway.register();
    const listed = await gateway.request('GET', '/auth/sessions', { headers: bearer(accessToken) });
    expect(listed.json).to.have.property('sessions').with.length(1);
    const unknown = '018f0000-0000-7000-8000-000000000000';
    const refused = await gateway.request('DELETE', `/auth/sessions/${unknown}`, {
      headers: bearer(accessToken),
    });
    expect(refused.json).to.include({ errorCode: 'RESOURCE_NOT_FOUND' });
    await gateway.expect('DELETE', '/auth/sessions/1', { headers: bearer(accessToken) }, 404);
  });
});
