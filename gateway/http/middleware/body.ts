/** Reads a JSON body once, with its limits. koa-body serves the form-encoded protocol routes only (protocol.ts). */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { FrameworkError, invalid } from '../handler.ts';

const BODY_LIMIT_BYTES = 1024 * 1024;
/** A body over the limit is swallowed up to here, so that its sender gets to read the 413 instead of a reset. */
const SWALLOW_LIMIT_BYTES = 8 * BODY_LIMIT_BYTES;

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

function tooLarge(): FrameworkError {
  return new FrameworkError(413, `Request body is larger than ${BODY_LIMIT_BYTES} bytes`);
}

function tooLargeToSwallow(): FrameworkError {
  return new FrameworkError(413, `Request body is larger than ${BODY_LIMIT_BYTES} bytes`, {
    connection: 'close',
  });
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

/** Calls one of the two once, and neither when the client goes away first. */
export function readBody(
  req: IncomingMessage,
  received: (bytes: Buffer) => void,
  refused: (error: FrameworkError) => void,
): void {
  let first: Buffer | null = null;
  let chunks: Buffer[] | null = null;
  let size = 0;
  let settled = false;
  const declared = req.headers['content-length'];
  if (declared !== undefined && Number(declared) > SWALLOW_LIMIT_BYTES) {
    refused(tooLargeToSwallow());
    return;
  }
  req.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > BODY_LIMIT_BYTES) {
      first = null;
      chunks = null;
      if (size > SWALLOW_LIMIT_BYTES && !settled) {
        settled = true;
        refused(tooLargeToSwallow());
      }
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
    if (size > BODY_LIMIT_BYTES) refused(tooLarge());
    else received(chunks !== null ? Buffer.concat(chunks) : (first ?? Buffer.alloc(0)));
  });
}
