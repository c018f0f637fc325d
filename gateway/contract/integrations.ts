/** Integrations: the programs that trades can be attributed to. Only the user in person may change integrations. */
import { z } from 'zod';
import { DOCS, idParams, isoTime, uuid } from './common.ts';
import { nameInput } from './plain-text.ts';
import { route, routesWith } from './route.ts';

const TAG = 'Integrations';

const clientId = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,64}$/, 'Expected 1 to 64 letters, digits, dots, dashes or underscores')
  .register(DOCS, { description: '`clientId` of order-placing requests', example: 'my-bot' });
const name = nameInput(64);
const status = z
  .enum(['ACTIVE', 'INACTIVE'])
  .register(DOCS, { description: 'Only an ACTIVE one may be named by an order' });

export const integration = z
  .strictObject({
    id: uuid,
    clientId: z.string(),
    name: z.string(),
    status,
    createdAt: isoTime,
    updatedAt: isoTime,
  })
  .register(DOCS, { id: 'Integration' });
export type IntegrationBody = z.infer<typeof integration>;

export const listIntegrations = route({
  method: 'GET',
  path: '/integrations',
  auth: 'K',
  tag: TAG,
  summary: "The user's integrations, oldest first",
  description:
    "The id of a connected agent's OAuth client is a valid `clientId` for its own grant without standing here.",
  success: { 200: z.strictObject({ integrations: z.array(integration) }) },
});

const ownRoute = routesWith({ auth: 'B', tag: TAG });

export const createIntegration = ownRoute({
  method: 'POST',
  path: '/integrations',
  summary: 'Add an integration',
  description: 'A `clientId` that is there already is a 400 on path `clientId`.',
  body: z
    .strictObject({ clientId, name, status: status.default('ACTIVE') })
    .register(DOCS, { id: 'CreateIntegration', example: { clientId: 'my-bot', name: 'My bot' } }),
  success: { 201: integration },
});

export const changeIntegration = ownRoute({
  method: 'PATCH',
  path: '/integrations/:id',
  summary: 'Rename an integration, switch it off or on',
  params: idParams,
  body: z
    .strictObject({ name: name.optional(), status: status.optional() })
    .refine((body) => body.name !== undefined || body.status !== undefined, 'Needs name or status')
    .register(DOCS, { id: 'ChangeIntegration', example: { status: 'INACTIVE' } }),
  success: { 200: integration },
  errors: ['RESOURCE_NOT_FOUND'],
});
