/** API keys. Only a session may manage them. */
import { z } from 'zod';
import { DOCS, idParams, isoTime, uuid } from './common.ts';
import { mandate } from './mandate.ts';
import { nameInput } from './plain-text.ts';
import { routesWith } from './route.ts';

const record = {
  id: uuid,
  label: z.string(),
  scope: z.enum(['read', 'read_write']),
  keyPrefix: z.string().register(DOCS, { description: 'First characters of the key, to recognise it by' }),
  expiresAt: isoTime.nullable(),
  tradeAccountIds: z
    .array(uuid)
    .nullable()
    .register(DOCS, { description: 'The only trade accounts that the key reaches; null: all of the user' }),
  lastUsedAt: isoTime.nullable().register(DOCS, { description: 'Written about once a minute' }),
  createdAt: isoTime,
};
export const apiKey = z.strictObject(record).register(DOCS, { id: 'ApiKey' });
export type ApiKeyBody = z.infer<typeof apiKey>;
export const createdApiKey = z
  .strictObject({
    ...record,
    key: z
      .string()
      .register(DOCS, { description: 'The key itself: `tdm_` and 43 characters, shown only here' }),
  })
  .register(DOCS, { id: 'CreatedApiKey' });

const route = routesWith({ auth: 'B', tag: 'API keys' });

export const listApiKeysRoute = route({
  method: 'GET',
  path: '/api-keys',
  summary: "The user's API keys, newest first",
  success: { 200: z.strictObject({ apiKeys: z.array(apiKey) }) },
});

export const createApiKeyRoute = route({
  method: 'POST',
  path: '/api-keys',
  summary: 'Create an API key',
  body: z.strictObject({
    label: nameInput(64),
    scope: z.enum(['read', 'read_write']),
    expiresAt: z.iso.datetime({ offset: true }).nullish().register(DOCS, { description: 'Later than now' }),
    tradeAccountIds: z
      .array(uuid)
      .min(1)
      .max(100)
      .nullish()
      .register(DOCS, { description: "Limits the key to these of the caller's trade accounts" }),
    mandate: mandate.optional().meta({
      description: 'What the key may do with money; none: no limits. Changed by `PUT /agents/{id}/mandate`',
    }),
  }),
  success: { 201: createdApiKey },
});

export const revokeApiKeyRoute = route({
  method: 'DELETE',
  path: '/api-keys/:id',
  summary: 'Revoke an API key',
  params: idParams,
  success: { 204: null },
  errors: ['RESOURCE_NOT_FOUND'],
});
