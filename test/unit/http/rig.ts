/** An HTTP app with sample routes on a real loopback socket, and clients that can send what well-behaved ones do not. */
import http, { type IncomingHttpHeaders } from 'node:http';
import net from 'node:net';
import { z } from 'zod';
import type { Authenticator } from '../../../gateway/call/authenticator.ts';
import { type BoundRoute, bind } from '../../../gateway/call/call.ts';
import { BusinessError } from '../../../gateway/call/errors.ts';
import { createGuard } from '../../../gateway/call/guard.ts';
import { AUTH_MESSAGES } from '../../../gateway/contract/errors.ts';
import { route } from '../../../gateway/contract/route.ts';
import type { Principal, TradeAccount } from '../../../gateway/domain/model.ts';
import type { Clock } from '../../../gateway/engine/ports/system.ts';
import { createHttpApp, type HttpAppDeps } from '../../../gateway/http/app.ts';
import { createServer, type GatewayServer } from '../../../gateway/http/server.ts';
import { systemClock } from '../../../gateway/system/clock.ts';
import { createIds } from '../../../gateway/system/ids.ts';
import { createMetrics, type Metrics } from '../../../gateway/system/metrics.ts';
import type { Json } from '../../support/json.ts';
import { recordingLogger } from '../../support/recording-logger.ts';

export const OWN_ACCOUNT = '0198a000-0000-7000-8000-00000000000a';
export const NOW = Date.UTC(2026, 0, 31, 12);

const PRINCIPALS: Readonly<Record<string, Principal>> = {
  'key-rw': { kind: 'api_key', userId: 'u1', keyId: 'k1', scope: 'read_write', tradeAccountIds: null },
  'key-ro': { kind: 'api_key', userId: 'u1', keyId: 'k2', scope: 'read', tradeAccountIds: null },
  session: { kind: 'session', userId: 'u1', sessionId: 's1' },
  'grant-rw': {
    kind: 'oauth_grant',
    userId: 'u1',
    grantId: 'g1',
    clientId: 'c1',
    scopes: ['mcp:read', 'mcp:write'],
  },
  'grant-ro': { kind: 'oauth_grant', userId: 'u1', grantId: 'g2', clientId: 'c1', scopes: ['mcp:read'] },
};

/** Keys answer at once, bearers after a turn of the loop, cookies at once: the three ways of the real one. */
export const authenticator: Authenticator = {
  authenticate(headers) {
    const key = headers['x-api-key'];
    if (typeof key === 'string') {
      const principal = PRINCIPALS[key];
      if (principal === undefined) return { ok: false, status: 401, message: AUTH_MESSAGES.invalidKey };
      return { ok: true, principal, via: 'header' };
    }
    const bearer = headers.authorization?.replace('Bearer ', '');
    if (bearer !== undefined) {
      const principal = PRINCIPALS[bearer];
      return Promise.resolve(
        principal === undefined
          ? { ok: false, status: 401, message: AUTH_MESSAGES.invalidToken }
          : { ok: true, principal, via: 'header' },
      );
    }
    const session = PRINCIPALS['session'];
    if (headers.cookie === 'tandem_session=session' && session !== undefined)
      return { ok: true, principal: session, via: 'cookie' };
    return { ok: false, status: 401, message: AUTH_MESSAGES.missing };
  },
};

const account: TradeAccount = {
  id: OWN_ACCOUNT,
  userId: 'u1',
  alias: 'main',
  connector: 'paper',
  mode: 'PAPER',
  exchangeIdentifier: 'paper-1',
  status: 'READY',
  metadata: null,
  createdAt: 0,
  updatedAt: 0,
};

const echo = z.unknown();
const baseRoute = { tag: 'Sample', summary: 'Sample' } as const;

export const openTrade = route({
  ...baseRoute,
  method: 'POST',
  path: '/trade/open',
  auth: 'K',
  account: true,
  idempotent: true,
  query: z.object({ note: z.string().max(5).optional() }),
  body: z.strictObject({
    type: z.literal('MARKET'),
    legs: z.array(z.strictObject({ symbol: z.string().min(1), weight: z.number().max(1) })).min(1),
  }),
  success: { 202: echo },
  errors: ['RESOURCE_BUSY', 'NOOP_ERROR', 'RESOURCE_NOT_FOUND', 'CONFIGURATION_ERROR'],
});

export const getItem = route({
  ...baseRoute,
  method: 'GET',
  path: '/items/:id',
  auth: 'P',
  params: z.object({ id: z.uuid() }),
  query: z.object({ limit: z.coerce.number().int().max(9).default(3) }),
  success: { 200: echo },
});

