/** The OpenAPI 3.1 document, made at its first request from the contracts that validate requests. */

import { z } from 'zod';
import type {
  ZodOpenApiOperationObject,
  ZodOpenApiPathsObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { queryFormOf } from '../contract/common.ts';
import { BUSINESS_STATUS, type BusinessCode } from '../contract/error-codes.ts';
import { businessCode, businessError, businessErrorOf, frameworkError } from '../contract/errors.ts';
import { oauthError } from '../contract/oauth-protocol.ts';
import type { ProtocolContract, RouteContract } from '../contract/route.ts';
import { MEDIA_TYPES } from './protocol.ts';

/** Version of the service description (`info.version`). */
export const API_VERSION = '3.0.3';

/** Placeholder in the document for the origin of its request; no origin contains a space. */
export const ASKED_ORIGIN = 'http://asked origin';

/** A shape of an error: one business code, or the framework's. */
type ErrorShape = BusinessCode | 'framework';

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
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'tandem_session',
    description:
      "For pages of the gateway. With it a POST, PUT, PATCH or DELETE also needs `Origin` of the gateway's own page and `Sec-Fetch-Site: same-origin`, which browsers send; else it is 403. Programs take an API key.",
  },
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
  if (has(contract.body) || has(contract.query) || has(contract.params) || mutates)
    add(400, 'VALIDATION_ERROR');
  if (contract.account === true || contract.optionalAccount === true) {
    add(400, 'framework');
    add(404, 'RESOURCE_NOT_FOUND');
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
  if (mutates && contract.auth === 'K') add(BUSINESS_STATUS.AGENT_LIMIT, 'AGENT_LIMIT');
  for (const code of contract.errors ?? []) add(BUSINESS_STATUS[code], code);
  if (contract.idempotent !== undefined) add(BUSINESS_STATUS.RESOURCE_BUSY, 'RESOURCE_BUSY');
  add(500, 'DATABASE_ERROR');
  return shapes;
}

type Shapes = ReadonlyMap<BusinessCode, z.ZodType>;

let shapes: Shapes | null = null;

/** One schema a code, made at the first document: no start needs them. */
function shapesOfCodes(): Shapes {
  shapes ??= new Map(businessCode.options.map((code) => [code, businessErrorOf(code)]));
  return shapes;
}

function errorSchema(asked: ReadonlySet<ErrorShape>, ofCodes: Shapes): z.ZodType {
  const [one, ...more] = [...asked].map((shape) =>
    shape === 'framework' ? frameworkError : (ofCodes.get(shape) ?? businessError),
  );
  if (one === undefined) return frameworkError;
  return more.length === 0 ? one : z.union([one, ...more]);
}

/** `Busy, or nothing would change: RESOURCE_BUSY, NOOP_ERROR` */
function errorText(status: number, asked: ReadonlySet<ErrorShape>): string {
  const text = ERROR_TEXT[status] ?? 'Error';
  const codes = [...asked].filter((shape) => shape !== 'framework');
  return codes.length === 0 ? text : `${text}: ${codes.map((code) => `\`${code}\``).join(', ')}`;
}

function responses(contract: RouteContract, ofCodes: Shapes): ZodOpenApiResponsesObject {
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
      description: errorText(status, shapes),
      content: { 'application/json': { schema: errorSchema(shapes, ofCodes) } },
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

function operation(contract: RouteContract, ofCodes: Shapes): ZodOpenApiOperationObject {
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
    responses: responses(contract, ofCodes),
  };
}

/**
 * Makes a form flat: if its fields depend on one of them, generators want one object that requires the fields that
 * every variant requires.
 */
function formSchema(body: z.ZodType): z.ZodType {
  if (!(body instanceof z.ZodDiscriminatedUnion)) return body;
  const variants = body.options.filter((option) => option instanceof z.ZodObject);
  const { discriminator } = body.def;
  const names = new Set(variants.flatMap((variant) => Object.keys(variant.shape)));
  const fields = [...names].map((name): [string, z.ZodType] => {
    const given: z.ZodType[] = variants.flatMap((variant) => variant.shape[name] ?? []);
    const [first = z.string()] = given;
    if (name === discriminator) return [name, z.enum(given.flatMap(literalOf))];
    return [name, given.length === variants.length ? first : first.optional()];
  });
  return z.object(Object.fromEntries(fields));
}

function literalOf(schema: z.ZodType): string[] {
  return schema instanceof z.ZodLiteral ? [...schema.values].map(String) : [];
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
              (contract.accepts ?? []).map((kind) => [
                MEDIA_TYPES[kind],
                { schema: kind === 'form' ? formSchema(body) : body },
              ]),
            ),
          },
        }
      : {}),
    responses: answers as ZodOpenApiResponsesObject,
  };
}

interface Parameter {
  readonly in?: string;
  readonly name?: string;
  schema?: unknown;
}

/** Gives numbers, booleans and lists of the query their own types: the schemas that validate them see text. */
function nameQueryForms(
  document: { readonly paths?: object | undefined },
  contracts: readonly RouteContract[],
): void {
  const paths = document.paths as Record<string, Record<string, { readonly parameters?: Parameter[] }>>;
  for (const { path, method, query } of contracts) {
    if (!(query instanceof z.ZodObject)) continue;
    const { parameters = [] } = paths[wirePath(path)]?.[method.toLowerCase()] ?? {};
    for (const parameter of parameters) {
      const schema: z.ZodType | undefined =
        parameter.in === 'query' ? query.shape[parameter.name ?? ''] : undefined;
      const form = schema === undefined ? null : queryFormOf(schema);
      if (form !== null) parameter.schema = form;
    }
  }
}

/** `/positions/:id` → `/positions/{id}` */
function wirePath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

/** JSON text of the OpenAPI document, with ASKED_ORIGIN as the address of its server. */
export async function buildOpenApi(
  contracts: readonly RouteContract[],
  protocol: readonly ProtocolContract[] = [],
  version: string | null = null,
): Promise<string> {
  const { createDocument } = await import('zod-openapi');
  const paths: ZodOpenApiPathsObject = {};
  const ofCodes = shapesOfCodes();
  for (const contract of contracts) {
    const path = wirePath(contract.path);
    paths[path] = { ...paths[path], [contract.method.toLowerCase()]: operation(contract, ofCodes) };
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
      ...(version === null ? {} : { 'x-tandem-version': version }),
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      description:
        'Local gateway for pair and basket trading. Amounts are decimal strings; errors have one of two shapes: ' +
        'branch on the status first, then on `errorCode` when present.',
    },
    servers: [{ url: ASKED_ORIGIN, description: 'The gateway' }],
    tags: [...new Set([...contracts, ...protocol].map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: { securitySchemes: SCHEMES },
  });
  nameQueryForms(document, contracts);
  return JSON.stringify(document);
}

/**
 * Builds the document on the first call. `contracts` is a function: its list holds this document's route.
 * @param version of the product
 */
export function createOpenApi(
  contracts: () => readonly RouteContract[],
  protocol: readonly ProtocolContract[] = [],
  version: string | null = null,
): () => Promise<string> {
  let document: Promise<string> | undefined;
  return () => {
    document ??= buildOpenApi(contracts(), protocol, version);
    return document;
  };
}
