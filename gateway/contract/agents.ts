/** Agents (OAuth grants) and API keys with a mandate: what each may do, what it used, and whether it is suspended. */
import { z } from 'zod';
import { SIDES } from '../domain/enumerations.ts';
import { DOCS, decimal, isoTime, pathId, uuid } from './common.ts';
import { houseLimits, mandate } from './mandate.ts';
import { nameInput } from './plain-text.ts';
import { routesWith } from './route.ts';

const TAG = 'Agents';
const count = z.int().nonnegative();

export const mandateUsage = z
  .strictObject({
    openedUsd24h: decimal.meta({
      description: 'Counts as opened in the last 24 hours, reserved amounts included: see `opened`',
    }),
    opened: z
      .strictObject({
        filledUsd: decimal.meta({ description: 'Filled by orders that have ended' }),
        reservedUsd: decimal.meta({ description: 'Orders under way, as limits count them' }),
        askedUsd: decimal.meta({
          description: 'Orders that wait for the approval of the user, as limits count them',
        }),
      })
      .register(DOCS, { description: 'What `openedUsd24h` is the sum of' }),
    grossUsd: decimal.meta({ description: 'Counts as held, reserved amounts included: see `gross`' }),
    gross: z
      .strictObject({
        heldUsd: decimal.meta({ description: 'Held, at the prices that it was opened at' }),
        reservedUsd: decimal.meta({ description: 'Orders under way, as limits count them' }),
        waitingUsd: decimal.meta({
          description: 'Triggers, schedules and ladders that wait, as limits count them',
        }),
        askedUsd: decimal.meta({
          description: 'Orders that wait for the approval of the user, as limits count them',
        }),
      })
      .register(DOCS, { description: 'What `grossUsd` is the sum of' }),
    lossUsd24h: decimal.meta({ description: 'Lost in the last 24 hours; below 0: a profit' }),
    positions: count.register(DOCS, {
      description: 'Open, and those that orders under way or asked for would open',
    }),
    positionsHeld: count.register(DOCS, { description: 'Those of them that are open' }),
    resting: count.register(DOCS, { description: 'Orders that wait, and those that were asked for' }),
    restingPlaced: count.register(DOCS, { description: 'Those of them that are placed' }),
    ordersLastMinute: count,
    ordersLastDay: count,
  })
  .register(DOCS, { id: 'MandateUsage', description: 'What counts against the limits now' });
export type MandateUsageBody = z.infer<typeof mandateUsage>;

export const keptMandate = z
  .strictObject({
    version: z.int().positive().register(DOCS, { description: 'Rises by one with each change' }),
    hash: z.string().register(DOCS, {
      description: 'SHA-256, in hex, of the canonical JSON (RFC 8785) of `terms`',
    }),
    since: isoTime,
    terms: mandate,
  })
  .register(DOCS, { id: 'KeptMandate' });
export type KeptMandateBody = z.infer<typeof keptMandate>;

export const suspension = z
  .strictObject({
    reason: z.string(),
    at: isoTime,
    by: z.enum(['USER', 'GATEWAY']).register(DOCS, { description: 'Who stopped it' }),
  })
  .register(DOCS, { id: 'Suspension' });

export const agent = z
  .strictObject({
    id: uuid,
    kind: z.enum(['oauth_grant', 'api_key']),
    name: z.string().register(DOCS, {
      description: 'The label of a key; what a client calls itself, which nobody has verified',
    }),
    scopes: z.array(z.string()).register(DOCS, { description: 'Of a key `read` or `read_write`' }),
    connectedAt: isoTime,
    lastSeenAt: isoTime.nullable().register(DOCS, {
      description: 'Its last request; of a grant after a restart its last refresh',
    }),
    state: z.enum(['READS', 'TRADES', 'ASKS', 'UNLIMITED', 'SUSPENDED', 'ENDED']).register(DOCS, {
      description:
        'What it may do now: only read, trade, trade what a person has approved, trade without limits, nothing that opens (suspended, or `validUntil` is over)',
    }),
    suspended: suspension.nullable(),
    mandate: keptMandate.nullable().register(DOCS, { description: 'null: no limits were set' }),
    usage: mandateUsage
      .nullable()
      .register(DOCS, { description: 'null: it has no mandate, or nothing is counted yet' }),
    continues: z.array(uuid).register(DOCS, {
      description: 'Earlier grants whose last 24 hours count as its own too',
    }),
  })
  .register(DOCS, { id: 'Agent' });
export type AgentBody = z.infer<typeof agent>;

const house = z
  .strictObject({
    version: z.int().nonnegative().register(DOCS, { description: '0: never set' }),
    since: isoTime.nullable(),
    limits: houseLimits,
  })
  .register(DOCS, { id: 'HouseLimitsKept' });
export type HouseBody = z.infer<typeof house>;

const ifVersion = z.int().nonnegative().register(DOCS, {
  description: 'The version that the change was made from, 0 for none: another one is a 409',
});
const password = z.string().max(1_024).optional().register(DOCS, {
  description:
    'Needed to allow more than before. Users without a password need a session that is not older than ten minutes',
});

