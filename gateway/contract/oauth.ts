/** Routes that the consent page calls, and routes for the user's connected agents; both follow the usual API rules. */
import { z } from 'zod';
import { accountCaps } from './account-limits.ts';
import { loginBody } from './auth.ts';
import { DOCS, idParams, isoTime, uuid } from './common.ts';
import { mandate, mandateProposal } from './mandate.ts';
import { PRESET_NAMES } from './mandate-presets.ts';
import { routesWith } from './route.ts';

const TAG = 'OAuth';

/** The uid's shape is not checked: any text that is not the uid of an open interaction is a 404. */
const uidParams = z.object({
  uid: z.string().register(DOCS, { description: 'From the address of the consent page' }),
});

export const interaction = z
  .strictObject({
    uid: z.string(),
    prompt: z.strictObject({
      name: z.enum(['login', 'consent']),
      details: z.strictObject({
        scopes: z.array(z.string()).register(DOCS, { description: 'What the client asks for' }),
        expiresAt: isoTime.meta({ description: 'End of the interaction' }),
        account: z
          .strictObject({ email: z.string().nullable(), walletAddress: z.string().nullable() })
          .optional()
          .register(DOCS, { description: 'Who has signed in, once `name` is `consent`' }),
      }),
    }),
    params: z.strictObject({
      client_id: z.string(),
      redirect_uri: z.string(),
      state: z.string().optional(),
      scope: z.string(),
    }),
    client: z.strictObject({
      clientId: z.string(),
      clientName: z
        .string()
        .register(DOCS, { description: 'As the client calls itself, not verified; default its id' }),
      redirectUris: z.array(z.string()),
    }),
  })
  .register(DOCS, { id: 'OAuthInteraction' });
export type InteractionBody = z.infer<typeof interaction>;

const returnTo = z
  .strictObject({ returnTo: z.string().register(DOCS, { description: 'Where the browser goes next' }) })
  .register(DOCS, { id: 'ReturnTo' });

const openRoute = routesWith({ auth: 'P', tag: TAG, params: uidParams, refusals: [401, 403, 404] });

export const readInteraction = openRoute({
  method: 'GET',
  path: '/interaction/:uid',
  summary: 'What a client asks for',
  description:
    'Readable by everyone who has the uid while `prompt.name` is `login`; afterwards by a session of the account that signed in only: with its cookie or a bearer, or with a proof of the key that it is bound to (header `DPoP`). Every answer has a nonce for the next proof (`DPoP-Nonce`).',
  success: { 200: interaction },
});

export const loginInteraction = openRoute({
  method: 'POST',
  path: '/interaction/:uid/login',
  summary: 'Sign in on the consent page',
  description:
    'The session comes as the cookie `tandem_session`; the body holds no tokens. With a proof of a key (header `DPoP`) the session is bound to that key for ten minutes, and what comes as a cookie, `tandem_interaction` on the path of this interaction, opens nothing without it.',
  body: loginBody,
  success: { 200: returnTo },
  errors: ['RESOURCE_BUSY'],
});

const ownRoute = routesWith({ auth: 'B', firstParty: true, tag: TAG });

const asProposed = z.literal(true).optional().register(DOCS, {
  description: 'The mandate is what the client proposed, or less: 400 if it allows more',
});

export const interactionTerms = z
  .strictObject({
    accounts: z.array(
      z.strictObject({
        id: uuid,
        alias: z.string(),
        money: z.enum(['PAPER', 'TESTNET', 'LIVE']),
        venue: z.string().register(DOCS, { description: 'Name of the venue' }),
        caps: accountCaps.nullable().register(DOCS, {
          description: 'Of a live account: what it is armed for, for agents; null: play money',
        }),
      }),
    ),
    presets: z.array(
      z.strictObject({
        name: z.enum(PRESET_NAMES),
        title: z.string(),
        mandate,
        sentences: z.array(z.string()),
      }),
    ),
    proposal: z
      .strictObject({ asked: mandateProposal, mandate, sentences: z.array(z.string()) })
      .nullable()
      .register(DOCS, {
        description: 'What the client proposed as `authorization_details`; null: nothing',
      }),
    continues: z
      .array(z.strictObject({ id: uuid, connectedAt: isoTime, active: z.boolean() }))
      .register(DOCS, {
        description:
          'Earlier grants of a client of this name: their last 24 hours count unless told otherwise',
      }),
    full: z
      .boolean()
      .register(DOCS, { description: 'The most agents are connected: one has to be replaced' }),
    connected: z.array(
      z.strictObject({
        id: uuid,
        name: z.string(),
        connectedAt: isoTime,
        lastSeenAt: isoTime.nullable(),
      }),
    ),
  })
  .register(DOCS, { id: 'InteractionTerms' });
