/** Reads a JSON body once, with its limits. koa-body serves the form-encoded protocol routes only (protocol.ts). */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { FrameworkError, invalid } from '../handler.ts';

/** With a credential. */
export const BODY_LIMIT_BYTES = 1024 * 1024;
/** Without one: on a route that asks for none, unless its contract says otherwise, and of a caller who has none. */
export const ANONYMOUS_BODY_LIMIT_BYTES = 16 * 1024;
/** A body over the limit is swallowed up to here, so that its sender gets to read the refusal instead of a reset. */
const SWALLOW_LIMIT_BYTES = 8 * BODY_LIMIT_BYTES;

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

function tooLarge(limitBytes: number, headers?: Readonly<Record<string, string>>): FrameworkError {
  return new FrameworkError(413, `Request body is larger than ${limitBytes} bytes`, headers);
}

/** Bytes, as the sender says; null for a chunked body, which says nothing. */
export function declaredLength(req: IncomingMessage): number | null {
  const declared = req.headers['content-length'];
  return declared === undefined ? null : Number(declared);
}

export function hasBody(req: IncomingMessage): boolean {
  const length = req.headers['content-length'];
  if (length !== undefined) return length !== '0';
  return req.headers['transfer-encoding'] !== undefined;
}

/** Refuses what is not plain JSON; a browser can send other types across origins without asking first. */
export function checkContentType(req: IncomingMessage): void {
  const type = req.headers['content-type'];
  if (type !== 'application/json' && (type === undefined || !JSON_TYPE.test(type)))
    throw new FrameworkError(415, 'Content-Type must be application/json');
  const encoding = req.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    throw new FrameworkError(415, 'Content-Encoding is not supported');
}

/** @throws BusinessError VALIDATION_ERROR on path '' when the bytes are not JSON. */
export function parseJson(bytes: Buffer): unknown {
  // Node decodes broken UTF-8 to replacement characters; that would change what the caller said.
  if (!isUtf8(bytes)) throw invalid('', 'Body is not valid UTF-8', 'invalid_json');
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw invalid('', 'Body is not valid JSON', 'invalid_json');
  }
}

interface BodyLimits {
  /** A longer body is refused with 413. */
  readonly limitBytes: number;
  /** Of a longer body nothing is kept. */
  readonly keepBytes: number;
}

/**
 * Calls one of the two once, and neither when the client goes away first. `received` with null: the body was longer than
 * what is kept of it.
 */
export function readBody(
  req: IncomingMessage,
  { limitBytes, keepBytes }: BodyLimits,
  received: (bytes: Buffer | null) => void,
  refused: (error: FrameworkError) => void,
): void {
  let first: Buffer | null = null;
  let chunks: Buffer[] | null = null;
  let size = 0;
  let settled = false;
  const declared = declaredLength(req) ?? 0;
  if (declared > SWALLOW_LIMIT_BYTES) {
    refused(tooLarge(limitBytes, { connection: 'close' }));
    return;
  }
  req.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > keepBytes || declared > keepBytes) {
      first = null;
      chunks = null;
      if (size > SWALLOW_LIMIT_BYTES && !settled) {
        settled = true;
        refused(tooLarge(limitBytes, { connection: 'close' }));
      }
      // A piece in each turn of the loop: libuv would read megabytes of every such sender in one.
      req.pause();
      setImmediate(() => req.resume());
    } else if (first === null) {
      first = chunk;
    } else if (chunks === null) {
      chunks = [first, chunk];
    } else {
      chunks.push(chunk);
    }
  });
  req.on('end', () => {
    if (settled) return;
    settled = true;
    if (size > limitBytes) refused(tooLarge(limitBytes));
    else if (size > keepBytes) received(null);
    else received(chunks !== null ? Buffer.concat(chunks) : (first ?? Buffer.alloc(0)));
  });
}
