/** The OpenAPI 3.1 document, made at its first request from the contracts that validate requests. */

import { z } from 'zod';
import type {
  ZodOpenApiOperationObject,
  ZodOpenApiPathsObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { BUSINESS_STATUS } from '../contract/error-codes.ts';
import { businessError, frameworkError } from '../contract/errors.ts';
import { oauthError } from '../contract/oauth-protocol.ts';
import type { ProtocolContract, RouteContract } from '../contract/route.ts';
import { MEDIA_TYPES } from './protocol.ts';

/** Version of the service description (`info.version`). */
export const API_VERSION = '3.0.3';

type ErrorShape = 'business' | 'framework';

const ERROR_TEXT: Readonly<Record<number, string>> = {
  400: 'Validation error or malformed request',
  401: 'Missing or invalid credentials',
  403: 'Credential valid but not allowed here',
  404: "Not found, or not the caller's",
  409: 'Busy, or nothing would change',
  413: 'Body too large',
  415: 'Body is not JSON',
  421: 'Asked under a host name that is not served here',
  500: 'Gateway-side failure',
  501: 'The venue does not support this',
};

const SCHEMES = {
  apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'tandem_session' },
} as const;

const SECURITY = {
  K: [{ apiKey: [] }, { bearer: [] }, { cookie: [] }],
  B: [{ bearer: [] }, { cookie: [] }],
  P: [],
};

const accountHeader = z.uuid().meta({ description: "Trade account of the call; must be the caller's" });
const idempotencyHeader = z
  .string()
  .regex(/^[\x20-\x7e]{1,128}$/)
  .optional()
  .meta({
    description:
      '1 to 128 printable characters, kept 24 hours: the same key with the same body answers as the first time',
  });

function has(schema: z.ZodType | undefined): schema is z.ZodType {
  return schema !== undefined;
}

/** Error statuses that the route can answer, and the shapes (business, framework) of each. */
function errorShapes(contract: RouteContract): Map<number, Set<ErrorShape>> {
  const shapes = new Map<number, Set<ErrorShape>>();
  const add = (status: number, shape: ErrorShape) => {
    shapes.set(status, (shapes.get(status) ?? new Set()).add(shape));
  };
  const mutates = contract.method !== 'GET';
  if (has(contract.body) || has(contract.query) || has(contract.params) || mutates) add(400, 'business');
  if (contract.account === true || contract.optionalAccount === true) {
    add(400, 'framework');
    add(404, 'business');
  }
  if (contract.auth !== 'P') {
    add(401, 'framework');
    add(403, 'framework');
  }
  if (mutates) {
    // Any route answers 403 to a page of another origin; see guard.ts.
    add(403, 'framework');
    add(413, 'framework');
    add(415, 'framework');
  }
  add(421, 'framework');
  for (const status of contract.refusals ?? []) add(status, 'framework');
  if (mutates && contract.auth === 'K') add(BUSINESS_STATUS.AGENT_LIMIT, 'business');
  for (const code of contract.errors ?? []) add(BUSINESS_STATUS[code], 'business');
  if (contract.idempotent !== undefined) add(BUSINESS_STATUS.RESOURCE_BUSY, 'business');
  add(500, 'business');
  return shapes;
}

function errorSchema(shapes: ReadonlySet<ErrorShape>): z.ZodType {
  if (shapes.size > 1) return z.union([businessError, frameworkError]);
  return shapes.has('business') ? businessError : frameworkError;
}

function responses(contract: RouteContract): ZodOpenApiResponsesObject {
  const answers: Record<string, ZodOpenApiResponsesObject['200' & keyof ZodOpenApiResponsesObject]> = {};
  const contentType = contract.contentType ?? 'application/json';
  for (const [status, schema] of Object.entries(contract.success)) {
    const description = status.startsWith('3') ? 'Redirect' : 'Success';
    answers[status] =
      schema === null ? { description } : { description, content: { [contentType]: { schema } } };
  }
  const errors = [...errorShapes(contract)].sort(([a], [b]) => a - b);
  for (const [status, shapes] of errors) {
    answers[String(status)] = {
      description: ERROR_TEXT[status] ?? 'Error',
      content: { 'application/json': { schema: errorSchema(shapes) } },
    };
  }
  return answers as ZodOpenApiResponsesObject;
}

function pathParameters(contract: RouteContract): z.ZodType | undefined {
  if (has(contract.params)) return contract.params;
  const names = [...contract.path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '');
  if (names.length === 0) return undefined;
  return z.object(Object.fromEntries(names.map((name) => [name, z.string()])));
}

