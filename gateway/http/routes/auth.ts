/** `/auth`: registration, sign-in, sessions. Parses and presents; the rules are in `auth/`. */
import type { Auth } from '../../auth/auth.ts';
import { clearEverySessionCookie } from '../../auth/session-cookie.ts';
import type { Device, OpenedSession } from '../../auth/sessions.ts';
import type { SignedIn } from '../../auth/sign-in.ts';
import { type BoundRoute, bind, type Call } from '../../call/call.ts';
import { FrameworkError, invalid } from '../../call/errors.ts';
import {
  endSessionRoute,
  listSessionsRoute,
  loginRoute,
  logoutRoute,
  meRoute,
  nonceRoute,
  passwordRoute,
  refreshRoute,
  registerRoute,
  type SessionTokensBody,
  session as sessionSchema,
  type UserBody,
  user as userSchema,
  wsTicketRoute,
} from '../../contract/auth.ts';
import { openSignInLink } from '../../contract/dashboard.ts';
import { AUTH_MESSAGES } from '../../contract/errors.ts';
import type { RouteContract } from '../../contract/route.ts';
import type { User } from '../../domain/model.ts';
import { provedKey, withNonce } from '../key-proof.ts';
import { iso } from '../present/time.ts';
import { wireForm } from '../present/wire-form.ts';
import { originOf } from './origin.ts';
import { notFound, notSaved } from './refusals.ts';
import { sessionOf } from './session-principal.ts';
import { callerOf, newcomerOf, refusalOf, signInWith } from './sign-in.ts';
import { presentTradeAccount } from './trade-accounts.ts';

const GUESSABLE =
  'Too easy to guess: it is a common password, or made of your own name or of words about Tandem';

function presentUser(user: User): UserBody {
  return wireForm(userSchema, user, {});
}

type FromDevice = Pick<Call<typeof loginRoute>, 'headers' | 'ip'>;

function deviceOf({ headers, ip }: FromDevice): Device {
  return { userAgent: headers['user-agent'] ?? null, ip };
}

