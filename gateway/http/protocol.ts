/**
 * Routes of protocols with rules of their own (OAuth): bodies are forms or JSON as their RFCs say, unknown fields pass,
 * no gateway credential is asked for, and the handler makes its own error bodies. koa-body reads the request bodies.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Context, Middleware } from 'koa';
import type { AnswerHeaders } from '../call/call.ts';
import { FrameworkError } from '../call/errors.ts';
import type { ProtocolContract } from '../contract/route.ts';
import { answer, PRIVATE_JSON_HEADERS } from './answer.ts';
import { hasBody } from './middleware/body.ts';
import { queryOf } from './middleware/validation.ts';
import type { NoteRefusal } from './refusal-log.ts';

const PROTOCOL_BODY_LIMIT = '16kb';

export interface ProtocolCall {
  /** Query parameters; a repeated parameter is an array. */
  readonly query: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed form or JSON, a repeated form field as an array; undefined when there is none or it cannot be parsed. */
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
  readonly ip: string;
}

export interface ProtocolReply {
  readonly status: number;
  readonly headers?: AnswerHeaders;
  /** Body of the answer, sent as JSON; absent: an answer without body. */
  readonly body?: unknown;
}

export interface ProtocolRoute {
  readonly contract: Pick<ProtocolContract, 'method' | 'path' | 'accepts'>;
  readonly handle: (call: ProtocolCall) => ProtocolReply | Promise<ProtocolReply>;
}

export const MEDIA_TYPES = { json: 'application/json', form: 'application/x-www-form-urlencoded' } as const;

let bodyReader: Promise<Middleware> | undefined;

/** Imports koa-body on first use: the import takes long, and the first answer does not need it. */
function loadBodyReader(): Promise<Middleware> {
  bodyReader ??= import('koa-body').then(({ koaBody }) =>
    koaBody({
      multipart: false,
      text: false,
      jsonLimit: PROTOCOL_BODY_LIMIT,
      formLimit: PROTOCOL_BODY_LIMIT,
    }),
  );
  return bodyReader;
}

function statusOf(error: unknown): number {
  return error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : 500;
}

async function readProtocolBody(
  ctx: Context,
  { method, accepts = [] }: ProtocolRoute['contract'],
): Promise<unknown> {
  if (method === 'GET' || !hasBody(ctx.req)) return undefined;
  const types = accepts.map((kind) => MEDIA_TYPES[kind]);
  if (ctx.is(...types) === false) {
    throw new FrameworkError(415, `Content-Type must be ${types.join(' or ')}`);
  }
  const read = await loadBodyReader();
  try {
    await read(ctx, async () => {});
  } catch (error) {
    const status = statusOf(error);
    if (status === 413) throw new FrameworkError(413, `Request body is larger than ${PROTOCOL_BODY_LIMIT}`);
    if (status >= 500) throw error;
    return undefined;
  }
  return 'body' in ctx.request ? ctx.request.body : undefined;
}

/** Error code of a protocol's refusal, e.g. `invalid_grant`. */
function errorOf(body: unknown): string {
  return typeof body === 'object' && body !== null && 'error' in body ? String(body.error) : 'refused';
}

export function protocolHandler({ contract, handle }: ProtocolRoute, noteRefusal: NoteRefusal): Middleware {
  const { method } = contract;
  return async (ctx) => {
    const { status, headers, body } = await handle({
      query: { ...queryOf(ctx) },
      body: await readProtocolBody(ctx, contract),
      headers: ctx.headers,
      ip: ctx.req.socket.remoteAddress ?? '',
    });
    if (status >= 400) noteRefusal(status, errorOf(body), { method, path: ctx.path });
    const json = body === undefined ? undefined : JSON.stringify(body);
    answer(ctx, status, PRIVATE_JSON_HEADERS, headers ?? {}, json);
  };
}
