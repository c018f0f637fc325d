import { expect } from 'chai';
import { type Rig, startRig } from './rig.ts';

describe('HTTP guard', () => {
  let rig: Rig;
  before(async () => {
    rig = await startRig();
  });
  after(() => rig.close());

  it('answers HTTP/1.0 without a Host as any other request without one', async () => {
    expect(await rig.raw('GET /items/latest HTTP/1.0\r\n\r\n')).to.match(/^HTTP\/1\.1 400 /);
  });

  describe('Origin', () => {
    const mutate = (headers: Record<string, string>) => rig.request('POST', '/pause', { headers });

    for (const origin of ['http://evil.example', 'null', 'http://127.0.0.1:1', 'https://127.0.0.1']) {
      it(`refuses a mutation from ${origin} whatever its credential`, async () => {
        const answer = await mutate({ origin, 'x-api-key': 'key-rw' });
        expect(answer.status).to.equal(403);
        expect(answer.json).to.include({ error: 'Forbidden', statusCode: 403 });
      });
    }

    it('takes a mutation from an own origin, and one without any', async () => {
      expect((await mutate({ origin: rig.origin, 'x-api-key': 'key-rw' })).status).to.equal(200);
      expect((await mutate({ 'x-api-key': 'key-rw' })).status).to.equal(200);
    });

    for (const site of ['cross-site', 'same-site']) {
      it(`refuses a mutation of a page that is ${site} and whose origin the browser keeps to itself`, async () => {
        const answer = await mutate({ 'sec-fetch-site': site, 'x-api-key': 'key-rw' });
        expect(answer.status).to.equal(403);
      });
    }
  });

  describe('session cookie', () => {
    const cookie = 'tandem_session=session';

    it('is enough for a mutation of an own page', async () => {
      const headers = { cookie, origin: rig.origin, 'sec-fetch-site': 'same-origin' };
      expect((await rig.request('POST', '/pause', { headers })).status).to.equal(200);
    });

    it('is enough for reading', async () => {
      expect((await rig.request('GET', '/read', { headers: { cookie } })).json).to.deep.equal({
        principal: 'session',
      });
    });

    it('does not put these rules on a bearer', async () => {
      const answer = await rig.request('POST', '/pause', { headers: { authorization: 'Bearer session' } });
      expect(answer.status).to.equal(200);
    });
  });
});
