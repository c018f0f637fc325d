/** What the consent page calls. The rules are in `oauth/interactions.ts`; a first-party session is asked for here. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Auth } from '../../auth/auth.ts';
import { AUTH_MESSAGES } from '../../contract/errors.ts';
import {
  abortInteraction,
  confirmInteraction,
  type InteractionBody,
  loginInteraction,
  readInteraction,
} from '../../contract/oauth.ts';
import type { InteractionError, Interactions, OpenInteraction } from '../../oauth/interactions.ts';
import { type BoundRoute, type BusinessError, bind, FrameworkError } from '../handler.ts';
import { iso } from '../present/time.ts';
import { originOf } from './origin.ts';
import { notSaved } from './refusals.ts';
import { sessionOf } from './session-principal.ts';
import { deviceOf, signInWith } from './sign-in.ts';

const OTHER_ACCOUNT = 'Session does not match this interaction';

function refusal(error: InteractionError): FrameworkError | BusinessError {
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
    case 'store':
      return notSaved(error.error);
  }
}

function presentInteraction({ interaction, client }: OpenInteraction): InteractionBody {
  return {
    uid: interaction.uid,
    prompt: {
      name: interaction.prompt === 'LOGIN' ? 'login' : 'consent',
      details: { scopes: [...interaction.scopes], expiresAt: iso(interaction.expiresAt) },
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
): readonly BoundRoute[] {
  /** @throws FrameworkError unless the caller is the first-party session of this account */
  function requireAccount(headers: IncomingHttpHeaders, userId: string): void {
    const caller = auth.authenticator.authenticate(headers);
    if (!caller.ok) throw new FrameworkError(401, caller.message, { 'www-authenticate': challenge });
    if (caller.principal.kind === 'oauth_grant') throw new FrameworkError(403, AUTH_MESSAGES.grantFirstParty);
    if (sessionOf(caller.principal).userId !== userId) throw new FrameworkError(403, OTHER_ACCOUNT);
  }

  async function open(uid: string): Promise<OpenInteraction> {
    const found = await interactions.read(uid);
    if (!found.ok) throw refusal(found.error);
    return found.value;
  }

  const goTo = (address: string) => ({
    headers: { 'cache-control': 'no-store' },
    body: { returnTo: address },
  });

  return [
    bind(readInteraction, async ({ params, headers }) => {
      const found = await open(params.uid);
      if (found.interaction.userId !== null) requireAccount(headers, found.interaction.userId);
      return { headers: { 'cache-control': 'no-store' }, body: presentInteraction(found) };
    }),

    bind(loginInteraction, async (call) => {
      const { params } = call;
      await open(params.uid);
      const { session } = await signInWith(auth, call.body, call);
      const bound = await interactions.bind(params.uid, session.userId);
      if (!bound.ok) {
        // Nobody gets the session that this sign-in opened.
        const { userAgent, ip } = deviceOf(call);
        const origin = { method: 'session', client: userAgent, ip } as const;
        await auth.sessions.end(session.userId, session.id, {
          audit: [auth.audit.entry(session.userId, 'session.ended', session.id, origin)],
        });
        throw refusal(bound.error);
      }
      const reply = goTo(bound.value);
      return { ...reply, headers: { ...reply.headers, 'set-cookie': auth.cookies.issue(session.id) } };
    }),

    bind(confirmInteraction, async (call) => {
      const { params, body } = call;
      const { userId } = sessionOf(call.principal);
      const confirmed = await interactions.confirm(params.uid, userId, body.scopes, originOf(call));
      if (!confirmed.ok) throw refusal(confirmed.error);
      return goTo(confirmed.value);
    }),

    bind(abortInteraction, async (call) => {
      const { params } = call;
      const { userId } = sessionOf(call.principal);
      const aborted = await interactions.abort(params.uid, userId, originOf(call));
      if (!aborted.ok) throw refusal(aborted.error);
      return goTo(aborted.value);
    }),
  ];
}