/** @param pageOrigin origin of the pages, e.g. `http://tandem.localhost:7391` */
export function authRoutes(auth: Auth, pageOrigin: () => string): readonly BoundRoute[] {
  const { signIn, sessions, users, tokens, cookies, tickets, wallets, proofs } = auth;

  function tokensOf(opened: OpenedSession): SessionTokensBody {
    return {
      accessToken: tokens.signSession(opened.session.userId, opened.session.id),
      refreshToken: opened.refreshToken,
      expiresIn: tokens.lifetimeSeconds,
    };
  }

  /** A session that is bound to a key never travels as a cookie. */
  function headersFor({ session }: Pick<OpenedSession, 'session'>): Record<string, string> {
    const own =
      session.keyThumbprint === null ? { 'set-cookie': cookies.issue(session.id) } : withNonce(proofs);
    return { ...own, 'cache-control': 'no-store' };
  }

  /** Device of a sign-in, with the key to bind the session to if the request came with a proof. */
  async function signingIn(call: FromDevice, { method, path }: RouteContract): Promise<Device> {
    const thumbprint = await provedKey(proofs, call.headers, { method, path });
    return { ...deviceOf(call), key: thumbprint === null ? null : { thumbprint } };
  }

  function signedInReply(signedIn: SignedIn) {
    return {
      headers: headersFor(signedIn),
      body: { ...tokensOf(signedIn), user: presentUser(signedIn.user) },
    };
  }

  /** @throws FrameworkError 401, which also removes session cookies that contradict each other */
  function sessionOfCookie(headers: FromDevice['headers']): string {
    const cookie = cookies.read(headers);
    if (cookie === undefined) throw new FrameworkError(401, AUTH_MESSAGES.missing);
    if (cookie.kind !== 'conflict') return cookie.kind === 'session' ? cookie.sessionId : '';
    const cleared = clearEverySessionCookie(headers, refreshRoute.path);
    throw new FrameworkError(401, 'Invalid or expired refresh token', { 'set-cookie': cleared });
  }

  /** Audit entry for the end of a session. */
  function endOf(sessionId: string, call: Parameters<typeof originOf>[0]) {
    const { userId } = call.principal;
    return { audit: [auth.audit.entry(userId, 'session.ended', sessionId, originOf(call))] };
  }

  function userOf(userId: string): User {
    const user = users.byId(userId);
    if (user === undefined) throw new FrameworkError(401, AUTH_MESSAGES.invalidToken);
    return user;
  }

  return [
    bind(registerRoute, async (call) => {
      const { body } = call;
      const { email, password, displayName = null } = body;
      const device = await signingIn(call, registerRoute);
      const made = await signIn.register(
        { email, password, displayName },
        device,
        newcomerOf(call, body),
        callerOf(auth, call, device),
      );
      if (!made.ok) {
        if (made.error.kind === 'taken') throw invalid('email', 'Already registered');
        if (made.error.kind === 'guessable') throw invalid('password', GUESSABLE);
        throw refusalOf(made.error);
      }
      const { tradeAccount } = made.value;
      const reply = signedInReply(made.value);
      return {
        headers: reply.headers,
        body: {
          ...reply.body,
          tradeAccount: tradeAccount === null ? null : presentTradeAccount(auth.accounts, tradeAccount),
        },
      };
    }),

    bind(loginRoute, async (call) =>
      signedInReply(await signInWith(auth, call.body, await signingIn(call, loginRoute), call)),
    ),

    bind(openSignInLink, async ({ body, headers, ip }) => {
      // Only the dashboard may redeem a link: no other host name may get the cookie, no other program may set it.
      if (headers.origin !== pageOrigin() || headers['sec-fetch-site'] !== 'same-origin')
        throw new FrameworkError(403, 'A sign-in link is opened in a browser');
      const opened = await signIn.withLink(body.ticket, await signingIn({ headers, ip }, openSignInLink));
      if (opened.ok) return signedInReply(opened.value);
      if (opened.error.kind !== 'wrong') throw refusalOf(opened.error);
      throw new FrameworkError(401, 'This sign-in link is used up');
    }),

    bind(nonceRoute, async ({ body, headers }) => {
      // A wallet compares the host in the text with its page's host, so the text names the host that was requested,
      // if it is one of the gateway's.
      const hosts = auth.settings.hosts();
      const host = hosts.find((candidate) => candidate === headers.host) ?? hosts[0] ?? '127.0.0.1';
      const challenge = await wallets.challenge(body.address, host);
      return {
        headers: { 'cache-control': 'no-store' },
        body: {
          nonce: challenge.nonce,
          message: challenge.message,
          expiresAt: iso(challenge.expiresAt),
        },
      };
    }),

    bind(refreshRoute, async ({ body, headers }) => {
      const { method, path } = refreshRoute;
      const key = body.refreshToken === undefined ? await provedKey(proofs, headers, { method, path }) : null;
      if (key !== null) {
        const session = sessions.ofKey(key);
        if (session === undefined)
          throw new FrameworkError(401, AUTH_MESSAGES.invalidToken, withNonce(proofs));
        // Renewed without a refresh token: a browser's tabs share the key, and each tab has its own access token.
        return { headers: headersFor({ session }), body: tokensOf({ session, refreshToken: '' }) };
      }
      const refreshed =
        body.refreshToken === undefined
          ? await sessions.refreshById(sessionOfCookie(headers))
          : await sessions.refreshByToken(body.refreshToken);
      if (refreshed.ok) return { headers: headersFor(refreshed.value), body: tokensOf(refreshed.value) };
      const { error } = refreshed;
      if (error.kind === 'unavailable' || error.kind === 'conflict') throw notSaved(error);
      throw new FrameworkError(401, 'Invalid or expired refresh token');
    }),

    bind(logoutRoute, async (call) => {
      const { userId, sessionId } = sessionOf(call.principal);
      const ended = await sessions.end(userId, sessionId, endOf(sessionId, call));
      // `not_found`: another request has ended the session, as this one wanted.
      if (!ended.ok && ended.error.kind !== 'not_found') throw notSaved(ended.error);
      return { headers: { 'set-cookie': cookies.clear } };
    }),

    bind(meRoute, ({ principal }) => ({ body: presentUser(userOf(sessionOf(principal).userId)) })),

    bind(listSessionsRoute, ({ principal }) => {
      const { userId, sessionId } = sessionOf(principal);
      return {
        body: {
          sessions: sessions
            .list(userId)
            .map((session) => wireForm(sessionSchema, session, { current: session.id === sessionId })),
        },
      };
    }),

    bind(endSessionRoute, async (call) => {
      const { params } = call;
      const { userId, sessionId } = sessionOf(call.principal);
      const id = params.id.toLowerCase();
      const ended = await sessions.end(userId, id, endOf(id, call));
      if (!ended.ok) throw ended.error.kind === 'not_found' ? notFound('Session') : notSaved(ended.error);
      return id === sessionId ? { headers: { 'set-cookie': cookies.clear } } : {};
    }),

    bind(passwordRoute, async ({ principal, body, headers, ip }) => {
      const { userId, sessionId } = sessionOf(principal);
      const changed = await signIn.changePassword(
        userId,
        sessionId,
        body.current,
        body.next,
        deviceOf({ headers, ip }),
      );
      if (changed.ok) return {};
      switch (changed.error.kind) {
        case 'wrong':
          throw invalid('current', 'Wrong password');
        case 'guessable':
          throw invalid('next', GUESSABLE);
        case 'no_password':
          throw invalid('current', 'This user signs in with a wallet and has no password');
        default:
          throw refusalOf(changed.error);
      }
    }),

    bind(wsTicketRoute, ({ principal }) => {
      const { ticket, expiresAt } = tickets.issue(sessionOf(principal));
      return { headers: { 'cache-control': 'no-store' }, body: { ticket, expiresAt: iso(expiresAt) } };
    }),
  ];
}
