/** The auth routes and one account-scoped route behind the real HTTP layer, on a free loopback port. */
import { createServer, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { bind } from '../../../gateway/call/call.ts';
import { createGuard } from '../../../gateway/call/guard.ts';
import { route } from '../../../gateway/contract/route.ts';
import { unarmedLimits } from '../../../gateway/domain/account-limits.ts';
import { createHttpApp } from '../../../gateway/http/app.ts';
import { apiKeyRoutes } from '../../../gateway/http/routes/api-keys.ts';
import { authRoutes } from '../../../gateway/http/routes/auth.ts';
import { tradeAccountRoutes } from '../../../gateway/http/routes/trade-accounts.ts';
import { createIds } from '../../../gateway/system/ids.ts';
import type { AuthFixture } from './auth-fixture.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly json: unknown;
}

export interface HttpRig {
  readonly origin: string;
  request(
    method: string,
    path: string,
    given?: { readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown },
  ): Promise<Answer>;
  close(): Promise<void>;
}

const accountRoute = route({
  method: 'GET',
  path: '/account-scoped',
  auth: 'K',
  account: true,
  tag: 'Test',
  summary: 'Any account-scoped route',
  success: { 200: z.strictObject({ id: z.string() }) },
});

export async function startHttp(fixture: AuthFixture): Promise<HttpRig> {
  const { auth, clock } = fixture;
  let authority = '';
  const app = createHttpApp({
    routes: [
      ...authRoutes(auth, () => 'http://tandem.localhost:7391'),
      ...apiKeyRoutes(auth, clock, { adopt: () => {} }),
      ...tradeAccountRoutes(auth, { of: ({ id }) => unarmedLimits(id), begin: () => ({}) }),
      bind(accountRoute, ({ account }) => ({ body: { id: account.id } })),
    ],
    authenticator: auth.authenticator,
    accounts: auth.accounts,
    guard: createGuard({ hosts: () => [authority], origins: () => [`http://${authority}`] }),
    clock,
    ids: createIds(clock),
    logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    metrics: { now: () => 0, route: () => ({ record: () => {} }) },
  });
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  authority = `127.0.0.1:${port}`;

  return {
    origin: `http://${authority}`,
    request: (method, path, given = {}) =>
      new Promise((resolve, reject) => {
        const body = given.body === undefined ? undefined : JSON.stringify(given.body);
        const headers = {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...given.headers,
        };
        const outgoing = httpRequest({ host: '127.0.0.1', port, method, path, headers }, (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('error', reject);
          incoming.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            const json: unknown = text === '' ? null : JSON.parse(text);
            resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, json });
          });
        });
        outgoing.on('error', reject);
        outgoing.end(body);
      }),
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
