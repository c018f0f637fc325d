/** Answer of an emulated venue to one request, over HTTP or a socket. */

export type Reply =
  | { readonly kind: 'sent'; readonly code: number; readonly type: string; readonly body: string }
  /** Breaks off in the middle. */
  | { readonly kind: 'broken'; readonly body: string }
  | { readonly kind: 'cut' }
  | { readonly kind: 'never' };

const PAGE = '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>';

/** @param body instead of the JSON of `value` */
export function json(value: unknown, code = 200, body = JSON.stringify(value)): Reply {
  return { kind: 'sent', code, type: 'application/json', body };
}

export function plain(code: number, body: string): Reply {
  return { kind: 'sent', code, type: 'text/plain', body };
}

/** A page of a proxy before the venue. */
export function html(code: number, body = PAGE): Reply {
  return { kind: 'sent', code, type: 'text/html', body };
}
