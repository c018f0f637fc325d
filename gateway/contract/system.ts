/** Liveness, readiness, version, documentation and metrics of the gateway itself. */
import { z } from 'zod';
import { DOCS } from './common.ts';
import { route, routesWith } from './route.ts';

const moneyWord = z.enum(['LIVE', 'TESTNET', 'PAPER']);

export const healthAnswer = z
  .strictObject({
    status: z.literal('ok'),
    mode: z
      .enum([...moneyWord.options, 'MIXED'])
      .optional()
      .register(DOCS, {
        description: 'What the trade accounts are, without any PAPER. Missing while the gateway still starts',
      }),
    money: z.array(moneyWord).optional().register(DOCS, {
      description:
        'The same, one by one: `LIVE` is real money, `TESTNET` the play money of a venue, `PAPER` never leaves the gateway',
    }),
  })
  .register(DOCS, { id: 'Health' });

export const readinessCheck = z
  .strictObject({
    name: z.string().register(DOCS, {
      description:
        '`storage`, `keychain`, `connector:<id>`, `clock` (it was set while the gateway ran), `history` (a venue gave a trade the id of another one, see `GET /sync/reviews`) or `reconciliation`',
    }),
    ok: z.boolean(),
    detail: z.string().nullable(),
  })
  .register(DOCS, { id: 'ReadinessCheck' });
export type ReadinessCheck = z.infer<typeof readinessCheck>;

export const readinessAnswer = z
  .strictObject({ ready: z.boolean(), checks: z.array(readinessCheck) })
  .register(DOCS, { id: 'Readiness' });

export const versionAnswer = z
  .strictObject({
    name: z.literal('tandem-gateway'),
    version: z.string(),
    apiVersion: z.string().register(DOCS, { description: 'Version of the service description' }),
    uptimeMs: z.int().nonnegative().register(DOCS, {
      description:
        'For how long this process has run. A request that got no answer before it began is not on its way any more',
    }),
  })
  .register(DOCS, { id: 'Version' });

const tag = 'System';

const openRoute = routesWith({ method: 'GET', auth: 'P', tag });

export const getHealth = openRoute({
  path: '/health',
  summary: 'Liveness',
  description:
    'Answered from the moment the port is taken, while the gateway still opens its data and its venues; every other request waits until that is done.',
  success: { 200: healthAnswer },
});

export const getReady = openRoute({
  path: '/ready',
  summary: 'Readiness of storage, keychain and connectors',
  description: 'Always 200 while the process answers; `ready` is false when any check fails.',
  success: { 200: readinessAnswer },
});

export const getVersion = openRoute({
  path: '/version',
  summary: 'Version of the gateway and of its API',
  success: { 200: versionAnswer },
});

export const getOpenApi = openRoute({
  path: '/openapi.json',
  summary: 'This description, as OpenAPI 3.1',
  success: { 200: z.record(z.string(), z.unknown()) },
});

export const getDocs = openRoute({
  path: '/docs',
  summary: 'This description, to read in a browser',
  description:
    'Works offline. The host of the pages redirects to the address of programs: nobody is signed in there, so what is tried out takes an API key or a token.',
  contentType: 'text/html',
  success: { 200: z.string(), 302: null },
});

export const getDocsAsset = openRoute({
  path: '/docs/:asset',
  summary: 'Scripts and styles of the documentation page',
  contentType: '*/*',
  params: z.object({ asset: z.string().max(64) }),
  success: { 200: z.string() },
  refusals: [404],
});

export const getMetrics = route({
  method: 'GET',
  path: '/metrics',
  auth: 'K',
  tag,
  summary: 'Metrics in the Prometheus text format',
  description:
    'For a session or an API key; an OAuth grant is refused. The key may come as a bearer token, which is what Prometheus sends.',
  keyAsBearer: true,
  contentType: 'text/plain',
  success: { 200: z.string() },
});
