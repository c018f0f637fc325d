import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Json } from './json.ts';

/** An answer with its headers as they came. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: Json;
}

/** Reads an answer to its end. */
export async function readAnswer(message: IncomingMessage): Promise<RawAnswer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const isJson = (message.headers['content-type'] ?? '').includes('json') && text !== '';
  return {
    status: message.statusCode ?? 0,
    headers: message.headers,
    text,
    json: isJson ? JSON.parse(text) : null,
  };
}
