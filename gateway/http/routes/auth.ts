/** `/auth`: registration, sign-in, sessions. Parses and presents; the rules are in `auth/`. */
import type { Auth } from '../../auth/auth.ts';
import type { OpenedSession } from '../../auth/sessions.ts';
import type { SignedIn } from '../../auth/sign-in.ts';
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
  type UserBody,
  wsTicketRoute,
} from '../../contract/auth.ts';
import { openSignInLink } from '../../contract/dashboard.ts';
import { AUTH_MESSAGES } from '../../contract/errors.ts';
import type { User } from '../../domain/model.ts';
import { type BoundRoute, bind, FrameworkError, invalid } from '../handler.ts';
import { iso } from '../present/time.ts';
import { originOf } from './origin.ts';
import { notFound, notSaved } from './refusals.ts';
import { sessionOf } from './session-principal.ts';
import { callerOf, deviceOf, signInWith, tooManyWait } from './sign-in.ts';
import { presentTradeAccount } from './trade-accounts.ts';

function presentUser(user: User): UserBody {
  return {
    id: user.id,
    email: user.email,
    walletAddress: user.walletAddress,
    displayName: user.displayName,
    createdAt: iso(user.createdAt),
    updatedAt: iso(user.updatedAt),
  };
}

/** @param pageOrigin e.g. `http://tandem.localhost:7391` */
export function authRoutes(auth: Auth, pageOrigin: () => string): readonly BoundRoute[] {
  const { signIn, sessions, users, tokens, cookies, tickets, wallets } = auth;

  function tokensOf(opened: OpenedSession): SessionTokensBody {
    return {
      accessToken: tokens.signSession(opened.session.userId, opened.session.id),
      refreshToken: opened.refreshToken,
      expiresIn: tokens.lifetimeSeconds,
    };
  }

  function headersFor(opened: OpenedSession): Record<string, string> {
    return { 'set-cookie': cookies.issue(opened.session.id), 'cache-control': 'no-store' };
  }

  function signedInReply(signedIn: SignedIn) {
    return {
      headers: headersFor(signedIn),
      body: { ...tokensOf(signedIn), user: presentUser(signedIn.user) },
    };
  }

  /** What is written down of the end of a session. */
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
      const { email, password, displayName = null } = call.body;
      const made = await signIn.register(
        { email, password, displayName },
        deviceOf(call),
        callerOf(auth, call),
      );
      if (!made.ok) {
        switch (made.error.kind) {
          case 'closed':
            throw new FrameworkError(403, 'Registration is closed');
          case 'taken':
            throw invalid('email', 'Already registered');
          case 'busy':
            throw tooManyWait();
          case 'store':
            throw notSaved(made.error.error);
        }
      }
      const { tradeAccount } = made.value;
      const reply = signedInReply(made.value);
      return {
        headers: reply.headers,
        body: {
          ...reply.body,
          tradeAccount:
            tradeAccount === null
              ? null
              : presentTradeAccount(tradeAccount, auth.accounts.health(tradeAccount)),
        },
      };
    }),

    bind(loginRoute, async (call) => signedInReply(await signInWith(auth, call.body, call))),

    bind(openSignInLink, async ({ body, headers, ip }) => {
      // Only the dashboard itself: the cookie must not be set under another name, nor by another program's request.
      if (headers.origin !== pageOrigin() || headers['sec-fetch-site'] !== 'same-origin')
        throw new FrameworkError(403, 'A sign-in link is opened in a browser');
      const opened = await signIn.withLink(body.ticket, deviceOf({ headers, ip }));
      if (opened.ok) return signedInReply(opened.value);
      if (opened.error.kind === 'store') throw notSaved(opened.error.error);
      throw new FrameworkError(401, 'This sign-in link is used up');
    }),

    bind(nonceRoute, async ({ body, headers }) => {
      // The wallet compares the text with the page it is on, so the host that was asked goes in, if it is one of ours.
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
      const sessionId = body.refreshToken === undefined ? cookies.read(headers) : undefined;
      if (body.refreshToken === undefined && sessionId === undefined) {
        throw new FrameworkError(401, AUTH_MESSAGES.missing);
      }
      const refreshed =
        body.refreshToken === undefined
          ? await sessions.refreshById(sessionId ?? '')
          : await sessions.refreshByToken(body.refreshToken);
      if (refreshed.ok) return { headers: headersFor(refreshed.value), body: tokensOf(refreshed.value) };
      const { error } = refreshed;
      if (error.kind === 'unavailable' || error.kind === 'conflict') throw notSaved(error);
      throw new FrameworkError(401, 'Invalid or expired refresh token');
    }),

    bind(logoutRoute, async (call) => {
      const { userId, sessionId } = sessionOf(call.principal);
      const ended = await sessions.end(userId, sessionId, endOf(sessionId, call));
      // Ended meanwhile by another request: it is what was asked for.
      if (!ended.ok && ended.error.kind !== 'not_found') throw notSaved(ended.error);
      return { headers: { 'set-cookie': cookies.clear } };
    }),

    bind(meRoute, ({ principal }) => ({ body: presentUser(userOf(sessionOf(principal).userId)) })),

    bind(listSessionsRoute, ({ principal }) => {
      const { userId, sessionId } = sessionOf(principal);
      return {
        body: {
          sessions: sessions.list(userId).map((session) => ({
            id: session.id,
            userAgent: session.userAgent,
            ip: session.ip,
            current: session.id === sessionId,
            createdAt: iso(session.createdAt),
            lastUsedAt: iso(session.lastUsedAt),
            expiresAt: iso(session.expiresAt),
          })),
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
        case 'no_password':
          throw invalid('current', 'This user signs in with a wallet and has no password');
        case 'busy':
          throw tooManyWait();
        case 'store':
          throw notSaved(changed.error.error);
      }
    }),

    bind(wsTicketRoute, ({ principal }) => {
      const { ticket, expiresAt } = tickets.issue(sessionOf(principal));
      return { headers: { 'cache-control': 'no-store' }, body: { ticket, expiresAt: iso(expiresAt) } };
    }),
  ];
}
