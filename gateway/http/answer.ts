/** Puts answers into Koa's response. */
import type { Context } from 'koa';
import type { AnswerHeaders } from '../call/call.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

/** The part of Koa's context that an answer is written to, independent of the type of `state`. */
export type Answering = Pick<Context, 'res' | 'remove' | 'body' | 'status'>;

export const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8', ...SECURITY_HEADERS };

/** Headers of JSON that no cache may keep. */
export const PRIVATE_JSON_HEADERS = { ...JSON_HEADERS, 'cache-control': 'no-store' };

/** `content` undefined: an answer without body or content type. `own` headers replace `usual` ones. */
export function answer(
  ctx: Answering,
  status: number,
  usual: Record<string, string>,
  own: AnswerHeaders,
  content: string | Buffer | undefined,
): void {
  // `ctx.set` passes each header through three more functions.
  for (const name in usual) ctx.res.setHeader(name, usual[name] ?? '');
  for (const name in own) ctx.res.setHeader(name, own[name] ?? '');
  // An answer without body has no content type: as JSON its body would be `null`.
  if (content === undefined) ctx.remove('content-type');
  ctx.body = content ?? null;
  // Set after the body, because Koa sets 204 for an absent body.
  ctx.status = status;
}
