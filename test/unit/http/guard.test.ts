import { expect } from 'chai';
import { openForSuite } from '../../support/open-for-tests.ts';
import { startRig } from './rig.ts';

describe('HTTP guard', () => {
  const rig = openForSuite(() => startRig());

  it('refuses a mutation from a foreign origin whatever its credential', async () => {
    const headers = { origin: 'http://evil.example', 'x-api-key': 'key-rw' };
    const answer = await rig.request('POST', '/pause', { headers });
    expect(answer.status).to.equal(403);
    expect(answer.json).to.include({ error: 'Forbidden', statusCode: 403 });
  });

  for (const site of ['cross-site', 'same-site']) {
    it(`refuses a mutation of a page that is ${site} and whose origin the browser keeps to itself`, async () => {
      const headers = { 'sec-fetch-site': site, 'x-api-key': 'key-rw' };
      expect((await rig.request('POST', '/pause', { headers })).status).to.equal(403);
    });
  }
});
