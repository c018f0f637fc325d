/** Registration, sign-in, sessions and the first-party account surface under `/auth`. */
import { z } from 'zod';
import { DOCS, idParams, isoTime, uuid, walletAddress, walletSignature } from './common.ts';
import { nameInput } from './plain-text.ts';
import { routesWith } from './route.ts';
import { tradeAccount } from './trade-accounts.ts';

const TAG = 'Authentication';

const email = z.string().trim().toLowerCase().max(254).pipe(z.email()).register(DOCS, {
  description: 'E-mail address; upper and lower case are the same',
  example: 'trader@example.com',
});
const newPassword = z.string().min(10).max(128).register(DOCS, {
  description: '10 to 128 characters; none of the commonest passwords, nor made of the own name or address',
});
const givenPassword = z.string().min(1).max(128);
const setupCode = z.string().min(1).max(64).optional().register(DOCS, {
  description:
    "Asked of the gateway's first user, unless the connection is known to be that of the user who runs it: it stands where Tandem was started and in the file `setup-code` of its data folder. Missing: 403; wrong: 400 on this path",
});

export const user = z
  .strictObject({
    id: uuid,
    email: z.string().nullable(),
    walletAddress: z.string().nullable().register(DOCS, { description: 'EIP-55 spelling' }),
    displayName: z.string().nullable(),
    createdAt: isoTime,
    updatedAt: isoTime,
  })
  .register(DOCS, { id: 'User' });
export type UserBody = z.infer<typeof user>;

const tokenPair = {
  accessToken: z.string().register(DOCS, { description: 'EdDSA JWT, sent as `Authorization: Bearer`' }),
  refreshToken: z.string().register(DOCS, {
    description:
      'Single use: each refresh answers the next one. Empty where the session is bound to a key, which proves it instead',
  }),
  expiresIn: z.int().positive().register(DOCS, { description: 'Life of the access token in seconds' }),
};
export const sessionTokens = z.strictObject(tokenPair).register(DOCS, { id: 'SessionTokens' });
export type SessionTokensBody = z.infer<typeof sessionTokens>;
export const signedIn = z.strictObject({ ...tokenPair, user }).register(DOCS, { id: 'SignedIn' });
export const registered = z
  .strictObject({
    ...tokenPair,
    user,
    tradeAccount: tradeAccount.nullable().register(DOCS, {
      description: "The funded `paper` account of the gateway's first user; null for later users",
    }),
  })
  .register(DOCS, { id: 'Registered' });

const COOKIE_NOTE =
  'Also sets the session cookie `tandem_session` (HttpOnly, SameSite=Strict, Path=/). With a proof of a key (header `DPoP`, RFC 9449, ES256, with the nonce of an earlier `DPoP-Nonce`) the session is bound to that key instead: no cookie, no refresh token; it ends after 12 hours without use, or after 30 days.';

const openRoute = routesWith({ auth: 'P', tag: TAG });

export const registerRoute = openRoute({
  method: 'POST',
  path: '/auth/register',
  summary: 'Create a user and sign in',
  description: `Open while no user exists; afterwards only with the setting \`registration=open\`, else 403. The first user needs \`setupCode\` (403 without it) unless the setting is \`registration=open\` or the gateway can tell that the call comes from the user who runs it. ${COOKIE_NOTE}`,
  body: z.strictObject({
    email,
    password: newPassword,
    displayName: nameInput(64).optional(),
    setupCode,
  }),
  success: { 201: registered },
  refusals: [403],
  errors: ['RESOURCE_BUSY'],
});

/** Body shared by `POST /auth/login` and the consent page's sign-in. */
export const loginBody = z
  .discriminatedUnion('method', [
    z.strictObject({ method: z.literal('email'), email, password: givenPassword }),
    z.strictObject({
      method: z.literal('wallet'),
      address: walletAddress,
      nonce: z.string().min(1).max(128).register(DOCS, { description: 'From `POST /auth/nonce`' }),
      signature: walletSignature.meta({
        description: 'EIP-191 signature of the `message` that came with the nonce',
      }),
      setupCode,
    }),
  ])
  .register(DOCS, { id: 'LoginBody' });

