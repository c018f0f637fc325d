/** Routes of the consent page, for first-party sessions. The rules are in `oauth/interactions.ts`. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Auth } from '../../auth/auth.ts';
import { INTERACTION_SECONDS } from '../../auth/session-cookie.ts';
import { type BoundRoute, bind } from '../../call/call.ts';
import { BusinessError, FrameworkError } from '../../call/errors.ts';
import { AUTH_MESSAGES } from '../../contract/errors.ts';
import {
  abortInteraction,
  confirmInteraction,
  type InteractionBody,
  loginInteraction,
  readInteraction,
} from '../../contract/oauth.ts';
import type { User } from '../../domain/model.ts';
import type { Clock } from '../../engine/ports/system.ts';
import type { InteractionError, Interactions, OpenInteraction } from '../../oauth/interactions.ts';
import { authenticateProof, type ProvedRequest, provedKey, withNonce } from '../key-proof.ts';
import { iso } from '../present/time.ts';
import { checkedMandate } from './mandate-input.ts';
import { originOf } from './origin.ts';
import { notSaved } from './refusals.ts';
import { sessionOf } from './session-principal.ts';
import { signInWith } from './sign-in.ts';

/** Time by which the session outlives its interaction, so that the page can still learn how the interaction ended. */
const AFTERWARDS_SECONDS = 60;
const OTHER_ACCOUNT = 'Session does not match this interaction';

export function interactionRefusal(error: InteractionError): FrameworkError | BusinessError {
  switch (error.kind) {
    case 'not_found':
      return new FrameworkError(404, 'Interaction not found or expired');
    case 'not_awaiting_consent':
      return new FrameworkError(400, 'Interaction is not awaiting consent');
    case 'other_account':
      return new FrameworkError(403, OTHER_ACCOUNT);
    case 'too_many_grants':
      return new FrameworkError(
        403,
        'The maximum of 10 connected agents is reached: disconnect one before connecting another',
      );
    case 'not_replaced':
      return new FrameworkError(404, 'OAuth grant not found');
    case 'beyond_proposal':
      return new BusinessError(
        'VALIDATION_ERROR',
        'Validation error',
        error.fields.map((field) => ({
          path: `mandate.${field}`,
          message: 'More than the agent asked for',
          code: 'custom',
        })),
      );
    case 'store':
      return notSaved(error.error);
  }
}

function presentInteraction(
  { interaction, client }: OpenInteraction,
  account: Pick<User, 'email' | 'walletAddress'> | undefined,
): InteractionBody {
  return {
    uid: interaction.uid,
    prompt: {
      name: interaction.prompt === 'LOGIN' ? 'login' : 'consent',
      details: {
        scopes: [...interaction.scopes],
        expiresAt: iso(interaction.expiresAt),
        ...(account === undefined
          ? {}
          : { account: { email: account.email, walletAddress: account.walletAddress } }),
      },
    },
    params: {
      client_id: client.id,
      redirect_uri: interaction.redirectUri,
      ...(interaction.state === null ? {} : { state: interaction.state }),
      scope: interaction.scopes.join(' '),
    },
    client: {
      clientId: client.id,
      clientName: client.name ?? client.id,
      redirectUris: [...client.redirectUris],
    },
  };
}

/** @param challenge value of `WWW-Authenticate` on a 401 */
export function interactionRoutes(
  auth: Auth,
  interactions: Interactions,
  challenge: string,
  clock: Pick<Clock, 'now'>,
): readonly BoundRoute[] {
  /** @throws FrameworkError unless the caller is the first-party session of this account */
  async function requireAccount(
    headers: IncomingHttpHeaders,
    request: ProvedRequest,
    userId: string,
  ): Promise<void> {
    const proves = headers['dpop'] !== undefined && headers.authorization === undefined;
    const caller = proves
      ? await authenticateProof(auth, headers, request)
      : auth.authenticator.authenticate(headers);
    if (!caller.ok) throw new FrameworkError(401, caller.message, { 'www-authenticate': challenge });
    if (caller.principal.kind === 'oauth_grant') throw new FrameworkError(403, AUTH_MESSAGES.grantFirstParty);
    if (sessionOf(caller.principal).userId !== userId) throw new FrameworkError(403, OTHER_ACCOUNT);
  }

  async function open(uid: string): Promise<OpenInteraction> {
    const found = await interactions.read(uid);
    if (!found.ok) throw interactionRefusal(found.error);
    return found.value;
  }

  const pathOf = (uid: string, action = '') => `/interaction/${encodeURIComponent(uid)}${action}`;

  const goTo = (address: string) => ({
    headers: { 'cache-control': 'no-store', ...withNonce(auth.proofs) },
    body: { returnTo: address },
  });

  return [
    bind(readInteraction, async ({ params, headers }) => {
      const found = await open(params.uid);
      const { userId } = found.interaction;
      if (userId !== null) await requireAccount(headers, { method: 'GET', path: pathOf(params.uid) }, userId);
      const own = { 'cache-control': 'no-store', ...withNonce(auth.proofs) };
      const account = userId === null ? undefined : auth.users.byId(userId);
      return { headers: own, body: presentInteraction(found, account) };
    }),

    bind(loginInteraction, async (call) => {
      const { params, body, headers, ip } = call;
      await open(params.uid);
      const request = { method: 'POST', path: pathOf(params.uid, '/login') };
      const thumbprint = await provedKey(auth.proofs, headers, request);
      // The session ends soon after the interaction, because its key exists only in the page's memory and is lost
      // with it.
      const key =
        thumbprint === null ? null : { thumbprint, lifeSeconds: INTERACTION_SECONDS + AFTERWARDS_SECONDS };
      const device = { userAgent: headers['user-agent'] ?? null, ip, key };
      const { session } = await signInWith(auth, body, device, call);
      const bound = await interactions.bind(params.uid, session.userId);
      if (!bound.ok) {
        // The session opened by this sign-in is not used by anybody, so it is ended here.
        const origin = { method: 'session', client: device.userAgent, ip } as const;
        await auth.sessions.end(session.userId, session.id, {
          audit: [auth.audit.entry(session.userId, 'session.ended', session.id, origin)],
        });
        throw interactionRefusal(bound.error);
      }
      const reply = goTo(bound.value);
      const cookie =
        key === null
          ? auth.cookies.issue(session.id)
          : auth.cookies.issueForInteraction(encodeURIComponent(params.uid), session.id);
      return { ...reply, headers: { ...reply.headers, 'set-cookie': cookie } };
    }),

    bind(confirmInteraction, async (call) => {
      const { params, body } = call;
      const mandate =
        body.mandate === undefined ? null : checkedMandate(auth, call.principal, body.mandate, clock.now());
      const consent = {
        scopes: body.scopes,
        mandate,
        asProposed: body.asProposed === true,
        replaces: body.replaces?.toLowerCase() ?? null,
        continueBudget: body.continueBudget,
      };
      const confirmed = await interactions.confirm(
        params.uid,
        sessionOf(call.principal),
        consent,
        originOf(call),
      );
      if (!confirmed.ok) throw interactionRefusal(confirmed.error);
      return goTo(confirmed.value);
    }),

    bind(abortInteraction, async (call) => {
      const { params } = call;
      const { userId } = sessionOf(call.principal);
      const aborted = await interactions.abort(params.uid, userId, originOf(call));
      if (!aborted.ok) throw interactionRefusal(aborted.error);
      return goTo(aborted.value);
    }),
  ];
}