const ownRoute = routesWith({ auth: 'B', firstParty: true, tag: TAG });
const params = z.strictObject({ id: pathId.meta({ description: 'Of a grant or an API key' }) });
const one = routesWith({
  auth: 'B',
  firstParty: true,
  tag: TAG,
  params,
  success: { 200: agent },
});

export const listAgents = ownRoute({
  method: 'GET',
  path: '/agents',
  summary: 'Connected agents and API keys with their mandates, newest first',
  success: { 200: z.strictObject({ agents: z.array(agent), house }) },
});

export const changeMandate = one({
  method: 'PUT',
  path: '/agents/:id/mandate',
  summary: 'Change what an agent or a key may do with money',
  description:
    'What is taken away binds from the moment of the request, what is added once it is on disk. Allowing more needs the password.',
  body: z.strictObject({ mandate, ifVersion, password }).register(DOCS, { id: 'ChangeMandate' }),
  errors: ['RESOURCE_NOT_FOUND', 'RESOURCE_BUSY'],
});

export const suspendAgent = one({
  method: 'POST',
  path: '/agents/:id/suspend',
  summary: 'Suspend an agent or a key: it opens nothing until it is resumed',
  description:
    'Also without a mandate, and across restarts. Closing stays possible. Suspending twice is harmless.',
  body: z.strictObject({
    reason: nameInput(200).optional().register(DOCS, { description: 'Shown to the user' }),
  }),
  bodyRequired: false,
  errors: ['RESOURCE_NOT_FOUND'],
});

export const resumeAgent = one({
  method: 'POST',
  path: '/agents/:id/resume',
  summary: 'Let a suspended agent or key go on within its mandate',
  errors: ['RESOURCE_NOT_FOUND', 'NOOP_ERROR'],
});

const refusedAttempt = z
  .strictObject({
    at: isoTime,
    lastAt: isoTime.meta({ description: 'Of its last repetition' }),
    count: z.int().positive().register(DOCS, {
      description: 'The same attempt within a minute of the one before counts here',
    }),
    route: z.string().register(DOCS, { description: '`POST /trade/open`' }),
    tradeAccountId: uuid.nullable(),
    legs: z.array(z.strictObject({ symbol: z.string(), side: z.enum(SIDES) })),
    message: z.string(),
    limits: z
      .array(
        z.strictObject({
          limit: z.string(),
          allowed: z.string().nullable(),
          used: z.string().nullable(),
          asked: z.string().nullable(),
        }),
      )
      .register(DOCS, { description: 'The limits that it broke; empty: a right that it does not have' }),
    says: z.string().nullable().register(DOCS, {
      description: "Why the agent wanted it, in its own words: a stranger's text",
    }),
    preview: z.boolean().register(DOCS, { description: 'It was only previewed' }),
  })
  .register(DOCS, { id: 'RefusedAttempt' });

export const listRefused = routesWith({ auth: 'B', firstParty: true, tag: TAG, params })({
  method: 'GET',
  path: '/agents/:id/refused',
  summary: 'What the mandate of an agent or a key has refused lately, newest first',
  description: "The last 200 of all of the user's agents and keys together.",
  success: { 200: z.strictObject({ refused: z.array(refusedAttempt) }) },
  errors: ['RESOURCE_NOT_FOUND'],
});

export const pauseAllAgents = ownRoute({
  method: 'POST',
  path: '/agents/pause-all',
  summary: 'Suspend every connected agent, and every API key with a mandate',
  success: {
    200: z.strictObject({
      suspended: z.array(uuid).register(DOCS, { description: 'Those that were not suspended before' }),
    }),
  },
});

export const readHouseLimits = ownRoute({
  method: 'GET',
  path: '/agents/limits',
  summary: 'Limits over all agents and keys with a mandate together',
  success: { 200: house },
});

export const changeHouseLimits = ownRoute({
  method: 'PUT',
  path: '/agents/limits',
  summary: 'Change the limits over all agents together',
  description: 'They bind beside each mandate. Allowing more needs the password.',
  body: z.strictObject({ limits: houseLimits, ifVersion, password }).register(DOCS, {
    id: 'ChangeHouseLimits',
    example: {
      limits: {
        maxOrderUsd: '1000',
        maxOpenedUsd24h: '5000',
        maxGrossUsd: '5000',
        maxPositions: 10,
        maxResting: 20,
        lossUsd24h: '500',
      },
      ifVersion: 0,
    },
  }),
  success: { 200: house },
  errors: ['RESOURCE_BUSY'],
});

export const readOwnMandate = routesWith({ auth: 'K', tag: TAG })({
  method: 'GET',
  path: '/agents/me',
  summary: 'What the caller may do, and what of it is used',
  description:
    'For a grant or an API key. Without a mandate, and for a session, `mandate` is null: no limits are set.',
  success: {
    200: z.strictObject({
      mandate: keptMandate.nullable(),
      suspended: suspension.nullable(),
      usage: mandateUsage.nullable(),
      house: houseLimits.nullable().register(DOCS, {
        description: 'Limits over all agents of the user together; null: none',
      }),
    }),
  },
});
