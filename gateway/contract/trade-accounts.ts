/** Trade accounts: a user's accounts at the venues, with their credentials. */
import { z } from 'zod';
import { ACCOUNT_MODES, NETWORKS, TRADE_ACCOUNT_STATUSES } from '../domain/enumerations.ts';
import { connectorId, DOCS, idParams, isoTime, uuid } from './common.ts';
import { nameInput } from './plain-text.ts';
import { routesWith } from './route.ts';

const TAG = 'Trade accounts';
const MAX_METADATA_CHARS = 4_096;

export const accountAlias = nameInput(48);
export const programsReadCredentials = z.boolean().optional().register(DOCS, {
  description:
    'Whether API keys and OAuth grants may read the venue credentials of the new account, from its first moment on. Left out: they may, until the owner says otherwise',
});
// Any JSON, as every parsed body is: a recursive schema of it would be one that generators cannot read.
const metadata = z
  .record(z.string().min(1).max(64), z.unknown())
  .refine((value) => JSON.stringify(value).length <= MAX_METADATA_CHARS, {
    message: `Must be at most ${MAX_METADATA_CHARS} characters of JSON`,
  })
  .register(DOCS, { description: "The client's own notes; the gateway does not interpret them" });

export const venueCredentials = z
  .record(z.string().min(1).max(64), z.union([z.string().min(1).max(8_192), z.int(), z.boolean()]))
  .refine((value) => Object.keys(value).length >= 1, { message: 'Must have at least one field' })
  .refine((value) => Object.keys(value).length <= 16, { message: 'Must have at most 16 fields' })
  .register(DOCS, { id: 'VenueCredentials', description: 'The fields that the connector asks for' });

export const tradeAccount = z
  .strictObject({
    id: uuid,
    alias: z.string(),
    connector: connectorId,
    mode: z.enum(ACCOUNT_MODES),
    network: z.enum(NETWORKS).nullable().register(DOCS, {
      description: 'Of a live account: real money, or play money under the same rules; null: a paper account',
    }),
    exchangeIdentifier: z
      .string()
      .register(DOCS, { description: "The venue's name of the account; empty before credentials" }),
    status: z.enum(TRADE_ACCOUNT_STATUSES),
    checks: z.array(z.strictObject({ name: z.string(), ok: z.boolean(), detail: z.string() })),
    metadata: z.record(z.string(), z.unknown()).nullable(),
    createdAt: isoTime,
    updatedAt: isoTime,
  })
  .register(DOCS, { id: 'TradeAccount' });
export type TradeAccountBody = z.infer<typeof tradeAccount>;

const route = routesWith({ auth: 'K', tag: TAG });
const oneRoute = routesWith({ auth: 'K', tag: TAG, params: idParams });

export const listTradeAccountsRoute = route({
  method: 'GET',
  path: '/trade-accounts',
  summary: 'The trade accounts that the caller reaches, oldest first',
  success: { 200: z.strictObject({ tradeAccounts: z.array(tradeAccount) }) },
});

export const createTradeAccountRoute = route({
  method: 'POST',
  path: '/trade-accounts',
  summary: 'Add a trade account',
  description:
    'A paper account starts with 100,000 USDC and needs no credentials. 409 where another trade account is the same account at the venue. A key that is limited to some trade accounts cannot add one (403).',
  body: z.strictObject({
    alias: accountAlias,
    connector: connectorId,
    metadata: metadata.nullish(),
    credentials: venueCredentials.optional(),
    programsReadCredentials,
  }),
  success: { 201: tradeAccount },
  errors: ['CONFIGURATION_ERROR', 'CREDENTIALS_NOT_STORED', 'NOT_IMPLEMENTED_ERROR', 'RESOURCE_BUSY'],
});

export const readTradeAccountRoute = oneRoute({
  method: 'GET',
  path: '/trade-accounts/:id',
  summary: 'One trade account with its checks',
  success: { 200: tradeAccount },
  errors: ['RESOURCE_NOT_FOUND'],
});

export const changeTradeAccountRoute = oneRoute({
  method: 'PATCH',
  path: '/trade-accounts/:id',
  summary: 'Rename a trade account or replace its metadata',
  body: z
    .strictObject({ alias: accountAlias.optional(), metadata: metadata.nullable().optional() })
    .refine((body) => body.alias !== undefined || body.metadata !== undefined, {
      message: 'Expected `alias` or `metadata`',
    }),
  success: { 200: tradeAccount },
  errors: ['RESOURCE_NOT_FOUND'],
});

export const removeTradeAccountRoute = oneRoute({
  method: 'DELETE',
  path: '/trade-accounts/:id',
  summary: 'Remove a trade account and its credentials',
  description: '409 while positions or working orders exist. Its waiting alerts are cancelled with it.',
  success: { 204: null },
  errors: ['RESOURCE_NOT_FOUND', 'RESOURCE_BUSY'],
});

export const storeCredentialsRoute = oneRoute({
  method: 'PUT',
  path: '/trade-accounts/:id/credentials',
  summary: 'Store venue credentials',
  description:
    'They are verified against the venue first and stored in the vault only (`credentialStore` of `GET /connectors`). Those of another account at the venue are refused (409) while positions or working orders exist, or where that account is connected already.',
  body: venueCredentials,
  success: { 200: tradeAccount },
  errors: [
    'RESOURCE_NOT_FOUND',
    'RESOURCE_BUSY',
    'CONFIGURATION_ERROR',
    'CREDENTIALS_NOT_STORED',
    'NOT_IMPLEMENTED_ERROR',
  ],
});

export const readCredentialsRoute = oneRoute({
  method: 'POST',
  path: '/trade-accounts/:id/credentials',
  summary: "Read the account's own decrypted venue credentials",
  description:
    'A `POST`, so it needs write access. API keys and OAuth grants get 403 once the owner of a live account has turned `programsReadCredentials` off (`PUT /trade-accounts/{id}/arming`).',
  success: {
    200: z
      .strictObject({
        connector: connectorId,
        exchangeIdentifier: z.string(),
        credentials: venueCredentials,
      })
      .register(DOCS, { id: 'StoredCredentials' }),
  },
  errors: ['RESOURCE_NOT_FOUND'],
});

export const removeCredentialsRoute = oneRoute({
  method: 'DELETE',
  path: '/trade-accounts/:id/credentials',
  summary: 'Remove the stored venue credentials',
  success: { 204: null },
  description: '409 while positions or working orders exist: nobody could close them.',
  errors: ['RESOURCE_NOT_FOUND', 'RESOURCE_BUSY'],
});

export const resetPaperRoute = oneRoute({
  method: 'POST',
  path: '/trade-accounts/:id/paper/reset',
  summary: 'Set a paper account back to its starting balance',
  description: '409 while positions or working orders exist; 501 for a live account.',
  idempotent: 'answer',
  success: { 200: tradeAccount },
  errors: ['RESOURCE_NOT_FOUND', 'RESOURCE_BUSY', 'CONFIGURATION_ERROR', 'NOT_IMPLEMENTED_ERROR'],
});
