import { expect } from 'chai';
import { z } from 'zod';
import { bind } from '../../../gateway/call/call.ts';
import { businessError, frameworkError } from '../../../gateway/contract/errors.ts';
import { route } from '../../../gateway/contract/route.ts';
import { openForSuite } from '../../support/open-for-tests.ts';
import { OWN_ACCOUNT, startRig } from './rig.ts';

const ITEM = '0198a000-0000-7000-8000-000000000001';
const REQUEST_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7/;

describe('HTTP answers', () => {
  const rig = openForSuite(() => startRig());

  describe('routing', () => {
    it('prefers a fixed path to one with a parameter', async () => {
      expect((await rig.request('GET', '/items/latest')).json).to.deep.equal({ which: 'latest, £1' });
      expect((await rig.request('GET', `/items/${ITEM}`)).json).to.deep.include({ params: { id: ITEM } });
    });

    it('gives the query its defaults and leaves unknown parameters alone', async () => {
      const query = async (text: string) => (await rig.request('GET', `/items/${ITEM}${text}`)).json.query;
      expect(await query('')).to.deep.equal({ limit: 3 });
      expect(await query('?')).to.deep.equal({ limit: 3 });
      expect(await query('?limit=7&other=1&__proto__=2')).to.deep.equal({ limit: 7 });
      // No more than a thousand are read: the work that a caller without a credential asks for stays small.
      expect(await query(`?${'a&'.repeat(999)}limit=7`)).to.deep.equal({ limit: 7 });
      expect(await query(`?${'a&'.repeat(1_000)}limit=7`)).to.deep.equal({ limit: 3 });
    });

    for (const [method, path] of [
      ['GET', '/nowhere'],
      ['POST', '/nowhere'],
      ['PUT', '/items/latest/'],
      ['GET', '/items/latest/'],
      ['GET', '/Items/latest'],
      ['GET', '//items/latest'],
      ['POST', '/read'],
      ['DELETE', '/trade/open'],
    ] as const)
      it(`answers ${method} ${path} with 404 in the framework shape`, async () => {
        const answer = await rig.request(method, `${path}?x=1`);
        expect(answer.status).to.equal(404);
        expect(answer.json).to.deep.equal({
          message: `Cannot ${method} ${path}`,
          error: 'Not Found',
          statusCode: 404,
        });
      });

    it('answers HEAD as GET without the content', async () => {
      for (const path of ['/items/latest', `/items/${ITEM}`]) {
        const get = await rig.request('GET', path);
        const head = await rig.request('HEAD', path);
        expect(head.status).to.equal(200);
        expect(head.text).to.equal('');
        expect(head.headers['content-length']).to.equal(String(Buffer.byteLength(get.text)));
        expect(head.headers['content-type']).to.equal(get.headers['content-type']);
      }
    });

    it('refuses two routes for one method and path', async () => {
      const twice = bind(
        route({ method: 'GET', path: '/a', auth: 'P', tag: 'x', summary: 'x', success: { 200: null } }),
        () => ({}),
      );
      const failed = await startRig({ routes: [twice, twice] }).catch((error: unknown) => error);
      expect(String(failed)).to.contain('GET /a is declared twice');
    });
  });

  describe('success', () => {
    it('has no body and no length with 204', async () => {
      const answer = await rig.request('DELETE', `/items/${ITEM}`, { headers: { 'x-api-key': 'key-rw' } });
      expect(answer.status).to.equal(204);
      expect(answer.text).to.equal('');
      expect(answer.headers).not.to.have.any.keys('content-length', 'content-type', 'transfer-encoding');
    });

    it("puts the handler's headers in the place of its own", async () => {
      const answer = await rig.request('POST', '/refresh', { body: { token: 't' } });
      expect(answer.headers['set-cookie']).to.deep.equal(['a=1', 'b=2']);
      expect(answer.headers['cache-control']).to.equal('no-store');
      expect(answer.json).to.deep.equal({ token: 't' });
    });

    it('gives an optional body its defaults when there is none', async () => {
      expect((await rig.request('POST', '/refresh')).json).to.deep.equal({ token: 'none' });
      const empty = await rig.request('POST', '/refresh', { headers: { 'transfer-encoding': 'chunked' } });
      expect(empty.status).to.equal(415);
    });

    it('answers many requests on one connection, each with its own length', async () => {
      const texts = await Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          const answer = await rig.request('POST', '/refresh', { body: { token: 'é'.repeat(index) } });
          expect(answer.headers['content-length']).to.equal(String(Buffer.byteLength(answer.text)));
          return answer.json.token.length;
        }),
      );
      expect(texts).to.deep.equal(Array.from({ length: 20 }, (_, index) => index));
    });
  });

  describe('security headers', () => {
    const everywhere = {
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    };
    for (const [name, method, path, headers] of [
      ['a public answer', 'GET', '/items/latest', {}],
      ['an empty answer', 'DELETE', `/items/${ITEM}`, { 'x-api-key': 'key-rw' }],
      ['an answer with own headers', 'POST', '/refresh', {}],
      ['an unknown route', 'GET', '/nowhere', {}],
      ['a refused host', 'GET', '/items/latest', { host: 'evil.example' }],
      ['a refused credential', 'GET', '/read', {}],
      ['a failure', 'GET', '/fail/bug', {}],
    ] as const)
      it(`are on ${name}`, async () => {
        expect((await rig.request(method, path, { headers })).headers).to.include(everywhere);
      });

    it('are on what node refuses before there is a request', async () => {
      const answer = (await rig.raw('NONSENSE\r\n\r\n')).toLowerCase();
      expect(answer).to.match(/^http\/1\.1 400 /);
      for (const [name, value] of Object.entries(everywhere))
        expect(answer).to.contain(`${name}: ${value.toLowerCase()}`);
      expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).to.include({ statuscode: 400 });
    });

    it('keep private answers out of every cache', async () => {
      const headers = { 'x-api-key': 'key-rw' };
      expect((await rig.request('GET', '/read', { headers })).headers['cache-control']).to.equal('no-store');
      expect((await rig.request('GET', '/read')).headers['cache-control']).to.equal('no-store');
    });
  });

  describe('errors', () => {
    it('have an id that the log has too, and nothing of an exception', async () => {
      for (const [path, code] of [
        ['/fail/bug', 'CONFIGURATION_ERROR'],
        ['/fail/store', 'DATABASE_ERROR'],
      ] as const) {
        const answer = await rig.request('GET', path);
        expect(answer.status).to.equal(500);
        expect(answer.json).to.deep.equal({
          message: 'Internal error',
          errorCode: code,
          details: {},
          timestamp: '2026-01-31T12:00:00.000Z',
        });
        const requestId = answer.headers['x-request-id'];
        expect(requestId).to.match(REQUEST_ID);
        const logged = rig.logs.find(({ fields }) => 'requestId' in fields && fields.requestId === requestId);
        expect(logged).to.deep.include({ level: 'error' });
        expect(logged?.fields).to.have.property('err').that.is.instanceOf(Error);
      }
    });

    it('of a read while the gateway stops say so; a bug is a warning, a refusal stays what it is', async () => {
      const stopping = await startRig({ isStopping: () => true });
      try {
        for (const [path, code, level] of [
          ['/fail/bug', 'CONFIGURATION_ERROR', 'warn'],
          ['/fail/store', 'DATABASE_ERROR', 'debug'],
        ] as const) {
          const { status, json, headers } = await stopping.request('GET', path);
          expect([status, json.errorCode, json.details]).to.deep.equal([500, code, { reason: 'STOPPING' }]);
          const logged = stopping.logs.filter(
            ({ fields }) => 'requestId' in fields && fields.requestId === headers['x-request-id'],
          );
          expect(logged.map((line) => line.level)).to.deep.equal([level]);
          expect(logged[0]?.fields).to.have.property('err').that.is.instanceOf(Error);
        }
        expect((await stopping.request('GET', '/nowhere')).status).to.equal(404);
        const busy = await stopping.request('POST', '/trade/open', {
          headers: { 'x-api-key': 'key-rw', 'x-trade-account-id': OWN_ACCOUNT },
          body: { type: 'MARKET', legs: [{ symbol: 'BUSY', weight: 1 }] },
        });
        expect([busy.status, busy.json.message]).to.deep.equal([409, 'Still running']);
        expect(stopping.logs.filter(({ level }) => level === 'error')).to.deep.equal([]);
      } finally {
        await stopping.close();
      }
    });

    it('of a known cause that a caller repeats are one line of the log', async () => {
      const early = {
        headers: { 'x-api-key': 'key-rw', 'x-trade-account-id': OWN_ACCOUNT },
        body: { type: 'MARKET', legs: [{ symbol: 'EARLY', weight: 1 }] },
      };
      for (let nth = 0; nth < 20; nth += 1)
        expect((await rig.request('POST', '/trade/open', early)).status).to.equal(500);
      const logged = rig.logs.filter(({ level, message }) => level === 'error' && message === 'Not yet');
      expect(logged).to.have.length(1);
    });

    it('of a refused request carry an id as well', async () => {
      for (const [path, headers] of [
        ['/nowhere', {}],
        ['/read', {}],
        ['/items/x', {}],
        ['/items/latest', { host: 'evil.example' }],
      ] as const)
        expect((await rig.request('GET', path, { headers })).headers['x-request-id']).to.match(REQUEST_ID);
    });

    it('have exactly the shapes of the contract', async () => {
      frameworkError.parse((await rig.request('GET', '/nowhere')).json);
      frameworkError.parse((await rig.request('GET', '/read')).json);
      businessError.parse((await rig.request('GET', '/items/x')).json);
      businessError.parse((await rig.request('GET', '/fail/bug')).json);
    });
  });

  describe('validation', () => {
    const open = (body: unknown, query = '') =>
      rig.request('POST', `/trade/open${query}`, {
        headers: { 'x-api-key': 'key-rw', 'x-trade-account-id': OWN_ACCOUNT },
        body,
      });

    it('names each rejected field once, by its dotted path', async () => {
      const answer = await open(
        {
          type: 'LIMIT',
          legs: [
            { symbol: '', weight: 2, colour: 'red', size: 1 },
            { symbol: 'BTC-PERP', weight: 'x' },
          ],
          extra: 1,
        },
        '?note=much-too-long',
      );
      expect(answer.status).to.equal(400);
      expect(answer.json).to.include({ message: 'Validation error', errorCode: 'VALIDATION_ERROR' });
      const details = answer.json.details.map(({ path, code }: { path: string; code: string }) => [
        path,
        code,
      ]);
      expect(details).to.have.deep.members([
        ['note', 'too_big'],
        ['type', 'invalid_value'],
        ['legs.0.symbol', 'too_small'],
        ['legs.0.weight', 'too_big'],
        ['legs.0.colour', 'unrecognized_keys'],
        ['legs.0.size', 'unrecognized_keys'],
        ['legs.1.weight', 'invalid_type'],
        ['extra', 'unrecognized_keys'],
      ]);
      for (const detail of answer.json.details) expect(detail.message).to.be.a('string').and.not.equal('');
    });

    it('points at the whole body when it is missing or no object', async () => {
      for (const body of [undefined, '[]', 'null', '"x"']) {
        const answer = await rig.request('POST', '/trade/open', {
          headers: {
            'x-api-key': 'key-rw',
            'x-trade-account-id': OWN_ACCOUNT,
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          body,
        });
        expect(answer.status, String(body)).to.equal(400);
        expect(answer.json.details, String(body)).to.have.length(1);
        expect(answer.json.details[0]).to.include({ path: '', code: 'invalid_type' });
      }
    });

    it('checks path parameters and the query', async () => {
      const bad = await rig.request('GET', '/items/x?limit=10');
      expect(bad.json.details.map(({ path }: { path: string }) => path)).to.deep.equal(['id', 'limit']);
    });

    it('takes no fields where the route describes no body', async () => {
      const headers = { 'x-api-key': 'key-rw' };
      expect((await rig.request('POST', '/pause', { headers, body: {} })).status).to.equal(200);
      const answer = await rig.request('POST', '/pause', { headers, body: { force: true } });
      expect(answer.status).to.equal(400);
      expect(answer.json.details).to.have.length(1);
      expect(answer.json.details[0]).to.include({ path: 'force', code: 'unrecognized_keys' });
    });

    it('is not confused by __proto__', async () => {
      const answer = await rig.request('POST', '/pause', {
        headers: { 'x-api-key': 'key-rw', 'content-type': 'application/json' },
        body: '{"__proto__":{"admin":true}}',
      });
      expect(answer.status).to.equal(400);
      expect(answer.json.details[0]).to.include({ path: '__proto__', code: 'unrecognized_keys' });
    });
  });

  it('counts every request by route and status class', async () => {
    const counted = await startRig({
      routes: [
        bind(
          route({
            method: 'GET',
            path: '/n/:n',
            auth: 'P',
            tag: 'x',
            summary: 'x',
            params: z.object({ n: z.coerce.number() }),
            success: { 200: z.unknown() },
          }),
          ({ params }) => ({ body: params }),
        ),
      ],
    });
    try {
      for (const path of ['/n/1', '/n/2', '/n/x', '/nowhere']) await counted.request('GET', path);
      const text = counted.metrics.render();
      expect(text).to.contain('tandem_http_requests_total{route="GET /n/:n",status="2xx"} 2');
      expect(text).to.contain('tandem_http_requests_total{route="GET /n/:n",status="4xx"} 1');
      expect(text).to.contain('tandem_http_requests_total{route="unmatched",status="4xx"} 1');
    } finally {
      await counted.close();
    }
  });
});
