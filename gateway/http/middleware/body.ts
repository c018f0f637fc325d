/** Reads a JSON body with its limits. raw-body collects it; koa-body serves the protocol routes only (protocol.ts). */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import rawBody from 'raw-body';
import type { RouteContract } from '../../contract/route.ts';
import type { AnonymousTurns } from '../anonymous-turns.ts';
import { type Authenticator, FrameworkError, invalid } from '../handler.ts';
import type { Check } from '../request-state.ts';
import { isTrustedSocket } from '../trusted-sockets.ts';
import type { Authenticate } from './credentials.ts';

/** With a credential. */
const BODY_LIMIT_BYTES = 1024 * 1024;
/** Without one: on a route that asks for none, unless its contract says otherwise, and of a caller who has none. */
const ANONYMOUS_BODY_LIMIT_BYTES = 16 * 1024;
/** A body over the limit is swallowed up to here, so that its sender gets to read the refusal instead of a reset. */
const SWALLOW_LIMIT_BYTES = 8 * BODY_LIMIT_BYTES;

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** Bytes, as the sender says; null for a chunked body, which says nothing. */
function declaredLength(req: IncomingMessage): number | null {
  const declared = req.headers['content-length'];
  return declared === undefined ? null : Number(declared);
}

export function hasBody(req: IncomingMessage): boolean {
  const length = req.headers['content-length'];
  if (length !== undefined) return length !== '0';
  return req.headers['transfer-encoding'] !== undefined;
}

function bodyLimit({ auth, bodyLimitBytes }: RouteContract): number {
  return auth === 'P' ? (bodyLimitBytes ?? ANONYMOUS_BODY_LIMIT_BYTES) : BODY_LIMIT_BYTES;
}

/** Refuses what is not plain JSON; a browser can send other types across origins without asking first. */
function checkContentType(req: IncomingMessage): void {
  const type = req.headers['content-type'];
  if (type === undefined || !JSON_TYPE.test(type))
    throw new FrameworkError(415, 'Content-Type must be application/json');
  const encoding = req.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    throw new FrameworkError(415, 'Content-Encoding is not supported');
}

/** @throws BusinessError VALIDATION_ERROR on path '' when the bytes are not JSON. */
function parseJson(bytes: Buffer): unknown {
  // Node decodes broken UTF-8 to replacement characters; that would change what the caller said.
  if (!isUtf8(bytes)) throw invalid('', 'Body is not valid UTF-8', 'invalid_json');
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw invalid('', 'Body is not valid JSON', 'invalid_json');
  }
}

function isOfRawBody(error: unknown): error is rawBody.RawBodyError {
  return error instanceof Error && 'type' in error;
}

/**
 * Lets go of the rest of a body, a piece in each turn of the loop: libuv would read megabytes of every such sender in one.
 * @param size of what has come of it already
 * @returns the size of the whole; of one that is larger than what is swallowed, so much that it is
 */
function swallow(req: IncomingMessage, size: number): Promise<number> {
  let swallowed = size;
  return new Promise((resolve) => {
    req.on('data', (chunk: Buffer) => {
      swallowed += chunk.length;
      if (swallowed > SWALLOW_LIMIT_BYTES) resolve(swallowed);
      req.pause();
      setImmediate(() => req.resume());
    });
    req.once('end', () => resolve(swallowed));
    req.resume();
  });
}

/**
 * @param limitBytes a longer body is refused with 413
 * @param keepBytes of a longer body nothing is kept
 * @returns null: the body was longer than what is kept of it
 */
async function readBytes(
  req: IncomingMessage,
  limitBytes: number,
  keepBytes: number,
): Promise<Buffer | null> {
  const tooLarge = `Request body is larger than ${limitBytes} bytes`;
  const length = declaredLength(req);
  let size = length ?? 0;
  if (size <= SWALLOW_LIMIT_BYTES) {
    try {
      return await rawBody(req, { length, limit: keepBytes });
    } catch (error) {
      if (!isOfRawBody(error)) throw error;
      if (error.type !== 'entity.too.large') throw new FrameworkError(400, 'Request body was cut off');
      size = await swallow(req, error.received ?? 0);
    }
  }
  if (size > SWALLOW_LIMIT_BYTES) throw new FrameworkError(413, tooLarge, { connection: 'close' });
  if (size > limitBytes) throw new FrameworkError(413, tooLarge);
  return null;
}

/**
 * Size and syntax. A long body is kept and parsed for a caller with a credential only; the others get the 401 that awaits
 * them behind this.
 */
export function readJsonBody({
  anonymous,
  authenticator,
  authenticate,
}: {
  readonly anonymous: AnonymousTurns;
  readonly authenticator: Pick<Authenticator, 'knows'>;
  readonly authenticate: Authenticate;
}): Check {
  return async (ctx, next) => {
    const { req, state } = ctx;
    const { contract, mutates } = state.route;
    if (!mutates || !hasBody(req)) return next();
    checkContentType(req);
    const limitBytes = bodyLimit(contract);
    const isLong = (declaredLength(req) ?? Number.POSITIVE_INFINITY) > ANONYMOUS_BODY_LIMIT_BYTES;
    if (isLong && contract.auth !== 'P') state.authentication = await authenticate(ctx);
    const keepBytes = state.authentication?.ok === false ? ANONYMOUS_BODY_LIMIT_BYTES : limitBytes;
    const bytes = await readBytes(req, limitBytes, keepBytes);
    // A chunked message may turn out to hold nothing; that is an absent body.
    if (bytes !== null && bytes.length > 0) {
      if (!isTrustedSocket(req.socket))
        await anonymous.turn(req.socket, () => authenticator.knows?.(req.headers) === true);
      state.body = parseJson(bytes);
    }
    return next();
  };
}
