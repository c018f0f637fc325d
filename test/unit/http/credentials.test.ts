import { expect } from 'chai';
import { FOREIGN_ACCOUNT, OWN_ACCOUNT, type Rig, startRig } from './rig.ts';

const bearer = (name: string) => ({ authorization: `Bearer ${name}` });
const key = (name: string) => ({ 'x-api-key': name });

const NOT_PERMITTED = (method: string) => `Auth method '${method}' is not permitted on this route`;
const FIRST_PARTY = 'OAuth grant tokens cannot access first-party account endpoints';

/** Method, path, credential, status, message (or the kind of principal that the handler saw). */
const ROWS: readonly (readonly [string, string, Record<string, string>, number, string])[] = [
  ['GET', '/read', key('key-rw'), 200, 'api_key'],
  ['GET', '/read', key('key-ro'), 200, 'api_key'],
  ['GET', '/read', bearer('session'), 200, 'session'],
  ['GET', '/read', bearer('grant-ro'), 200, 'oauth_grant'],
  ['GET', '/read', {}, 401, 'Missing authorization token'],
  ['GET', '/read', key('nobody'), 401, 'Invalid API key'],
  ['GET', '/read', bearer('nobody'), 401, 'Invalid or expired access token'],
  ['GET', '/read', { ...key('key-ro'), ...bearer('session') }, 200, 'api_key'],
  ['GET', '/read', { ...key('nobody'), ...bearer('session') }, 401, 'Invalid API key'],
  ['POST', '/pause', key('key-rw'), 200, 'api_key'],
  ['POST', '/pause', key('key-ro'), 403, 'API key does not have write access'],
  ['POST', '/pause', bearer('session'), 200, 'session'],
  ['POST', '/pause', bearer('grant-rw'), 200, 'oauth_grant'],
  ['POST', '/pause', bearer('grant-ro'), 403, 'OAuth grant does not have write access'],
  ['POST', '/pause', {}, 401, 'Missing authorization token'],
  ['GET', '/api-keys', bearer('session'), 200, 'session'],
  ['GET', '/api-keys', key('key-rw'), 403, NOT_PERMITTED('api_key')],
  ['GET', '/api-keys', bearer('grant-rw'), 403, NOT_PERMITTED('oauth_grant')],
  ['GET', '/api-keys', {}, 401, 'Missing authorization token'],
  ['POST', '/auth/password', bearer('session'), 200, 'session'],
  ['POST', '/auth/password', key('key-ro'), 403, NOT_PERMITTED('api_key')],
  ['POST', '/auth/password', bearer('grant-rw'), 403, FIRST_PARTY],
  ['POST', '/auth/password', bearer('grant-ro'), 403, FIRST_PARTY],
];

describe('Credentials on a route', () => {
  let rig: Rig;
  before(async () => {
    rig = await startRig();
  });
  after(() => rig.close());

  for (const [method, path, headers, status, text] of ROWS) {
    it(`${method} ${path} with ${JSON.stringify(headers)}: ${status} ${text}`, async () => {
      const answer = await rig.request(method, path, { headers });
      expect(answer.status).to.equal(status);
      if (status === 200) {
        expect(answer.json).to.deep.equal({ principal: text });
      } else {
        const error = status === 401 ? 'Unauthorized' : 'Forbidden';
        expect(answer.json).to.deep.equal({ message: text, error, statusCode: status });
      }
    });
  }

  it('lets a read-only key ask for the head of a read', async () => {
    expect((await rig.request('HEAD', '/read', { headers: key('key-ro') })).status).to.equal(200);
  });

  it('does not look at credentials on a public route', async () => {
    const path = '/items/0198a000-0000-7000-8000-000000000001';
    for (const headers of [{}, key('nobody'), bearer('nobody'), bearer('session')])
      expect((await rig.request('GET', path, { headers })).json).to.deep.include({ principal: null });
  });

  it('names the scheme on a 401, but not to a key', async () => {
    const challenge = async (headers: Record<string, string>) =>
      (await rig.request('GET', '/read', { headers })).headers['www-authenticate'];
    expect(await challenge({})).to.equal('Bearer');
    expect(await challenge(bearer('nobody'))).to.equal('Bearer');
    expect(await challenge(key('nobody'))).to.equal(undefined);
  });

  it('sends the challenge that the composition root names', async () => {
    const other = await startRig({ bearerChallenge: () => 'Bearer scope="mcp:read mcp:write"' });
    try {
      const answer = await other.request('GET', '/read', { headers: bearer('nobody') });
      expect(answer.headers['www-authenticate']).to.equal('Bearer scope="mcp:read mcp:write"');
    } finally {
      await other.close();
    }
  });

  it('answers a broken authenticator as a failure of ours, on both of its paths', async () => {
    for (const fails of [
      () => {
        throw new Error('secret');
      },
      () => Promise.reject(new Error('secret')),
    ]) {
      const other = await startRig({ authenticator: { authenticate: fails } });
      try {
        const answer = await other.request('GET', '/read');
        expect(answer.status).to.equal(500);
        expect(answer.json).to.include({ errorCode: 'CONFIGURATION_ERROR', message: 'Internal error' });
        expect(answer.text).not.to.contain('secret');
      } finally {
        await other.close();
      }
    }
  });

  describe('trade account', () => {
    const body = { type: 'MARKET', legs: [{ symbol: 'BTC-PERP', weight: 1 }] };
    const open = (id: string | undefined) =>
      rig.request('POST', '/trade/open', {
        headers: { ...key('key-rw'), ...(id === undefined ? {} : { 'x-trade-account-id': id }) },
        body,
      });

    it('reaches the handler, in either case of its letters', async () => {
      for (const id of [OWN_ACCOUNT, OWN_ACCOUNT.toUpperCase()]) {
        const answer = await open(id);
        expect(answer.status).to.equal(202);
        expect(answer.json).to.deep.equal({ account: OWN_ACCOUNT, legs: 1, ip: '127.0.0.1' });
      }
    });

    for (const id of [undefined, ''])
      it(`is missing when it is ${id === '' ? 'empty' : 'not there'}`, async () => {
        const answer = await open(id);
        expect(answer.json).to.deep.equal({
          message: 'Missing required header: x-trade-account-id',
          error: 'Bad Request',
          statusCode: 400,
        });
      });

    for (const id of ['main', `${OWN_ACCOUNT}0`, `${OWN_ACCOUNT}, ${OWN_ACCOUNT}`, '0198a000'])
      it(`must be a UUID, which ${id} is not`, async () => {
        const answer = await open(id);
        expect(answer.status).to.equal(400);
        expect(answer.json).to.include({
          message: 'x-trade-account-id must be a UUID',
          error: 'Bad Request',
        });
      });

    it("is not found when it is another user's", async () => {
      const answer = await open(FOREIGN_ACCOUNT);
      expect(answer.status).to.equal(404);
      expect(answer.json).to.include({
        errorCode: 'RESOURCE_NOT_FOUND',
        message: 'Trade account not found',
      });
    });
  });
});
