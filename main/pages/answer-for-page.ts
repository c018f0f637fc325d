/** What is changed in an answer of the gateway before the page gets it: it must hold no token, and not lead out of the app. */
import { SHELL_ORIGIN } from '../../gateway/contract/shell-identity.ts';
import type { SessionTokens } from './session-keeper.ts';

export const REFRESH_PATH = '/auth/session/refresh';
const GIVES_TOKENS = new Set(['/auth/login', '/auth/link', '/auth/register', REFRESH_PATH]);
const INTERACTION = /^\/interaction\/[^/]+\/(login|confirm|abort)$/;

export interface PageAnswer {
  readonly text: string;
  /** Where the browser of an agent's user goes on: opened outside the app, and only this very address. */
  readonly returnTo: string | null;
  /** Of a sign-in, which the app keeps to itself. */
  readonly tokens: SessionTokens | null;
}

/** Whether `rewriteAnswer` has to read it; everything else is passed on as it comes. */
export function isRewritten(method: string, path: string): boolean {
  return method === 'POST' && (GIVES_TOKENS.has(path) || INTERACTION.test(path));
}

/** @param pageOrigin of the gateway's pages in a browser */
export function rewriteAnswer(path: string, text: string, pageOrigin: string): PageAnswer {
  const body = parse(text);
  if (body === null) return { text, returnTo: null, tokens: null };
  if (GIVES_TOKENS.has(path)) {
    const tokens = tokensIn(text);
    for (const name of ['accessToken', 'refreshToken']) if (Object.hasOwn(body, name)) body[name] = '';
    return { text: JSON.stringify(body), returnTo: null, tokens };
  }
  const { returnTo } = body;
  if (typeof returnTo !== 'string') return { text, returnTo: null, tokens: null };
  if (returnTo.startsWith(`${pageOrigin}/`)) {
    body['returnTo'] = `${SHELL_ORIGIN}${returnTo.slice(pageOrigin.length)}`;
    return { text: JSON.stringify(body), returnTo: null, tokens: null };
  }
  return { text, returnTo, tokens: null };
}

/** null: the answer is no sign-in. */
export function tokensIn(text: string): SessionTokens | null {
  const { accessToken, refreshToken, expiresIn } = parse(text) ?? {};
  if (typeof accessToken !== 'string' || typeof refreshToken !== 'string') return null;
  return typeof expiresIn === 'number' ? { accessToken, refreshToken, expiresIn } : null;
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : null;
  } catch {
    return null;
  }
}
