import { expect } from 'chai';
import {
  forgetRequests,
  keptBody,
  recordingFetch,
  requestLogNow,
  STRUCK_OUT,
} from '../../../renderer/api/request-log.ts';

const ALL_OF_IT = JSON.stringify(STRUCK_OUT);

describe('what the request log keeps of a body', () => {
  it('is the body of an order', () => {
    const body = '{"type":"MARKET","legs":[{"symbol":"BTC-PERP","amount":"500"}]}';
    expect(keptBody('/trade/open', body)).to.equal(body);
  });

  for (const path of [
    '/auth/login',
    '/auth/password',
    '/interaction/x/login',
    '/trade-accounts/7/credentials',
  ])
    it(`is nothing of ${path}`, () => {
      expect(keptBody(path, '{"method":"email","current":"hunter2hunter2","name":"x"}')).to.equal(ALL_OF_IT);
    });

  it('has no field that could be a secret, however deep it is', () => {
    const body = JSON.stringify({
      alias: 'Main',
      credentials: { apiKey: 'hush' },
      nested: [{ password: 'hush', privateKey: 'hush', refreshToken: 'hush', key: 'hush' }],
    });
    const kept = keptBody('/trade-accounts', body);
    expect(kept).to.contain('Main').and.not.contain('hush');
  });

  it('is nothing of what is no JSON, or too long', () => {
    expect(keptBody('/trade/open', 'password=hush')).to.equal(ALL_OF_IT);
    expect(keptBody('/trade/open', JSON.stringify({ note: 'x'.repeat(9_000) }))).to.equal(ALL_OF_IT);
  });
});

describe('what the request log says of a call', () => {
  before(() => Object.assign(globalThis, { location: { origin: 'http://tandem.localhost:7391' } }));
  after(() => Reflect.deleteProperty(globalThis, 'location'));
  beforeEach(forgetRequests);

  const ending = (error: unknown) =>
    recordingFetch(async () => {
      throw error;
    })('/positions').catch(() => undefined);

  it('has failed where nobody answered', async () => {
    await ending(new TypeError('Failed to fetch'));
    expect(requestLogNow()[0]).to.include({ status: null, failure: 'Failed to fetch', isGivenUp: false });
  });

  it('has not failed where the page did not wait for the answer', async () => {
    await ending(new DOMException('The user aborted a request.', 'AbortError'));
    expect(requestLogNow()[0]).to.include({ status: null, failure: null, isGivenUp: true });
  });
});
