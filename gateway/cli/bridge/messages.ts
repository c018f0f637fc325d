/** JSON-RPC as a bridge has to know it: enough to route a message and to answer in its place. */
export type Id = string | number;
export type Fields = Readonly<Record<string, unknown>>;

export interface Request {
  readonly id: Id;
  readonly method: string;
  readonly params: Fields;
  /** As it came, for the gateway. */
  readonly text: string;
  /** Protocol revision that the message itself names; null: one of 2025 or before, which `initialize` agreed on. */
  readonly revision: string | null;
}

export type Incoming =
  | { readonly kind: 'request'; readonly request: Request }
  | { readonly kind: 'notification'; readonly method: string; readonly params: Fields }
  /** An answer to a question that nobody asked. */
  | { readonly kind: 'answer' }
  | { readonly kind: 'fault'; readonly id: Id | null; readonly code: number; readonly message: string };

export const RPC = {
  parse: -32_700,
  invalid: -32_600,
  unknownMethod: -32_601,
  params: -32_602,
  internal: -32_603,
};
const REVISION_KEY = 'io.modelcontextprotocol/protocolVersion';
export const SUBSCRIPTION_KEY = 'io.modelcontextprotocol/subscriptionId';
export const SERVER_INFO_KEY = 'io.modelcontextprotocol/serverInfo';

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isId(value: unknown): value is Id {
  return typeof value === 'string' || typeof value === 'number';
}

/** @param text one line */
export function readMessage(text: string): Incoming {
  const fault = (code: number, message: string, id: Id | null = null): Incoming => ({
    kind: 'fault',
    id,
    code,
    message,
  });
  const value = parsed(text);
  if (value === undefined) return fault(RPC.parse, 'Parse error: Invalid JSON');
  if (Array.isArray(value)) return fault(RPC.invalid, 'A batch is not accepted: send one message a line');
  if (!isFields(value)) return fault(RPC.invalid, 'A message is a JSON object');
  const { id, method, params = {} } = value;
  const known = isId(id) ? id : null;
  if (typeof method !== 'string')
    return known !== null && ('result' in value || 'error' in value)
      ? { kind: 'answer' }
      : fault(RPC.invalid, 'A message has a method', known);
  if (!isFields(params)) return fault(RPC.invalid, 'params is an object', known);
  if (id === undefined) return { kind: 'notification', method, params };
  if (known === null) return fault(RPC.invalid, 'id is a text or a number');
  const meta = params['_meta'];
  const revision = isFields(meta) ? meta[REVISION_KEY] : undefined;
  return {
    kind: 'request',
    request: { id: known, method, params, text, revision: typeof revision === 'string' ? revision : null },
  };
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function errorOf(id: Id | null, code: number, message: string): Fields {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
