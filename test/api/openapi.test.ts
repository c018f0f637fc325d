/** `/openapi.json` of the composed gateway: valid, whole, and true: what is documented is what is sent. */
import { request as httpRequest } from 'node:http';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import {
  businessCode,
  businessError,
  businessErrorName,
  frameworkError,
} from '../../gateway/contract/errors.ts';
import { oauthError } from '../../gateway/contract/oauth-protocol.ts';
import { CONTRACT_ROUTES } from '../support/contract-routes.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { startTestGateway, whileTimePasses } from '../support/gateway.ts';
import type { TestAnswer } from '../support/gateway-client.ts';
import type { Json } from '../support/json.ts';
import { openForSuite } from '../support/open-for-tests.ts';
import { routeName, SERVICE_SURFACE, type SurfaceRoute } from '../support/service-surface.ts';
import { SurfaceCalls } from '../support/surface-calls.ts';
import { PAIR, traderForSuite, usd } from '../support/trader.ts';

const NOBODY = '018f0000-0000-7000-8000-000000000000';
const SHAPES: Readonly<Record<string, { safeParse(value: unknown): { success: boolean; error?: unknown } }>> =
  {
    BusinessError: businessError,
    OAuthError: oauthError,
    FrameworkError: frameworkError,
    // A refusal has one of the codes that its route names.
    ...Object.fromEntries(
      businessCode.options.map((code) => [
        businessErrorName(code),
        businessError.refine(({ errorCode }) => errorCode === code),
      ]),
    ),
  };

type Refused = readonly [
  method: SurfaceRoute['method'],
  path: string,
  target: string,
  status: number,
  body?: object,
  headers?: Record<string, string>,
];

/**
 * Figures that have been through a float: a JSON number with a fraction or an exponent (money is text), and text such as
 * `0.30000000000000004` or `1e-7`.
 */
function floatNoise(value: unknown, path = ''): string[] {
  // Weights of a saved basket are shares, and numbers by the service; everything else with a fraction is text.
  if (typeof value === 'number' && !Number.isInteger(value) && path.endsWith('.weight'))
    return floatNoise(String(value), path);
  if (typeof value === 'number') return Number.isInteger(value) ? [] : [`${path}: ${value}`];
  if (typeof value === 'string') {
    // Float noise starts at the fifteenth digit or later. 0.000000000003 is a small exact amount.
    const digits = value.replace(/[-.]/g, '').replace(/^0+/, '').length;
    const isLong = digits >= 15 && /^-?\d+\.\d*(0{8,}|9{8,})\d{1,4}$/.test(value);
    return isLong || /^-?\d+(\.\d+)?e[-+]?\d+$/i.test(value) ? [`${path}: ${value}`] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => floatNoise(inner, `${path}.${name}`));
}

/** Refusals of the routes of pending orders for reasons of their own. */
function restingRefusals(closedPosition: string): readonly Refused[] {
  const condition = { type: 'PRICE', direction: 'MORE_THAN', value: '99000000', symbol: 'BTC-PERP' };
  const ladder = {
    legs: PAIR,
    metric: 'PRICE',
    symbol: 'BTC-PERP',
    direction: 'MORE_THAN',
    start: '1',
    end: '2',
    levels: 2,
    distribution: 'LINEAR',
    sizing: 'EQUAL',
  };
  const rebalance = { mode: 'TARGET_WEIGHTS', action: 'NOTIFY', minimumDrift: '0.05' };
  const config = '/positions/{id}/auto-rebalance';
  const on = (path: string, id: string) => path.replace(/\{\w+\}/, id);
  return [
    [
      'POST',
      '/triggers/open',
      '/triggers/open',
      400,
      { legs: PAIR, condition: { ...condition, value: '1' } },
    ],
    ['GET', '/triggers/{id}', `/triggers/${NOBODY}`, 404],
    ['PATCH', '/triggers/{id}', `/triggers/${NOBODY}`, 404, { expiresAt: null }],
    ['POST', '/triggers/{id}/cancel', `/triggers/${NOBODY}/cancel`, 404],
    ['POST', '/schedules', '/schedules', 400, { legs: PAIR, durationSeconds: 86_400, intervalSeconds: 5 }],
    ['GET', '/schedules/{id}', `/schedules/${NOBODY}`, 404],
    ['POST', '/schedules/{id}/pause', `/schedules/${NOBODY}/pause`, 404],
    ['POST', '/ladders', '/ladders', 400, ladder],
    ['GET', '/ladders/{ladderId}', `/ladders/${NOBODY}`, 404],
    ['POST', '/ladders/{ladderId}/cancel', `/ladders/${NOBODY}/cancel`, 404],
    ['PUT', '/positions/{id}/brackets', on('/positions/{id}/brackets', NOBODY), 404, { takeProfit: null }],
    [
      'PUT',
      '/positions/{id}/brackets',
      on('/positions/{id}/brackets', closedPosition),
      409,
      { stopLoss: null },
    ],
    ['POST', '/positions/{id}/reverse', on('/positions/{id}/reverse', NOBODY), 404],
    ['POST', '/positions/{id}/reverse', on('/positions/{id}/reverse', closedPosition), 409],
    ['POST', '/positions/close-all', '/positions/close-all', 409, { connector: 'paper-cross' }],
    ['PUT', config, on(config, NOBODY), 404, rebalance],
    ['PUT', config, on(config, closedPosition), 409, rebalance],
    ['GET', config, on(config, closedPosition), 404],
    ['DELETE', config, on(config, closedPosition), 404],
    ['GET', '/orders/{id}', `/orders/${NOBODY}`, 404],
    ['POST', '/orders/{id}/cancel', `/orders/${NOBODY}/cancel`, 404],
    ['POST', '/orders/cancel-all', '/orders/cancel-all', 409],
    ['GET', '/notifications', '/notifications?startDate=soon', 400],
    ['POST', '/notifications/unread', '/notifications/unread', 400, {}],
    ['POST', '/safety/resume', '/safety/resume', 409],
    ['POST', '/safety/panic', '/safety/panic', 400, { confirm: 'please' }],
  ];
}

