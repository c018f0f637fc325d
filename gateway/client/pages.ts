/** Lists that come in pages, as async iterators. */
import type { Send, TransportRequest } from './transport.ts';

interface PageBody {
  readonly nextCursor?: string;
}

/**
 * Page after page until one has no `nextCursor`; a short page is not the last one.
 * @param request its `limit` is the size of a page, its `cursor` where to begin
 */
export async function* eachPage(
  send: Send,
  route: string,
  request: TransportRequest,
): AsyncGenerator<unknown> {
  let query = request.query ?? {};
  for (;;) {
    const page = await send(route, { ...request, query });
    yield page;
    const { nextCursor } = page as PageBody;
    if (nextCursor === undefined) return;
    query = { ...query, cursor: nextCursor };
  }
}

/** All rows of all pages, one after the other. A page must contain exactly one list besides its cursor. */
export async function* eachRow(
  send: Send,
  route: string,
  request: TransportRequest,
): AsyncGenerator<unknown> {
  for await (const page of eachPage(send, route, request)) {
    const rows = Object.values(page as object).find(Array.isArray);
    if (rows !== undefined) yield* rows;
  }
}