export const loginRoute = openRoute({
  method: 'POST',
  path: '/auth/login',
  summary: 'Sign in with e-mail and password, or with a wallet',
  description: `An unknown e-mail and a wrong password answer alike. A wallet that is not known yet becomes a user under the rule of registration; the first one needs \`setupCode\`. After ten failures for an e-mail in 15 minutes its sign-ins go one at a time, up to 5 s apart; 409 when too many wait. ${COOKIE_NOTE}`,
  body: loginBody,
  success: { 200: signedIn },
  refusals: [401, 403],
  errors: ['RESOURCE_BUSY'],
});

export const nonceRoute = openRoute({
  method: 'POST',
  path: '/auth/nonce',
  summary: 'Get a text for a wallet to sign',
  description: 'Single use, 5 minutes; several may live at once.',
  body: z.strictObject({ address: walletAddress }),
  success: {
    200: z
      .strictObject({
        nonce: z.string(),
        message: z.string().register(DOCS, { description: "EIP-4361 text for the gateway's host" }),
        expiresAt: isoTime,
      })
      .register(DOCS, { id: 'WalletChallenge' }),
  },
});

export const refreshRoute = openRoute({
  method: 'POST',
  path: '/auth/session/refresh',
  summary: 'Exchange the refresh token for a new pair',
  description:
    'By `refreshToken`, or without it by the session cookie. The refresh token rotates; presenting a rotated one again ends the session. Prolongs the session to 30 days from now. With `{}` and a proof of the key that the session is bound to (header `DPoP`): an access token, and nothing rotates. A proof without a good nonce is a 401 with `DPoP-Nonce`.',
  body: z.strictObject({ refreshToken: z.string().min(1).max(256).optional() }),
  bodyRequired: false,
  success: { 200: sessionTokens },
  refusals: [401],
});

const ownRoute = routesWith({ auth: 'B', firstParty: true, tag: TAG });

export const logoutRoute = ownRoute({
  method: 'POST',
  path: '/auth/logout',
  summary: 'End the current session',
  success: { 204: null },
});

export const meRoute = ownRoute({
  method: 'GET',
  path: '/auth/me',
  summary: 'The signed-in user',
  success: { 200: user },
});

export const session = z
  .strictObject({
    id: uuid,
    userAgent: z.string().nullable(),
    ip: z.string().nullable(),
    current: z.boolean().register(DOCS, { description: 'The session that asks' }),
    createdAt: isoTime,
    lastUsedAt: isoTime,
    expiresAt: isoTime.meta({ description: 'End of the session unless it is refreshed before' }),
  })
  .register(DOCS, { id: 'Session' });

export const listSessionsRoute = ownRoute({
  method: 'GET',
  path: '/auth/sessions',
  summary: "The user's sessions, newest first",
  success: { 200: z.strictObject({ sessions: z.array(session) }) },
});

export const endSessionRoute = ownRoute({
  method: 'DELETE',
  path: '/auth/sessions/:id',
  summary: 'End one session',
  params: idParams,
  success: { 204: null },
  errors: ['RESOURCE_NOT_FOUND'],
});

export const passwordRoute = ownRoute({
  method: 'POST',
  path: '/auth/password',
  summary: 'Change the password',
  description: 'Ends every other session of the user. A wrong `current` is a 400 on that path.',
  body: z.strictObject({ current: givenPassword, next: newPassword }),
  success: { 204: null },
  errors: ['RESOURCE_BUSY'],
});

export const wsTicketRoute = ownRoute({
  method: 'POST',
  path: '/auth/ws-ticket',
  summary: 'Get a ticket for the WebSocket',
  description: 'Single use, 30 seconds; sent in the `auth` message of `/ws`.',
  success: {
    200: z.strictObject({ ticket: z.string(), expiresAt: isoTime }).register(DOCS, { id: 'WsTicket' }),
  },
});
