/**
 * Changes an answer of the gateway before the page gets it: an answer must hold no token, and not lead out of the app.
 */
import { SHELL_ORIGIN } from '../../gateway/contract/shell-identity.ts';
import type { SessionTokens } from './session-keeper.ts';

export const REFRESH_PATH = '/auth/session/refresh';
const GIVES_TOKENS = new Set(['/auth/login', '/auth/link', '/auth/register', REFRESH_PATH]);
const INTERACTION = /^\/interaction\/[^/]+\/(login|confirm|abort)$/;

export interface PageAnswer {
  readonly text: string;
  /** Address where the browser of an agent's user goes on: the only one that is opened outside the app. */
  readonly returnTo: string | null;
  /** Tokens of a sign-in, which the app keeps to itself. */
  readonly tokens: SessionTokens | null;
}

/** True: `rewriteAnswer` has to read the answer; all other answers are passed on as they come. */
export function isRewritten(method: string, path: string): boolean {
  return method === 'POST' && (GIVES_TOKENS.has(path) || INTERACTION.test(path));
}

/** @param pageOrigin origin of the gateway's pages in a browser */
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

/** Tokens of a sign-in's answer; null: the answer is no sign-in. */
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