describe('/openapi.json', () => {
  const gateway = openForSuite(() => startTestGateway({ clock, hasCross: true }));
  const bot = traderForSuite(gateway);
  const calls = openForSuite(() => SurfaceCalls.prepare(gateway, bot, clock));
  const clock = createFakeClock();
  let document: Json;
  let session: Record<string, string>;

  before(async () => {
    document = (await gateway.request('GET', '/openapi.json')).json;
    session = { authorization: `Bearer ${bot.accessToken}` };
  });

  const operation = (route: Pick<SurfaceRoute, 'method' | 'path'>): Json =>
    document.paths[route.path]?.[route.method.toLowerCase()];

  function expectDocumented(
    route: Pick<SurfaceRoute, 'method' | 'path'>,
    answer: Pick<TestAnswer, 'status' | 'json' | 'text'>,
    about: string,
  ): void {
    const documented = operation(route).responses[String(answer.status)];
    const name = `${routeName(route)} ${about}: ${answer.status} ${answer.text.slice(0, 200)}`;
    expect(documented, name).to.be.an('object');
    if (answer.status < 400) return;
    const { schema } = documented.content['application/json'];
    const names: string[] = (schema.anyOf ?? schema.oneOf ?? [schema]).map((one: Json) =>
      one.$ref.split('/').at(-1),
    );
    const fits = names.some((shape) => SHAPES[shape]?.safeParse(answer.json).success);
    expect(fits, `${name} has none of the documented shapes ${names}`).to.equal(true);
  }

  /** Whoever is let in on the route. */
  const admitted = (route: SurfaceRoute): Record<string, string> => ({
    ...(route.auth === 'K' ? { 'x-api-key': bot.key } : {}),
    ...(route.auth === 'B' ? session : {}),
    ...(route.account ? { 'x-trade-account-id': bot.accountId } : {}),
  });

  /** Some hosts and origins cannot be sent with fetch. */
  const raw = (
    route: Pick<SurfaceRoute, 'method'>,
    path: string,
    headers: Record<string, string>,
    body = '',
  ) =>
    new Promise<TestAnswer>((resolve, reject) => {
      const req = httpRequest({
        host: '127.0.0.1',
        port: gateway.port,
        method: route.method,
        path,
        headers: { ...headers, ...(body === '' ? {} : { 'content-length': Buffer.byteLength(body) }) },
      });
      req.on('response', (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const isJson = res.headers['content-type']?.includes('json') === true;
          resolve({
            status: res.statusCode ?? 0,
            headers: new Headers(),
            text,
            json: isJson ? JSON.parse(text) : null,
          });
        });
      });
      req.on('error', reject);
      req.end(body);
    });

  it('is valid OpenAPI 3.1 with the version of the service description', async () => {
    const validator = new Validator();
    const result = await validator.validate(structuredClone(document));
    expect(result.errors ?? []).to.deep.equal([]);
    expect(result.valid).to.equal(true);
    expect(validator.version).to.equal('3.1');
    expect(document.info.version).to.equal('3.0.3');
    expect((await gateway.request('GET', '/version')).json.apiVersion).to.equal('3.0.3');
  });

  it('says where it was asked, and which version of the product answers', async () => {
    expect(document.servers[0].url).to.equal(gateway.url);
    const asked = await raw({ method: 'GET' }, '/openapi.json', { host: `localhost:${gateway.port}` });
    expect(asked.json.servers[0].url).to.equal(`http://localhost:${gateway.port}`);
    const { version } = (await gateway.request('GET', '/version')).json;
    expect(document.info['x-tandem-version']).to.equal(version);
  });

  it('gives every schema a name of its own, every query what it is, and every refusal its codes', () => {
    const names = Object.keys(document.components.schemas);
    expect(names.filter((name) => /^_|schema\d/i.test(name))).to.deep.equal([]);
    const parameter = (path: string, name: string): Json =>
      document.paths[path].get.parameters.find((one: Json) => one.name === name).schema;
    expect(parameter('/orders', 'limit')).to.deep.equal({
      type: 'integer',
      minimum: 1,
      maximum: 2_000,
      default: 20,
    });
    expect(parameter('/markets', 'offset')).to.include({ type: 'integer', minimum: 0, default: 0 });
    expect(parameter('/portfolio', 'includeLedger')).to.deep.equal({ type: 'boolean', default: false });
    expect(parameter('/triggers', 'status').items.enum).to.include('ACTIVE');
    expect(parameter('/candles/basket', 'long')).to.include({ type: 'array', maxItems: 20 });
    for (const operations of Object.values<Json>(document.paths)) {
      for (const { parameters = [] } of Object.values<Json>(operations)) {
        for (const { name, schema } of parameters)
          if (/^(limit|offset)$/.test(name)) expect(schema.type, name).to.equal('integer');
      }
    }
    const codes = (name: string) => document.components.schemas[name].properties.errorCode;
    expect(codes('ResourceBusyError')).to.deep.equal({ type: 'string', const: 'RESOURCE_BUSY' });
    expect(document.paths['/orders/{id}/cancel'].post.responses['409'].description).to.equal(
      'Busy, or nothing would change: `RESOURCE_BUSY`, `NOOP_ERROR`',
    );
    for (const name of names) {
      const { status, errorCode } = document.components.schemas[name].properties ?? {};
      for (const field of [status, errorCode].filter((one) => one?.type === 'string'))
        expect(field.enum ?? [field.const], name).not.to.deep.equal([undefined]);
    }
  });

  it('names every operation once, with a summary, a tag and an answer', () => {
    const ids = SERVICE_SURFACE.map((route) => operation(route).operationId);
    expect(new Set(ids).size).to.equal(SERVICE_SURFACE.length);
    for (const route of SERVICE_SURFACE) {
      expect(operation(route).summary, routeName(route)).to.be.a('string').and.not.equal('');
      expect(operation(route).tags, routeName(route)).to.have.length(1);
      const statuses = Object.keys(operation(route).responses);
      expect(statuses.some((status) => /^[23]/.test(status))).to.equal(true);
      expect(statuses).to.include('500').and.to.include('421');
      if (route.auth !== 'P') expect(statuses).to.include('401').and.to.include('403');
      if (route.account) expect(statuses).to.include('400').and.to.include('404');
    }
  });

  describe('a good call is answered as documented, field by field', () => {
    for (const route of SERVICE_SURFACE) {
      it(routeName(route), async () => {
        const call = await calls.call(route, true);
        const headers =
          routeName(route) === 'POST /auth/logout'
            ? { authorization: `Bearer ${(await calls.login()).accessToken}` }
            : admitted(route);
        const sent = gateway.request(route.method, call.path, {
          headers: { ...headers, ...call.headers },
          body: call.body,
        });
        // It may wait for a venue.
        const answer = await whileTimePasses(clock, sent);
        expect(answer.status, answer.text).to.equal(route.status);
        expectDocumented(route, answer, 'good call');
        await calls.settle(answer);
        expect(floatNoise(answer.json), routeName(route)).to.deep.equal([]);
        if (answer.status >= 400) return;
        const contract = CONTRACT_ROUTES.get(routeName(route));
        const schema = contract?.success[answer.status];
        expect(schema, 'the contract knows the status').to.not.equal(undefined);
        const type = answer.headers.get('content-type');
        if (schema === null) {
          expect(answer.text).to.equal('');
        } else if (contract?.contentType === undefined) {
          expect(type).to.equal('application/json; charset=utf-8');
          expect(schema?.parse(answer.json)).to.deep.equal(answer.json);
        } else if (contract.contentType !== '*/*') {
          expect(type).to.satisfy((value: string) => value.startsWith(contract.contentType ?? ''));
        }
      });
    }
  });

  describe('answers along the life of a basket', () => {
    const expectStrict = (name: string, answer: TestAnswer) => {
      const schema = CONTRACT_ROUTES.get(name)?.success[answer.status];
      expect(schema, `${name} ${answer.status} ${answer.text.slice(0, 200)}`).to.be.an('object');
      expect(schema?.parse(answer.json)).to.deep.equal(answer.json);
      expect(floatNoise(answer.json), name).to.deep.equal([]);
    };

    it('opened, failed, adjusted, partly closed, closed: every reading on the way', async () => {
      const readings = async () => {
        for (const path of ['/executions', '/fills', '/positions', '/positions/lite', '/leverage'])
          expectStrict(`GET ${path}`, await bot.call('GET', path));
      };
      await readings();
      const dry = await bot.call('POST', '/trade/open', { type: 'MARKET', legs: PAIR, dryRun: true });
      expectStrict('POST /trade/open', dry);
      const broken = [usd('BTC', 'BUY', '2'), usd('ETH', 'SELL', '9000000')];
      expectStrict(
        'POST /trade/open',
        await bot.call('POST', '/trade/open', { type: 'MARKET', legs: broken, dryRun: true }),
      );
      await bot.open(PAIR);
      const failed = await bot.open([usd('BTC', 'BUY', '2')]);
      expectStrict('GET /executions/{id}', await bot.call('GET', `/executions/${failed.id}`));
      const added = await bot.call('POST', '/trade/open', { type: 'MARKET', legs: PAIR });
      expect(added.json.intent).to.equal('ADJUST');
      expectStrict('POST /trade/open', added);
      expectStrict('GET /executions/{id}', await bot.call('GET', `/executions/${added.json.execution.id}`));
      await bot.ended(added.json.execution.id);
      await readings();
      const { id } = added.json.position;
      for (const [path, body] of [
        ['adjust', { intent: 'REDUCE', fraction: '0.3' }],
        ['close', { type: 'MARKET', fraction: '0.5' }],
        ['close', { type: 'MARKET' }],
      ] as const) {
        const answer = await bot.call('POST', `/positions/${id}/${path}`, body);
        expectStrict(`POST /positions/{id}/${path}`, answer);
        await bot.ended(answer.json.execution.id);
        expectStrict('GET /positions/{id}', await bot.call('GET', `/positions/${id}`));
        await readings();
      }
    });
  });

  describe('every refusal that can be had is documented, in the shape that is sent @long', () => {
    for (const route of SERVICE_SURFACE) {
      it(routeName(route), async () => {
        const { path, headers: own } = await calls.call(route, false);
        const good = admitted(route);
        const json = { 'content-type': 'application/json' };
        const mutates = route.method !== 'GET';
        const asked: (readonly [string, number, Record<string, string>, string?])[] = [
          ['foreign host', 421, { ...good, host: 'evil.example' }],
        ];
        if (mutates) {
          asked.push(
            ['foreign origin', 403, { ...good, origin: 'http://evil.example' }],
            ['no JSON', 415, { ...good, 'content-type': 'text/plain' }, 'x'],
            ['2 MiB', 413, { ...good, ...json, ...own }, JSON.stringify('x'.repeat(2 * 1024 * 1024))],
            [own === undefined ? 'broken JSON' : 'broken form', 400, { ...good, ...json, ...own }, '{'],
          );
        }
        if (route.auth !== 'P') asked.push(['no credential', 401, {}]);
        if (route.account) {
          asked.push(
            ['no account', 400, { 'x-api-key': bot.key }],
            ['account of nobody', 404, { ...good, 'x-trade-account-id': NOBODY }],
          );
        }
        const misnamed = path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, 'x'.repeat(65));
        // A connector's id is the name of a venue.
        if (route.path.includes('{id}') && (misnamed !== path || !route.path.startsWith('/connectors/'))) {
          const answer = await raw(route, misnamed, good);
          expect(answer.status, answer.text).to.equal(400);
          expectDocumented(route, answer, 'id that is too long');
        }
        for (const [about, status, headers, body] of asked) {
          const answer = await raw(route, path, headers, body);
          expect(answer.status, `${about}: ${answer.text}`).to.equal(status);
          expectDocumented(route, answer, about);
        }
      });
    }

    it('what each route refuses for reasons of its own', async () => {
      // An account with a position is not removed.
      await bot.open([usd('LINK', 'SELL', '100')]);
      const closed = (await bot.open([usd('XRP', 'BUY', '100')])).positionId;
      await bot.execute(`/positions/${closed}/close`, { type: 'MARKET' });
      const limited = await gateway.request('POST', '/api-keys', {
        headers: session,
        body: { label: 'limited', scope: 'read_write', tradeAccountIds: [bot.accountId] },
      });
      const market = { type: 'MARKET', legs: PAIR };
      const bracket = { type: 'POSITION_VALUE', value: '1' };
      const rows: readonly (readonly [SurfaceRoute['method'], string, string, number, unknown?, object?])[] =
        [
          [
            'POST',
            '/auth/login',
            '/auth/login',
            401,
            { method: 'email', email: 'a@b.test', password: 'wrong' },
          ],
          ['POST', '/auth/session/refresh', '/auth/session/refresh', 401, { refreshToken: 'unknown' }],
          [
            'POST',
            '/auth/password',
            '/auth/password',
            400,
            { current: 'wrong', next: 'long enough 1' },
            session,
          ],
          ['DELETE', '/auth/sessions/{id}', `/auth/sessions/${NOBODY}`, 404, undefined, session],
          ['DELETE', '/api-keys/{id}', `/api-keys/${NOBODY}`, 404, undefined, session],
          ['GET', '/docs/{asset}', '/docs/nothing.js', 404],
          [
            'POST',
            '/trade-accounts',
            '/trade-accounts',
            403,
            { alias: 'x', connector: 'paper' },
            { 'x-api-key': limited.json.key },
          ],
          ['GET', '/trade-accounts/{id}', `/trade-accounts/${NOBODY}`, 404],
          ['PATCH', '/trade-accounts/{id}', `/trade-accounts/${NOBODY}`, 404, { alias: 'x' }],
          ['DELETE', '/trade-accounts/{id}', `/trade-accounts/${bot.accountId}`, 409],
          ['POST', '/trade-accounts/{id}/paper/reset', `/trade-accounts/${bot.accountId}/paper/reset`, 409],
          ['GET', '/prices', '/prices?connector=nowhere', 400],
          ['GET', '/executions', '/executions?cursor=nonsense', 400],
          ['GET', '/executions/{id}', `/executions/${NOBODY}`, 404],
          ['GET', '/positions/{id}', `/positions/${NOBODY}`, 404],
          ['PUT', '/leverage', '/leverage', 400, { symbol: 'BTC-PERP', leverage: 3 }],
          ['POST', '/trade/open', '/trade/open', 400, { ...market, takeProfit: { ...bracket, value: '-5' } }],
          ['POST', '/trade/open', '/trade/open', 400, { ...market, clientId: 'nobody' }],
          ['POST', '/positions/{id}/close', `/positions/${closed}/close`, 409, { type: 'MARKET' }],
          ['POST', '/positions/{id}/close', `/positions/${NOBODY}/close`, 404, { type: 'MARKET' }],
          [
            'POST',
            '/positions/{id}/close',
            `/positions/${closed}/close`,
            409,
            { type: 'TWAP', durationSeconds: 60 },
          ],
          ...restingRefusals(closed),
          [
            'POST',
            '/positions/{id}/adjust',
            `/positions/${NOBODY}/adjust`,
            404,
            { intent: 'REDUCE', fraction: '0.5' },
          ],
        ];
      const usual = { 'x-api-key': bot.key, 'x-trade-account-id': bot.accountId };
      for (const [method, path, target, status, body, headers] of rows) {
        const answer = await gateway.request(method, target, { headers: { ...(headers ?? usual) }, body });
        expect(answer.status, `${method} ${target}: ${answer.text}`).to.equal(status);
        expectDocumented({ method, path }, answer, target);
      }
    });

    it('a closed registration', async () => {
      const closed = await startTestGateway({ settings: { registration: 'closed' } });
      try {
        const body = { email: 'ada@example.test', password: 'correct horse battery' };
        const answer = await closed.request('POST', '/auth/register', { body });
        expect(answer.status).to.equal(403);
        expectDocumented({ method: 'POST', path: '/auth/register' }, answer, 'closed');
      } finally {
        await closed.close();
      }
    });
  });
});