const sampleRoutes: readonly BoundRoute[] = [
  bind(openTrade, (call) => {
    if (call.body.legs[0]?.symbol === 'EARLY') throw new BusinessError('CONFIGURATION_ERROR', 'Not yet');
    if (call.body.legs[0]?.symbol === 'BUSY') throw new BusinessError('RESOURCE_BUSY', 'Still running');
    return { body: { account: call.account.id, legs: call.body.legs.length, ip: call.ip } };
  }),
  bind(getItem, ({ params, query, principal }) => ({ body: { params, query, principal } })),
  bind(
    route({ ...baseRoute, method: 'GET', path: '/items/latest', auth: 'P', success: { 200: echo } }),
    () => ({ json: '{"which":"latest, £1"}' }),
  ),
  bind(
    route({ ...baseRoute, method: 'DELETE', path: '/items/:id', auth: 'K', success: { 204: null } }),
    async () => ({}),
  ),
  bind(
    route({
      ...baseRoute,
      method: 'POST',
      path: '/refresh',
      auth: 'P',
      body: z.strictObject({ token: z.string().default('none') }),
      bodyRequired: false,
      success: { 200: echo },
    }),
    ({ body }) => ({ body, headers: { 'Set-Cookie': ['a=1', 'b=2'], 'cache-control': 'no-store' } }),
  ),
  bind(
    route({ ...baseRoute, method: 'POST', path: '/pause', auth: 'K', success: { 200: echo } }),
    ({ principal }) => ({ body: { principal: principal.kind } }),
  ),
  bind(
    route({ ...baseRoute, method: 'GET', path: '/read', auth: 'K', success: { 200: echo } }),
    ({ principal }) => ({ body: { principal: principal.kind } }),
  ),
  bind(
    route({
      ...baseRoute,
      method: 'POST',
      path: '/auth/password',
      auth: 'B',
      firstParty: true,
      success: { 200: echo },
    }),
    ({ principal }) => ({ body: { principal: principal.kind } }),
  ),
  bind(
    route({ ...baseRoute, method: 'GET', path: '/api-keys', auth: 'B', success: { 200: echo } }),
    ({ principal }) => ({ body: { principal: principal.kind } }),
  ),
  bind(route({ ...baseRoute, method: 'GET', path: '/fail/bug', auth: 'P', success: { 200: echo } }), () => {
    throw new TypeError('the secret is tdm_123');
  }),
  bind(
    route({ ...baseRoute, method: 'GET', path: '/fail/store', auth: 'P', success: { 200: echo } }),
    async () => {
      throw Object.assign(new Error('disk I/O error at /home/ada'), { code: 'SQLITE_IOERR' });
    },
  ),
];

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: Json;
}

export interface Given {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON with its content type unless it is text, which is sent as it is without one. */
  readonly body?: unknown;
}

export interface Rig {
  readonly port: number;
  readonly host: string;
  readonly origin: string;
  readonly logs: ReturnType<typeof recordingLogger>['lines'];
  readonly metrics: Metrics;
  readonly server: GatewayServer;
  request(method: string, path: string, given?: Given): Promise<Answer>;
  /** Writes the bytes, ends the sending side, resolves with all that came back. */
  raw(bytes: string): Promise<string>;
  close(): Promise<void>;
}

const clock: Clock = { ...systemClock, now: () => NOW };

function parse(text: string, headers: IncomingHttpHeaders): Json {
  return text !== '' && (headers['content-type'] ?? '').includes('json') ? JSON.parse(text) : null;
}

export async function startRig(
  over: Partial<HttpAppDeps> & { readonly make?: (metrics: Metrics) => Partial<HttpAppDeps> } = {},
): Promise<Rig> {
  const logger = recordingLogger();
  const metrics = createMetrics();
  const hosts = new Set<string>();
  const origins = new Set<string>();
  const app = createHttpApp({
    routes: sampleRoutes,
    authenticator,
    accounts: {
      find: (principal, id) =>
        principal.userId === account.userId && id === account.id ? account : undefined,
    },
    guard: createGuard({ hosts, origins }),
    clock,
    ids: createIds(clock),
    logger,
    metrics,
    ...over,
    ...over.make?.(metrics),
  });
  const server = createServer({ clock, logger });
  const { port } = await server.listenLoopback({ port: 0 });
  const host = `127.0.0.1:${port}`;
  const origin = `http://${host}`;
  hosts.add(host).add(`localhost:${port}`);
  origins.add(origin);
  server.serve(app);
  return {
    port,
    host,
    origin,
    logs: logger.lines,
    metrics,
    server,
    close: () => server.close(),
    request(method, path, { headers = {}, body } = {}) {
      const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
      const type =
        body === undefined || typeof body === 'string' ? {} : { 'content-type': 'application/json' };
      return new Promise((resolve, reject) => {
        const req = http.request(
          {
            host: '127.0.0.1',
            port,
            method,
            path,
            agent: false,
            headers: {
              ...type,
              ...(text === '' || 'transfer-encoding' in headers
                ? {}
                : { 'content-length': Buffer.byteLength(text) }),
              ...headers,
            },
          },
          (res) => {
            const chunks: Buffer[] = [];
            res.on('data', (chunk: Buffer) => chunks.push(chunk));
            res.on('error', reject);
            res.on('end', () => {
              const answer = Buffer.concat(chunks).toString();
              resolve({
                status: res.statusCode ?? 0,
                headers: res.headers,
                text: answer,
                json: parse(answer, res.headers),
              });
            });
          },
        );
        req.on('error', reject);
        req.end(text);
      });
    },
    raw(bytes) {
      return new Promise((resolve, reject) => {
        const socket = net.connect(port, '127.0.0.1', () => socket.write(bytes));
        const chunks: Buffer[] = [];
        socket.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          // One answer is all that is asked for; the length of the rest does not matter to the tests.
          if (Buffer.concat(chunks).includes('\r\n\r\n')) socket.end();
        });
        socket.on('error', reject);
        socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
      });
    },
  };
}
