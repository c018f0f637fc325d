import { expect } from 'chai';
import { openForSuite } from '../../support/open-for-tests.ts';
import { OWN_ACCOUNT, startRig } from './rig.ts';

const bearer = (name: string) => ({ authorization: `Bearer ${name}` });
const key = (name: string) => ({ 'x-api-key': name });

describe('Credentials on a route', () => {
  const rig = openForSuite(() => startRig());

  it('lets a read-only key ask for the head of a read', async () => {
    expect((await rig.request('HEAD', '/read', { headers: key('key-ro') })).status).to.equal(200);
  });

  it('does not look at credentials on a public route', async () => {
    const path = '/items/0198a000-0000-7000-8000-000000000001';
    for (const headers of [{}, key('nobody'), bearer('nobody'), bearer('session')])
      expect((await rig.request('GET', path, { headers })).json).to.deep.include({ principal: null });
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
  });
});