function headerParameters(contract: RouteContract): z.ZodObject | undefined {
  const headers = {
    ...(contract.account === true ? { 'x-trade-account-id': accountHeader } : {}),
    ...(contract.optionalAccount === true ? { 'x-trade-account-id': accountHeader.optional() } : {}),
    ...(contract.idempotent !== undefined ? { 'Idempotency-Key': idempotencyHeader } : {}),
  };
  return Object.keys(headers).length === 0 ? undefined : z.object(headers);
}

/** `POST /trade/open` → `postTradeOpen`, `GET /ladders/:ladderId` → `getLaddersByLadderId`. */
export function operationId(method: string, path: string): string {
  const words = path
    .split(/[/\-._]/)
    .filter((word) => word !== '')
    .map((word) => (word.startsWith(':') ? `by-${word.slice(1)}` : word))
    .flatMap((word) => word.split('-'))
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return method.toLowerCase() + words.join('');
}

function headOf({ method, path, tag, summary, description }: RouteContract | ProtocolContract) {
  return {
    operationId: operationId(method, path),
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
  };
}

function operation(contract: RouteContract): ZodOpenApiOperationObject {
  const path = pathParameters(contract);
  const header = headerParameters(contract);
  return {
    ...headOf(contract),
    security: SECURITY[contract.auth],
    requestParams: {
      ...(path === undefined ? {} : { path: path as z.ZodObject }),
      ...(has(contract.query) ? { query: contract.query as z.ZodObject } : {}),
      ...(header === undefined ? {} : { header }),
    },
    ...(has(contract.body)
      ? {
          requestBody: {
            required: contract.bodyRequired !== false,
            content: { 'application/json': { schema: contract.body } },
          },
        }
      : {}),
    responses: responses(contract),
  };
}

/** A protocol endpoint: refusals have the protocol's shape, those of host, origin and size the gateway's. */
function protocolOperation(contract: ProtocolContract): ZodOpenApiOperationObject {
  const answers: Record<string, object> = {};
  const json = (schema: z.ZodType) => ({ content: { 'application/json': { schema } } });
  for (const [status, schema] of Object.entries(contract.success)) {
    const description = status.startsWith('3') ? 'Redirect' : 'Success';
    answers[status] = schema === null ? { description } : { description, ...json(schema) };
  }
  for (const status of contract.errors) {
    const description = status === 401 ? 'Unknown client' : 'Refused';
    answers[String(status)] = { description, ...json(oauthError) };
  }
  const before = contract.method === 'GET' ? [421] : [403, 413, 415, 421];
  for (const status of before) {
    answers[String(status)] = { description: ERROR_TEXT[status] ?? 'Error', ...json(frameworkError) };
  }
  const failed = contract.method === 'GET' && contract.errors.length === 0 ? businessError : null;
  answers['500'] = {
    description: ERROR_TEXT[500] ?? 'Error',
    ...json(failed ?? z.union([oauthError, businessError])),
  };
  const { body } = contract;
  return {
    ...headOf(contract),
    security: [],
    ...(has(contract.query) ? { requestParams: { query: contract.query as z.ZodObject } } : {}),
    ...(has(body)
      ? {
          requestBody: {
            required: true,
            content: Object.fromEntries(
              (contract.accepts ?? []).map((kind) => [MEDIA_TYPES[kind], { schema: body }]),
            ),
          },
        }
      : {}),
    responses: answers as ZodOpenApiResponsesObject,
  };
}

/** JSON text of the OpenAPI document. */
export async function buildOpenApi(
  contracts: readonly RouteContract[],
  protocol: readonly ProtocolContract[] = [],
): Promise<string> {
  const { createDocument } = await import('zod-openapi');
  const paths: ZodOpenApiPathsObject = {};
  for (const contract of contracts) {
    const path = contract.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [contract.method.toLowerCase()]: operation(contract) };
  }
  for (const contract of protocol) {
    paths[contract.path] = {
      ...paths[contract.path],
      [contract.method.toLowerCase()]: protocolOperation(contract),
    };
  }
  const document = createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Tandem Gateway',
      version: API_VERSION,
      description:
        'Local gateway for pair and basket trading. Amounts are decimal strings; errors have one of two shapes: ' +
        'branch on the status first, then on `errorCode` when present.',
    },
    servers: [{ url: '/' }],
    tags: [...new Set([...contracts, ...protocol].map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: { securitySchemes: SCHEMES },
  });
  return JSON.stringify(document);
}

/** Builds the document on the first call. `contracts` is a function: its list holds this document's route. */
export function createOpenApi(
  contracts: () => readonly RouteContract[],
  protocol: readonly ProtocolContract[] = [],
): () => Promise<string> {
  let document: Promise<string> | undefined;
  return () => {
    document ??= buildOpenApi(contracts(), protocol);
    return document;
  };
}
