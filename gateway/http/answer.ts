/** Puts answers into Koa's response. */
import type { Context } from 'koa';
import { SECURITY_HEADERS } from './security-headers.ts';

/** What of Koa's context an answer is put into, whatever the state beside it. */
export type Answering = Pick<Context, 'set' | 'remove' | 'body' | 'status'>;

export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>;

export const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8', ...SECURITY_HEADERS };

/** JSON that only its caller may keep. */
export const PRIVATE_JSON_HEADERS = { ...JSON_HEADERS, 'cache-control': 'no-store' };

/** `content` undefined: an answer without any, which has no type either. `own` headers replace those of `usual`. */
export function answer(
  ctx: Answering,
  status: number,
  usual: Record<string, string>,
  own: AnswerHeaders,
  content: string | Buffer | undefined,
): void {
  ctx.set(usual);
  for (const [name, value] of Object.entries(own))
    ctx.set(name, typeof value === 'string' ? value : [...value]);
  // Nothing has no type: as JSON it would be `null`.
  if (content === undefined) ctx.remove('content-type');
  ctx.body = content ?? null;
  // After the body: without one Koa says 204.
  ctx.status = status;
}
