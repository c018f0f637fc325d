/** Attacks on the door of a local gateway that need no browser: hosts, origins, cookies. Each block bears its threat's name. */
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { loadSettings } from '../../gateway/config.ts';
import { gatewayForSuite, type TestGateway } from '../support/gateway.ts';
import { PASSWORD } from '../support/gateway-client.ts';
import type { Json } from '../support/json.ts';
import { rawText, sendRaw } from '../support/raw-http.ts';
import { traderForSuite } from '../support/trader.ts';

interface Route {
  readonly method: string;
  readonly path: string;
  readonly public: boolean;
}

const SOME_ID = '018f0000-0000-7000-8000-000000000000';
/** Protocol routes: their standards say what they take. */
const PROTOCOL: readonly Route[] = [
  { method: 'GET', path: '/.well-known/oauth-authorization-server', public: true },
  { method: 'GET', path: '/.well-known/oauth-protected-resource', public: true },
  { method: 'POST', path: '/register', public: true },
  { method: 'GET', path: '/authorize', public: true },
  { method: 'POST', path: '/token', public: true },
  { method: 'POST', path: '/revoke', public: true },
];

async function describedRoutes(gateway: TestGateway): Promise<readonly Route[]> {
  const { paths } = (await gateway.request('GET', '/openapi.json')).json;
  for (const { path } of PROTOCOL) delete paths[path];
  return Object.entries<Record<string, Json>>(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: path.replace(/\{\w+\}/g, SOME_ID),
      public: operation.security.flatMap((one: object) => Object.keys(one)).length === 0,
    })),
  );
}

const mutates = ({ method }: Route) => method !== 'GET';
const corsHeaders = (headers: Headers) =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'));

