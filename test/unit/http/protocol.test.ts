import { expect } from 'chai';
import { BusinessError } from '../../../gateway/call/errors.ts';
import type { ProtocolRoute } from '../../../gateway/http/protocol.ts';
import { openForSuite } from '../../support/open-for-tests.ts';
import { startRig } from './rig.ts';

const protocolRoutes: readonly ProtocolRoute[] = [
  {
    contract: { method: 'POST', path: '/token', accepts: ['form'] },
    handle: ({ body }) => ({ status: 200, body: { body: body ?? null } }),
  },
  {
    contract: { method: 'POST', path: '/revoke', accepts: ['json', 'form'] },
    handle: async ({ body }) => ({ status: 200, headers: { 'x-seen': typeof body } }),
  },
  {
    contract: { method: 'GET', path: '/authorize' },
    handle: ({ query, ip }) => ({ status: 302, headers: { location: `/consent?${ip}` }, body: { query } }),
  },
  {
    contract: { method: 'POST', path: '/broken', accepts: ['form'] },
    handle: () => {
      throw new BusinessError('RESOURCE_BUSY', 'Busy');
    },
  },
];

describe('Protocol routes', () => {
  const rig = openForSuite(() => startRig({ routes: [], protocolRoutes }));

  const form = { 'content-type': 'application/x-www-form-urlencoded' };

  it('read forms, keep repeated fields apart, and need no credential', async () => {
    const answer = await rig.request('POST', '/token', {
      headers: form,
      body: 'grant_type=refresh_token&scope=mcp%3Aread+mcp%3Awrite&code=1&code=2',
    });
    expect(answer.status).to.equal(200);
    expect(answer.json.body).to.deep.equal({
      grant_type: 'refresh_token',
      scope: 'mcp:read mcp:write',
      code: ['1', '2'],
    });
    expect(answer.headers['cache-control']).to.equal('no-store');
    expect(answer.headers['referrer-policy']).to.equal('no-referrer');
  });

  it('read both forms and JSON where both are accepted', async () => {
    for (const given of [{ headers: form, body: 'token=t' }, { body: { token: 't' } }]) {
      const answer = await rig.request('POST', '/revoke', given);
      expect([answer.status, answer.text, answer.headers['x-seen']]).to.deep.equal([200, '', 'object']);
    }
  });

  it('refuse other types with 415', async () => {
    for (const [path, headers] of [
      ['/token', { 'content-type': 'application/json' }],
      ['/revoke', { 'content-type': 'text/plain' }],
      ['/revoke', { 'content-type': 'multipart/form-data; boundary=x' }],
    ] as const)
      expect((await rig.request('POST', path, { headers, body: '{}' })).status).to.equal(415);
  });

  it('leave an unreadable body to the handler and refuse a huge one', async () => {
    const broken = await rig.request('POST', '/revoke', {
      headers: { 'content-type': 'application/json' },
      body: '{',
    });
    expect(broken.headers['x-seen']).to.equal('undefined');
    const huge = await rig.request('POST', '/token', { headers: form, body: `a=${'x'.repeat(70_000)}` });
    expect(huge.status).to.equal(413);
    expect((await rig.request('POST', '/token')).json).to.deep.equal({ body: null });
  });

  it('get the query and may redirect', async () => {
    const answer = await rig.request('GET', '/authorize?state=a%20b&scope=x&scope=y');
    expect(answer.status).to.equal(302);
    expect(answer.headers.location).to.equal('/consent?127.0.0.1');
    expect(answer.json.query).to.deep.equal({ state: 'a b', scope: ['x', 'y'] });
  });

  it('stand behind the guard, and their failures have the usual shapes', async () => {
    const foreign = await rig.request('POST', '/token', {
      headers: { ...form, origin: 'http://evil.example' },
      body: 'a=1',
    });
    expect(foreign.status).to.equal(403);
    const busy = await rig.request('POST', '/broken', { headers: form, body: 'a=1' });
    expect(busy.status).to.equal(409);
    expect(busy.json).to.include({ errorCode: 'RESOURCE_BUSY' });
  });
});
