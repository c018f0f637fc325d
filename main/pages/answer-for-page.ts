/** What is changed in an answer of the gateway before the page gets it: it must hold no token, and not lead out of the app. */
import { SHELL_ORIGIN } from '../../gateway/contract/shell-identity.ts';

const GIVES_TOKENS = new Set(['/auth/login', '/auth/register', '/auth/session/refresh']);
const INTERACTION = /^\/interaction\/[^/]+\/(login|confirm|abort)$/;

export interface PageAnswer {
  readonly text: string;
  /** Where the browser of an agent's user goes on: opened outside the app, and only this very address. */
  readonly returnTo: string | null;
}

/** Whether `rewriteAnswer` has to read it; everything else is passed on as it comes. */
export function isRewritten(method: string, path: string): boolean {
  return method === 'POST' && (GIVES_TOKENS.has(path) || INTERACTION.test(path));
}

/** @param pageOrigin of the gateway's pages in a browser */
export function rewriteAnswer(path: string, text: string, pageOrigin: string): PageAnswer {
  const body = parse(text);
  if (body === null) return { text, returnTo: null };
  if (GIVES_TOKENS.has(path)) {
    for (const name of ['accessToken', 'refreshToken']) if (Object.hasOwn(body, name)) body[name] = '';
    return { text: JSON.stringify(body), returnTo: null };
  }
  const { returnTo } = body;
  if (typeof returnTo !== 'string') return { text, returnTo: null };
  if (returnTo.startsWith(`${pageOrigin}/`)) {
    body['returnTo'] = `${SHELL_ORIGIN}${returnTo.slice(pageOrigin.length)}`;
    return { text: JSON.stringify(body), returnTo: null };
  }
  return { text, returnTo };
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : null;
  } catch {
    return null;
  }
}
