/** Arming of live trade accounts: who may open on them, and how much. */
import { z } from 'zod';
import { DOCS, decimal, idParams, instrumentId, isoTime, positiveDecimalInput, uuid } from './common.ts';
import { routesWith } from './route.ts';

const MAX_INSTRUMENTS = 500;

export const arming = z
  .strictObject({
    tradeAccountId: uuid,
    armed: z.boolean().register(DOCS, {
      description:
        'false: nothing can be opened. So is every new live account, and one whose credentials now name another account at the venue',
    }),
    armedAt: isoTime.nullable(),
    perOrderUsd: decimal.meta({ description: 'Maximum notional of one order' }),
    totalUsd: decimal.meta({
      description:
        'Maximum open notional of the account, each basket for itself, with what is in no basket and what is in flight',
    }),
    dayLossUsd: decimal.nullable().meta({
      description: 'Loss of a UTC day after which nothing is opened until the next; null: no limit',
    }),
    instruments: z
      .array(instrumentId)
      .nullable()
      .register(DOCS, { description: 'Instruments that may be opened; null: all' }),
    allow: z
      .strictObject({ apiKeys: z.boolean(), grants: z.boolean() })
      .register(DOCS, { description: "Who may open besides the owner's sessions" }),
    programsReadCredentials: z.boolean().nullable().register(DOCS, {
      description:
        'Whether API keys and OAuth grants may read the venue credentials; null: never chosen, which means yes',
    }),
    firstOrderConfirmedAt: isoTime.nullable().register(DOCS, {
      description: 'When the owner has confirmed the summary of the first live order',
    }),
  })
  .register(DOCS, { id: 'Arming', description: 'Limits of a live account. What closes is never limited' });
export type ArmingBody = z.infer<typeof arming>;

const KEPT = 'Left out: as it was';

const armBody = z
  .strictObject({
    alias: z.string().register(DOCS, {
      description:
        "The account's alias as its owner types it: nobody arms another account than the one meant",
    }),
    armed: z.boolean().default(true).register(DOCS, {
      description: 'false: the settings are kept and the account is not armed, or not any more',
    }),
    perOrderUsd: positiveDecimalInput,
    totalUsd: positiveDecimalInput,
    dayLossUsd: positiveDecimalInput.nullable().optional().meta({ description: KEPT }),
    instruments: z
      .array(instrumentId)
      .min(1)
      .max(MAX_INSTRUMENTS)
      .nullable()
      .optional()
      .register(DOCS, { description: KEPT }),
    allow: z
      .strictObject({ apiKeys: z.boolean().optional(), grants: z.boolean().optional() })
      .optional()
      .register(DOCS, { description: `${KEPT}; at first neither` }),
    programsReadCredentials: z.boolean().optional().register(DOCS, { description: KEPT }),
    firstOrderConfirmed: z.literal(true).optional().register(DOCS, {
      description: 'The owner has seen and confirmed the summary of the first live order',
    }),
  })
  .register(DOCS, {
    id: 'Arm',
    example: { alias: 'Main', perOrderUsd: '100', totalUsd: '500', allow: { apiKeys: true } },
  });

const PAPER = 'A paper account is never limited and answers 409 `NOOP_ERROR`.';
const shared = {
  tag: 'Trade accounts',
  path: '/trade-accounts/:id/arming',
  params: idParams,
} as const;
const armingRoute = routesWith({ ...shared, success: { 200: arming } });

export const readArming = armingRoute({
  method: 'GET',
  auth: 'K',
  summary: 'Whether a live account is armed, and its limits',
  description: `A live account that was never armed answers with the proposed caps. ${PAPER}`,
  errors: ['RESOURCE_NOT_FOUND', 'NOOP_ERROR'],
});

export const armAccount = armingRoute({
  method: 'PUT',
  auth: 'B',
  summary: 'Arm a live account, or change its limits',
  description: `For the owner, signed in: API keys and OAuth grants get 403. Until it is armed a live account only closes, and what would open answers 409 \`ACCOUNT_NOT_ARMED\`; for API keys and grants 403 \`CALLER_NOT_ALLOWED\` unless \`allow\` names them. More than the caps answers 409 \`CAP_EXCEEDED\`, or ends the execution with that code. ${PAPER}`,
  body: armBody,
  errors: ['RESOURCE_NOT_FOUND', 'NOOP_ERROR'],
});

export const disarmAccount = armingRoute({
  method: 'DELETE',
  auth: 'K',
  summary: 'Disarm a live account: nothing is opened on it any more',
  description: `Whoever may trade the account may disarm it, and only its owner arms it again. Positions, their brackets and what closes stay; triggers and schedules that would open end when they are due. The limits stay for the next time. ${PAPER}`,
  errors: ['RESOURCE_NOT_FOUND', 'NOOP_ERROR'],
});

/** Limits of a live account, for a person who decides about an agent or a program there. */
export const accountCaps = z
  .strictObject({
    opens: z.boolean().register(DOCS, {
      description: 'Whether it is armed for whoever is decided about: if not, nothing of theirs is opened',
    }),
    perOrderUsd: decimal.meta({ description: 'Largest notional of one order' }),
    totalUsd: decimal.meta({ description: 'Largest open notional of the account' }),
  })
  .register(DOCS, { id: 'AccountCaps' });
export type AccountCapsBody = z.infer<typeof accountCaps>;
