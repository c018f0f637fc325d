/** The table of consent-page and grant errors, row by row; and the interaction API around it. */
import { STATUS_CODES } from 'node:http';
import { expect } from 'chai';
import { type ConsentVisitor, consentVisitor } from '../support/consent-visitor.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { gatewayForEachTest } from '../support/gateway.ts';
import { signIn } from '../support/gateway-client.ts';
import { newPkce, oauthClient, REDIRECT_URI } from '../support/oauth-client.ts';
import { openForEachTest } from '../support/open-for-tests.ts';

const MINUTE_MS = 60_000;
const FIRST_PARTY = 'OAuth grant tokens cannot access first-party account endpoints';
const NOT_FOUND = 'Interaction not found or expired';
const OTHER_SESSION = 'Session does not match this interaction';

interface Seen {
  readonly status: number;
  readonly json: unknown;
  readonly text: string;
}

describe('consent-page and grant errors', () => {
  const clock = openForEachTest(() => createFakeClock());
  const gateway = gatewayForEachTest({ clock });
  let ada: ConsentVisitor;
  let bob: ConsentVisitor;
  let adaToken: string;
  let agent: ReturnType<typeof oauthClient>;
  let clientId: string;

  beforeEach(async () => {
    adaToken = (await gateway.register('ada@example.test')).accessToken;
    await gateway.register('bob@example.test');
    ada = consentVisitor(gateway, { email: 'ada@example.test' });
    bob = consentVisitor(gateway, { email: 'bob@example.test' });
    agent = oauthClient(gateway);
    clientId = await agent.register();
  });

  function expectFramework(answer: Seen, status: number, message: string): void {
    expect(answer.status, answer.text).to.equal(status);
    expect(answer.json).to.deep.equal({ message, error: STATUS_CODES[status], statusCode: status });
  }

  const link = (over: Readonly<Record<string, string>> = {}) =>
    `${gateway.url}${agent.authorizePath(clientId, newPkce().challenge, over)}`;
  const asAda = () => ({ authorization: `Bearer ${adaToken}` });
  const confirm = (uid: string, headers: Record<string, string>, scopes: unknown = []) =>
    gateway.request('POST', `/interaction/${uid}/confirm`, { headers, body: { scopes } });
  const abort = (uid: string, headers: Record<string, string>) =>
    gateway.request('POST', `/interaction/${uid}/abort`, { headers });
  const grants = async () =>
    (await gateway.request('GET', '/oauth2/grants', { headers: asAda() })).json.grants;

  /** An interaction in which `visitor` has signed in. */
  async function signedIn(visitor: ConsentVisitor): Promise<string> {
    const uid = await visitor.open(link());
    expect((await visitor.login(uid)).status).to.equal(200);
    return uid;
  }

  describe('rows of the table', () => {
    it('confirm before any login', async () => {
      const uid = await ada.open(link());
      expectFramework(await confirm(uid, asAda()), 400, 'Interaction is not awaiting consent');
      expect((await ada.read(uid)).json.prompt.name).to.equal('login');
    });

    it('a different account confirms or aborts', async () => {
      const uid = await signedIn(ada);
      await signedIn(bob);
      expectFramework(await bob.confirm(uid, ['mcp:write']), 403, OTHER_SESSION);
      expectFramework(await bob.abort(uid), 403, OTHER_SESSION);
      expectFramework(await bob.read(uid), 403, OTHER_SESSION);
      expectFramework(await bob.login(uid), 403, OTHER_SESSION);
      expect((await ada.confirm(uid, [])).status).to.equal(200);
    });

    it('uid expired or already finished: expired', async () => {
      const uid = await signedIn(ada);
      const waiting = await ada.open(link());
      clock.leap(10 * MINUTE_MS - 2_000);
      expect((await ada.read(uid)).status).to.equal(200);
      clock.leap(2_000);
      for (const open of [uid, waiting]) {
        expectFramework(await ada.read(open), 404, NOT_FOUND);
        expectFramework(await ada.login(open), 404, NOT_FOUND);
        expectFramework(await ada.confirm(open, []), 404, NOT_FOUND);
        expectFramework(await ada.abort(open), 404, NOT_FOUND);
      }
    });

    it('uid expired or already finished: finished, or never there', async () => {
      const confirmed = await signedIn(ada);
      expect((await ada.confirm(confirmed, [])).status).to.equal(200);
      const aborted = await signedIn(ada);
      expect((await ada.abort(aborted)).status).to.equal(200);
      for (const uid of [confirmed, aborted, 'unknown', '%00', 'x'.repeat(2_000)]) {
        expectFramework(await ada.read(uid), 404, NOT_FOUND);
        expectFramework(await ada.login(uid), 404, NOT_FOUND);
        expectFramework(await ada.confirm(uid, []), 404, NOT_FOUND);
        expectFramework(await ada.abort(uid), 404, NOT_FOUND);
      }
    });

    it('user already holds 10 active grants at confirm', async () => {
      for (let count = 0; count < 9; count += 1) await agent.connect(ada);
      const tenth = await agent.authorize(ada);
      const full = /maximum of 10 connected agents/;
      const refused = await ada.confirm(await signedIn(ada), ['mcp:read']);
      expect(refused.status).to.equal(403);
      expect(refused.json.message).to.match(full);
      expect(refused.json).to.have.all.keys('message', 'error', 'statusCode');

      // The code that is not redeemed yet holds its place for its 60 seconds, and then no longer.
      clock.leap(MINUTE_MS);
      const eleventh = await signedIn(ada);
      expect((await ada.confirm(eleventh, ['mcp:read'])).status).to.equal(200);
      expect((await agent.redeem(tenth)).json.error).to.equal('invalid_grant');
      expect(await grants()).to.have.length(9);

      // A refusal leaves the interaction open: with a place free again it can be confirmed.
      const waiting = await signedIn(ada);
      expect((await ada.confirm(waiting, [])).status).to.equal(403);
      const [newest] = await grants();
      await gateway.request('DELETE', `/oauth2/grants/${newest.id}`, { headers: asAda() });
      expect((await ada.confirm(waiting, [])).status).to.equal(200);
      expect((await bob.confirm(await signedIn(bob), [])).status, 'the cap is per user').to.equal(200);
    });

    it('user already holds 10 active grants at confirm: of 20 at once, ten get a code @long', async () => {
      const uids: string[] = [];
      for (let count = 0; count < 20; count += 1) uids.push(await signedIn(ada));
      const answers = await Promise.all(uids.map((uid) => ada.confirm(uid, [])));
      expect(answers.filter(({ status }) => status === 200)).to.have.length(10);
      expect(answers.filter(({ status }) => status === 403)).to.have.length(10);
    });

    it('unknown, already revoked, or another user’s grant id on DELETE /oauth2/grants/{id}', async () => {
      await agent.connect(ada);
      const [{ id }] = await grants();
      const remove = (grantId: string, headers: Record<string, string>) =>
        gateway.request('DELETE', `/oauth2/grants/${grantId}`, { headers });
      const { headers: asBob } = await signIn(gateway, 'bob@example.test');
      const absent = [404, 'OAuth grant not found'] as const;
      expectFramework(await remove('018f0000-0000-7000-8000-000000000000', asAda()), ...absent);
      expectFramework(await remove(id, asBob), ...absent);
      expect((await remove(id, asAda())).status).to.equal(204);
      expectFramework(await remove(id, asAda()), ...absent);
    });

    it('grant token on /auth account routes or on grant management', async () => {
      const headers = { authorization: `Bearer ${(await agent.connect(ada)).access_token}` };
      const [{ id }] = await grants();
      const uid = await signedIn(ada);
      for (const [method, path, body] of [
        ['GET', '/auth/me'],
        ['GET', '/auth/sessions'],
        ['POST', '/auth/logout'],
        ['POST', '/auth/password', { current: 'correct horse battery', next: 'another password' }],
        ['POST', '/auth/ws-ticket'],
        ['GET', '/oauth2/grants'],
        ['DELETE', `/oauth2/grants/${id}`],
        ['GET', `/interaction/${uid}`],
        ['POST', `/interaction/${uid}/confirm`, { scopes: ['mcp:write'] }],
        ['POST', `/interaction/${uid}/abort`],
      ] as const)
        expectFramework(await gateway.request(method, path, { headers, body }), 403, FIRST_PARTY);
    });
  });

  describe('the interaction', () => {
    it('is readable by everybody until somebody signs in, then by that account only', async () => {
      const uid = await ada.open(link({ scope: 'mcp:write mcp:read mcp:write', state: 'a b&c' }));
      const { json } = await gateway.request('GET', `/interaction/${uid}`);
      expect(json.uid).to.equal(uid);
      expect(json.prompt.name).to.equal('login');
      expect(json.params).to.deep.equal({
        client_id: clientId,
        redirect_uri: REDIRECT_URI,
        state: 'a b&c',
        scope: 'mcp:write mcp:read',
      });
      expect(json.client).to.deep.equal({
        clientId,
        clientName: 'Test agent',
        redirectUris: [REDIRECT_URI],
      });
      const login = await ada.login(uid);
      expect(login.json).to.deep.equal({
        returnTo: `http://tandem.localhost:${gateway.port}/consent/${uid}`,
      });
      expect(login.headers['set-cookie']?.[0]).to.match(
        /^tandem_session=.+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/,
      );
      expect((await ada.read(uid)).json.prompt.name).to.equal('consent');
      const anonymous = await gateway.request('GET', `/interaction/${uid}`);
      expectFramework(anonymous, 401, 'Missing authorization token');
      expect(anonymous.headers.get('www-authenticate')).to.include('resource_metadata=');
    });

    it('a wrong password binds nobody', async () => {
      const uid = await ada.open(link());
      expectFramework(await ada.login(uid, 'wrong password'), 401, 'Invalid email or password');
      expect((await gateway.request('GET', `/interaction/${uid}`)).json.prompt.name).to.equal('login');
    });

    it('the same account may sign in again; the session of another one does not outlive the attempt @long', async () => {
      const uid = await signedIn(ada);
      expect((await ada.login(uid)).status).to.equal(200);
      const before = bob.cookies();
      expectFramework(await bob.login(uid), 403, OTHER_SESSION);
      expect(bob.cookies()).to.equal(before);
      const { headers } = await signIn(gateway, 'bob@example.test');
      // The registration's and this one.
      expect((await gateway.request('GET', '/auth/sessions', { headers })).json.sessions).to.have.length(2);
    });

    it('confirm and abort need a session: 401 without one, 403 for a key', async () => {
      const uid = await signedIn(ada);
      expectFramework(await confirm(uid, {}), 401, 'Missing authorization token');
      expectFramework(await abort(uid, {}), 401, 'Missing authorization token');
      const key = await gateway.request('POST', '/api-keys', {
        headers: asAda(),
        body: { label: 'bot', scope: 'read_write' },
      });
      const headers = { 'x-api-key': key.json.key };
      const refused = "Auth method 'api_key' is not permitted on this route";
      expectFramework(await confirm(uid, headers), 403, refused);
      expectFramework(await abort(uid, headers), 403, refused);
      expect((await confirm(uid, asAda(), ['mcp:read'])).status, 'a bearer works').to.equal(200);
    });

    it('the grant gets what was asked for and allowed, and nothing else', async () => {
      for (const [asked, allowed, granted] of [
        ['mcp:read mcp:write', ['mcp:write', 'mcp:read', 'admin'], 'mcp:read mcp:write'],
        ['mcp:read', ['mcp:write'], ''],
        ['mcp:read mcp:write', [], ''],
        ['', ['mcp:write'], ''],
      ] as const) {
        const answer = await agent.connect(ada, allowed, { clientId, parameters: { scope: asked } });
        expect(answer.scope).to.equal(granted);
      }
    });

    it('the way back carries code and state, or access_denied and state, and the query that was registered', async () => {
      const uri = `${REDIRECT_URI}?kept=1`;
      clientId = await agent.register({ redirect_uris: [uri] });
      const allowed = await ada.allow(link({ redirect_uri: uri, state: 'é & =' }), []);
      expect(allowed.href.startsWith(`${uri}&code=`)).to.equal(true);
      expect([...allowed.searchParams.keys()]).to.deep.equal(['kept', 'code', 'state']);
      expect(allowed.searchParams.get('state')).to.equal('é & =');
      const denied = await ada.deny(link({ redirect_uri: uri, state: '' }));
      expect([...denied.searchParams.keys()]).to.deep.equal(['kept', 'error', 'error_description']);
      expect(denied.searchParams.get('error')).to.equal('access_denied');
    });

    it('an account that is signed in may refuse before it signs in here @long', async () => {
      const uid = await ada.open(link());
      const refused = await abort(uid, asAda());
      expect(new URL(refused.json.returnTo).searchParams.get('error')).to.equal('access_denied');
    });

    it('bodies that are not as described are a 400 and change nothing @long', async () => {
      const uid = await signedIn(ada);
      for (const body of [{}, { scopes: 'mcp:read' }, { scopes: [1] }, { scopes: [], more: 1 }]) {
        const sent = { headers: asAda(), body };
        const answer = await gateway.expect('POST', `/interaction/${uid}/confirm`, sent, 400);
        expect(answer.errorCode).to.equal('VALIDATION_ERROR');
      }
      expect((await ada.confirm(uid, [])).status).to.equal(200);
    });
  });
});
