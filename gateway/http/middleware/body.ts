/** Reads a JSON body with its limits. raw-body collects it; koa-body serves the protocol routes only (protocol.ts). */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import rawBody from 'raw-body';
import type { AnonymousTurns } from '../../call/anonymous-turns.ts';
import type { Authenticator } from '../../call/authenticator.ts';
import { FrameworkError, invalid } from '../../call/errors.ts';
import { isTrustedSocket } from '../../call/trusted-sockets.ts';
import type { RouteContract } from '../../contract/route.ts';
import type { Check } from '../request-state.ts';
import type { Authenticate } from './credentials.ts';

/** Largest body of a caller with a credential. */
const BODY_LIMIT_BYTES = 1024 * 1024;
/** Largest body of a caller without a credential, and on public routes unless the contract says otherwise. */
const ANONYMOUS_BODY_LIMIT_BYTES = 16 * 1024;
/** Maximum bytes of an oversized body that are read and dropped, so that its sender can read the refusal. */
const SWALLOW_LIMIT_BYTES = 8 * BODY_LIMIT_BYTES;

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** Body length in bytes as declared by the sender; null: a chunked body, which declares no length. */
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

/** Refuses bodies other than plain JSON: a browser sends other types across origins without a preflight. */
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
  // Broken UTF-8 is refused: Node would decode it to replacement characters and so change the caller's values.
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
 * Reads and drops the rest of a body, one chunk per turn of the event loop: libuv would read megabytes in one turn.
 * @param size bytes of the body that have arrived already
 * @returns size of the whole body; for a body over `SWALLOW_LIMIT_BYTES`, some size over that limit
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
 * @param keepBytes a longer body is read, but not kept
 * @returns null: the body was longer than `keepBytes`
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
 * Checks size and syntax of the body. A long body is kept and parsed for a caller with a credential only; other callers
 * get a 401 from the credential check that follows.
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
    const early = isLong && contract.auth !== 'P' ? await authenticate(ctx) : null;
    const keepBytes = early?.ok === false ? ANONYMOUS_BODY_LIMIT_BYTES : limitBytes;
    const bytes = await readBytes(req, limitBytes, keepBytes);
    // After reading the body the sender is authenticated again: a credential may have ended meanwhile.
    if (bytes === null) state.authentication = early;
    // A chunked body without bytes counts as an absent body.
    if (bytes !== null && bytes.length > 0) {
      if (!isTrustedSocket(req.socket))
        await anonymous.turn(req.socket, () => authenticator.knows?.(req.headers) === true);
      state.body = parseJson(bytes);
    }
    return next();
  };
}