export type InteractionTermsBody = z.infer<typeof interactionTerms>;

const decidingRoute = routesWith({ auth: 'B', firstParty: true, byProof: true, tag: TAG, params: uidParams });

export const readInteractionTerms = decidingRoute({
  method: 'GET',
  path: '/interaction/:uid/terms',
  summary: 'What the user can choose from on the consent page',
  success: { 200: interactionTerms },
  refusals: [400, 404],
});

export const sayInteractionTerms = decidingRoute({
  method: 'POST',
  path: '/interaction/:uid/terms',
  summary: 'What a mandate means, in sentences; nothing is kept',
  body: z.strictObject({ mandate, asProposed }),
  success: {
    200: z.strictObject({ mandate, sentences: z.array(z.string()) }).register(DOCS, { id: 'SaidMandate' }),
  },
  refusals: [400, 404],
});

export const confirmInteraction = decidingRoute({
  method: 'POST',
  path: '/interaction/:uid/confirm',
  summary: 'Allow the client',
  description:
    'The grant gets the submitted scopes that were requested, and without `mandate` no limits beside them. `returnTo` is the client with `code` and `state`. 403 while the user has 10 connected agents, unless `replaces` names one, which is disconnected in the same step.',
  body: z.strictObject({
    scopes: z.array(z.string().max(64)).max(16),
    mandate: mandate.optional().meta({ description: 'What the agent may do with money; none: no limits' }),
    asProposed,
    replaces: uuid.optional().meta({ description: 'A connected agent that this one takes the place of' }),
    continueBudget: z.boolean().default(true).register(DOCS, {
      description: 'Whether the last 24 hours of earlier grants of a client of this name count as its own',
    }),
  }),
  success: { 200: returnTo },
  refusals: [400, 404],
});

export const abortInteraction = ownRoute({
  method: 'POST',
  path: '/interaction/:uid/abort',
  byProof: true,
  summary: 'Refuse the client',
  description: '`returnTo` is the client with `error=access_denied`, `error_description` and `state`.',
  params: uidParams,
  success: { 200: returnTo },
  refusals: [404],
});

export const listGrants = ownRoute({
  method: 'GET',
  path: '/oauth2/grants',
  summary: 'Connected agents, newest first',
  success: {
    200: z.strictObject({
      grants: z.array(
        z
          .strictObject({
            id: uuid,
            name: z.string().register(DOCS, { description: "The client's name, else its id" }),
            scopes: z.array(z.string()),
            connectedAt: isoTime.meta({ description: 'Time of consent' }),
          })
          .register(DOCS, { id: 'OAuthGrant' }),
      ),
    }),
  },
});

const count = z.int().nonnegative();

export const grantWaiting = ownRoute({
  method: 'GET',
  path: '/oauth2/grants/:id/waiting',
  summary: 'What disconnecting an agent would cancel',
  description:
    'Placed by it, not ended yet, and able to open or enlarge something. Rungs count with their ladder.',
  params: idParams,
  success: {
    200: z
      .strictObject({
        triggers: count,
        ladders: count,
        schedules: count,
        autoRebalances: count.meta({ description: 'Those that trade' }),
      })
      .register(DOCS, { id: 'LeftWaiting' }),
  },
  refusals: [404],
});

export const revokeGrant = ownRoute({
  method: 'DELETE',
  path: '/oauth2/grants/:id',
  summary: 'Disconnect an agent',
  description:
    'Its access token is refused from its next request on. What it placed that waits and could open or enlarge something (triggers that open, ladders, opening schedules, automatic rebalances that trade) is cancelled, and answered for once it is; from the revocation on nothing of it opens, also after a crash in between. Take-profits, stop-losses and whatever else closes stay. With `leftWaiting=keep` all of it waits on. `POST /revoke` by the agent, and the end of a grant whose token was used twice, are like the default.',
  params: idParams,
  query: z.object({
    leftWaiting: z
      .enum(['cancel', 'keep'])
      .default('cancel')
      .register(DOCS, { description: 'What becomes of what it left waiting' }),
  }),
  success: { 204: null },
  refusals: [404],
});
