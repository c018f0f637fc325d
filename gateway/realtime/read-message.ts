/** A received frame → a client message, or the error that answers it. Never throws. */
import {
  type ClientMessage,
  clientMessage,
  clientMessages,
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
  const parsed = clientMessage.safeParse(value);
  if (parsed.success) return ok(parsed.data);
  const issue = parsed.error.issues[0];
  const path = issue?.path.join('.') ?? '';
  const message = issue?.message ?? 'Invalid message';
  if (path === 'channels' && issue?.code === 'too_big') {
    return fail({ id, code: 'TOO_MANY_CHANNELS', message: 'At most 256 channels a connection' });
  }
  return fail({ id, code: 'INVALID_MESSAGE', message: path === '' ? message : `${path}: ${message}` });
}
