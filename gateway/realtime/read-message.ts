/** Parses a received frame into a client message, or the error that answers the frame. Never throws. */
import {
  type ClientMessage,
  clientMessage,
  clientMessages,
  MAX_CHANNELS,
  type MessageId,
  messageId,
  type RealtimeErrorCode,
} from '../contract/realtime.ts';
import { fail, ok, type Result } from '../domain/result.ts';

export interface MessageError {
  readonly id: MessageId | null;
  readonly code: RealtimeErrorCode;
  readonly message: string;
}

const TOO_MANY: Omit<MessageError, 'id'> = {
  code: 'TOO_MANY_CHANNELS',
  message: `At most ${MAX_CHANNELS} channels a connection`,
};
/** Maximum number of fields in a message: that of the largest message type. */
const MAX_FIELDS = Math.max(...Object.values(clientMessages).map(({ shape }) => Object.keys(shape).length));

/**
 * Refuses too many channels or fields before the schema looks at the message: a schema names every fault, and a message
 * of 64 KiB has room for ten thousand.
 */
function oversized(value: object): Omit<MessageError, 'id'> | null {
  const channels = property(value, 'channels');
  if (Array.isArray(channels) && channels.length > MAX_CHANNELS) return TOO_MANY;
  const resumeFrom = property(value, 'resumeFrom');
  if (typeof resumeFrom === 'object' && resumeFrom !== null && Object.keys(resumeFrom).length > MAX_CHANNELS)
    return TOO_MANY;
  return Object.keys(value).length > MAX_FIELDS
    ? { code: 'INVALID_MESSAGE', message: 'The message has fields that no message has' }
    : null;
}

function property(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}

export function readMessage(text: string): Result<ClientMessage, MessageError> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fail({ id: null, code: 'INVALID_JSON', message: 'The message is not valid JSON' });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return fail({ id: null, code: 'INVALID_MESSAGE', message: 'Expected a JSON object with `op`' });
  }
  const givenId = messageId.safeParse(property(value, 'id'));
  const id = givenId.success ? givenId.data : null;
  const op = property(value, 'op');
  if (typeof op !== 'string' || !Object.hasOwn(clientMessages, op)) {
    return fail({
      id,
      code: 'UNKNOWN_OP',
      message: `Unknown op: expected one of ${Object.keys(clientMessages).join(', ')}`,
    });
  }
  const refused = oversized(value);
  if (refused !== null) return fail({ id, ...refused });
  const parsed = clientMessage.safeParse(value);
  if (parsed.success) return ok(parsed.data);
  const issue = parsed.error.issues[0];
  const path = issue?.path.join('.') ?? '';
  const message = issue?.message ?? 'Invalid message';
  return fail({ id, code: 'INVALID_MESSAGE', message: path === '' ? message : `${path}: ${message}` });
}