describe('attacks', () => {
  const gateway = gatewayForSuite();
  const bot = traderForSuite(gateway);
  let routes: readonly Route[];
  before(async () => {
    routes = await describedRoutes(gateway);
    expect(routes.filter(mutates)).to.have.length.at.least(20);
  });

  describe('DNS rebinding', () => {
    const refused: readonly (readonly [string, (port: number) => readonly string[], number])[] = [
      ['a rebound name', (port) => [`Host: evil.example:${port}`], 421],
      ['the next port', (port) => [`Host: 127.0.0.1:${port + 1}`], 421],
      ['no port', () => ['Host: tandem.localhost'], 421],
      ['a zero before the port', (port) => [`Host: 127.0.0.1:0${port}`], 421],
      ['a trailing dot', (port) => [`Host: tandem.localhost.:${port}`], 421],
      ['a name below ours', (port) => [`Host: a.tandem.localhost:${port}`], 421],
      ['ours below another', (port) => [`Host: tandem.localhost.evil.example:${port}`], 421],
      ['userinfo', (port) => [`Host: tandem.localhost:${port}@evil.example`], 421],
      ['capitals', (port) => [`Host: LocalHost:${port}`], 421],
      ['another spelling of loopback', (port) => [`Host: 127.1:${port}`], 421],
      ['loopback as a number', (port) => [`Host: 2130706433:${port}`], 421],
      ['IPv4 in IPv6', (port) => [`Host: [::ffff:127.0.0.1]:${port}`], 421],
      ['all interfaces', (port) => [`Host: 0.0.0.0:${port}`], 421],
      ['a list', (port) => [`Host: 127.0.0.1:${port}, evil.example`], 421],
      ['none', () => ['Accept: */*'], 400],
      ['an empty one', () => ['Host:'], 400],
      ['two, ours first', (port) => [`Host: 127.0.0.1:${port}`, 'Host: evil.example'], 400],
      ['two, ours last', (port) => ['Host: evil.example', `Host: 127.0.0.1:${port}`], 400],
      ['one of ours in each of two', (port) => [`Host: 127.0.0.1:${port}`, `hOST: localhost:${port}`], 400],
      [
        'a foreign one, ours in forwarding headers',
        (port) => [
          'Host: evil.example',
          `X-Forwarded-Host: 127.0.0.1:${port}`,
          `Forwarded: host=127.0.0.1:${port}`,
          'X-Forwarded-For: 127.0.0.1',
          `X-Original-Host: 127.0.0.1:${port}`,
        ],
        421,
      ],
    ];
    const upgrade = [
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ];
    const targets: readonly (readonly [string, readonly string[]])[] = [
      ['/connectors', []],
      ['/docs/swagger-ui.css', []],
      ['/.well-known/oauth-authorization-server', []],
      ['/authorize', []],
      ['/ws', upgrade],
    ];
    const status = async (first: string, lines: readonly string[]) =>
      (await sendRaw(gateway.port, rawText([first, ...lines]))).status;

    for (const [name, lines, expected] of refused) {
      it(`Host: ${name} → ${expected} on every kind of route`, async () => {
        for (const [path, more] of targets) {
          const given = [...lines(gateway.port), ...more];
          expect(await status(`GET ${path} HTTP/1.1`, given), path).to.equal(expected);
        }
      });
    }

    it('the four names of the gateway are served, whatever forwarding headers say', async () => {
      for (const name of ['127.0.0.1', 'localhost', '[::1]', 'tandem.localhost']) {
        const lines = [
          `Host: ${name}:${gateway.port}`,
          'X-Forwarded-Host: evil.example',
          'X-Forwarded-Proto: https',
        ];
        expect(await status('GET /connectors HTTP/1.1', lines), name).to.equal(200);
        expect(await status('GET /ws HTTP/1.1', [...lines, ...upgrade]), name).to.equal(101);
      }
    });

    it('an absolute-form target has to name the host of its Host header', async () => {
      const own = `127.0.0.1:${gateway.port}`;
      for (const [authority, expected] of [
        [own, 200],
        ['evil.example', 421],
        [`localhost:${gateway.port}`, 421],
        [`${own}@evil.example`, 421],
        [`x@${own}`, 421],
      ] as const)
        expect(
          await status(`GET http://${authority}/connectors HTTP/1.1`, [`Host: ${own}`]),
          authority,
        ).to.equal(expected);
    });
  });

  describe('exposed bind', () => {
    it('the port listens on 127.0.0.1 and ::1 and nowhere else', async function () {
      if (process.platform !== 'linux') this.skip();
      const table = async (file: string) =>
        (await readFile(`/proc/self/net/${file}`, 'utf8'))
          .split('\n')
          .slice(1)
          .map((line) => line.trim().split(/\s+/))
          .flatMap(([, local = '', , state]) => (state === '0A' ? [local] : []))
          .filter((local) => Number.parseInt(local.split(':')[1] ?? '', 16) === gateway.port)
          .map((local) => local.split(':')[0]);
      // Both as the kernel prints them: 32-bit words in the machine's byte order.
      expect(await table('tcp')).to.deep.equal(['0100007F']);
      expect(['', '00000000000000000000000001000000']).to.include((await table('tcp6')).join());
    });

    it('no setting opens another address', () => {
      for (const flag of ['--host', '--bind', '--listen', '--address']) {
        const found = loadSettings({
          argv: [flag, '0.0.0.0'],
          env: {},
          homedir: '/nowhere',
          platform: process.platform,
        });
        expect(found.ok, flag).to.equal(false);
      }
    });
  });

  describe('open RPC with lax CORS', () => {
    it('a preflight of any route gets neither success nor a CORS header, not even from an own page', async () => {
      const origins = ['http://evil.example', 'null', `http://tandem.localhost:${gateway.port}`];
      for (const { method, path } of [...routes, ...PROTOCOL]) {
        for (const origin of origins) {
          const answer = await gateway.request('OPTIONS', path, {
            headers: {
              origin,
              'access-control-request-method': method,
              'access-control-request-headers': 'content-type,authorization,x-api-key',
              'access-control-request-private-network': 'true',
            },
          });
          const name = `${method} ${path} from ${origin}`;
          expect(answer.status, name).to.be.within(400, 499);
          expect(corsHeaders(answer.headers), name).to.deep.equal([]);
        }
      }
    });

    it('a foreign page that sends a read can never look at the answer', async () => {
      for (const { path } of [...routes, ...PROTOCOL].filter((route) => !mutates(route))) {
        const { headers } = await gateway.request('GET', path, {
          headers: { origin: 'http://evil.example', 'x-api-key': bot.key },
        });
        expect(corsHeaders(headers), path).to.deep.equal([]);
      }
    });
  });

  describe('CSRF with simple requests', () => {
    const simple = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'];
    const body = '{"type":"MARKET"}';

    it('a mutation with a body that a form can send is a 415', async () => {
      for (const { method, path } of routes.filter(mutates)) {
        for (const type of [...simple, 'text/plain; a=application/json', 'application/jsonp']) {
          const answer = await gateway.request(method, path, {
            headers: { 'content-type': type, 'x-api-key': bot.key, 'x-trade-account-id': bot.accountId },
            body,
          });
          expect(answer.status, `${method} ${path} as ${type}`).to.equal(415);
        }
      }
    });

    it('protocol routes take the types of their standards only', async () => {
      const [plain = '', form = '', multipart = ''] = simple;
      for (const [path, types] of [
        ['/register', [plain, form, multipart]],
        ['/token', [plain, 'application/json', multipart]],
        ['/revoke', [plain, multipart]],
      ] as const)
        for (const type of types) {
          const answer = await gateway.request('POST', path, { headers: { 'content-type': type }, body });
          expect(answer.status, `${path} as ${type}`).to.equal(415);
        }
    });
  });

  describe('cookies shared across the ports of a host', () => {
    let cookie: string;
    before(async () => {
      const login = await gateway.request('POST', '/auth/login', {
        body: { method: 'email', email: 'ada@example.test', password: PASSWORD },
      });
      const line = login.headers.get('set-cookie') ?? '';
      expect(line)
        .to.match(/HttpOnly/i)
        .and.match(/SameSite=Strict/i)
        .and.not.match(/Domain/i);
      cookie = line.split(';')[0] ?? '';
      expect((await gateway.request('GET', '/auth/me', { headers: { cookie } })).status).to.equal(200);
    });

    /** Every mutation that a session may make, with the cookie and these headers. */
    async function statuses(headers: Record<string, string>): Promise<Set<string>> {
      const found = new Set<string>();
      for (const { method, path } of routes.filter((route) => mutates(route) && !route.public)) {
        const answer = await gateway.request(method, path, {
          headers: { cookie, 'x-trade-account-id': bot.accountId, ...headers },
          ...(method === 'DELETE' ? {} : { body: {} }),
        });
        found.add(`${answer.status} ${answer.json?.message}`);
      }
      return found;
    }

    const sibling: readonly (readonly [string, (port: number) => string])[] = [
      ['another port of the pages', (port) => `http://tandem.localhost:${port + 1}`],
      ['another port of 127.0.0.1', (port) => `http://127.0.0.1:${port + 1}`],
      ['port 80', () => 'http://tandem.localhost'],
      ['another scheme', (port) => `https://tandem.localhost:${port}`],
      ['a name below ours', (port) => `http://a.tandem.localhost:${port}`],
      ['a sandboxed frame', () => 'null'],
      ['an empty origin', () => ''],
    ];
    for (const [name, origin] of sibling) {
      it(`a page of ${name} mutates nothing`, async () => {
        for (const site of ['same-site', 'same-origin'])
          expect([
            ...(await statuses({ origin: origin(gateway.port), 'sec-fetch-site': site })),
          ]).to.deep.equal(['403 Requests from this origin are not accepted']);
      });
    }

    it('nor does one that hides its origin, or whose browser does not say same-origin', async () => {
      const origin = `http://tandem.localhost:${gateway.port}`;
      for (const headers of [
        { 'sec-fetch-site': 'same-origin' },
        { origin },
        { origin, 'sec-fetch-site': 'same-site' },
        { origin, 'sec-fetch-site': 'cross-site' },
        { origin, 'sec-fetch-site': 'none' },
      ] as Record<string, string>[])
        expect([...(await statuses(headers))], JSON.stringify(headers)).to.deep.equal([
          '403 A session cookie is accepted from pages of this gateway only',
        ]);
    });
  });
});
