/** Approvals: orders of agents and programs that wait for their user. */
import { z } from 'zod';
import {
  ACCOUNT_MODES,
  APPROVAL_REASONS,
  APPROVAL_STATUSES,
  MANDATE_KINDS,
  NETWORKS,
} from '../domain/enumerations.ts';
import { accountCaps } from './account-limits.ts';
import { protection } from './brackets.ts';
import { DOCS, decimal, idParams, instrumentId, isoTime, marginMode, side, uuid } from './common.ts';
import { nextCursor, pageQuery } from './cursor.ts';
import { COUNTED_AT } from './mandate-words.ts';
import { routesWith } from './route.ts';

const TAG = 'Approvals';

const approvalStatus = z.enum(APPROVAL_STATUSES).register(DOCS, { id: 'ApprovalStatus' });

const mandateKind = z.enum(MANDATE_KINDS);

const approvalReason = z.enum(APPROVAL_REASONS);

const approvalLeg = z
  .strictObject({
    symbol: instrumentId,
    side,
    quantity: decimal.nullable().meta({ description: 'Base units; null: sized later' }),
    mark: decimal.nullable().meta({ description: 'Mark price that these figures were made at' }),
    markNow: decimal.nullable().meta({ description: 'Mark price at this moment' }),
    leverage: z.int().positive().nullable().register(DOCS, {
      description:
        'Of the account in this instrument when these figures were made. Part of `planHash`: after a change of it the figures have to be looked at again. null: the instrument is not listed',
    }),
    marginMode: marginMode.nullable().meta({ description: 'The same of it' }),
    worstPrice: decimal.nullable().meta({ description: 'No order leaves at a worse one' }),
    worstUsd: decimal.meta({ description: `What it counts as for the limits: ${COUNTED_AT}` }),
    feeUsd: decimal,
    reduces: z
      .boolean()
      .register(DOCS, { description: 'It takes out of what is held, and counts against no limit' }),
  })
  .register(DOCS, { id: 'ApprovalLeg' });

const plan = z
  .strictObject({
    at: isoTime,
    legs: z.array(approvalLeg),
    worstUsd: decimal.meta({ description: `What the legs that open count as: ${COUNTED_AT}` }),
    feeUsd: decimal,
    exposureBeforeUsd: decimal.meta({ description: "Gross notional of the account's positions" }),
    exposureAfterUsd: decimal.meta({ description: 'The same with `worstUsd` of this order' }),
    loosens: z
      .array(z.string())
      .register(DOCS, { description: 'Protection of a position that would be lost, in words' }),
  })
  .register(DOCS, { id: 'ApprovalPlan' });

const common = {
  id: uuid,
  status: approvalStatus,
  kind: mandateKind,
  route: z.string().register(DOCS, { description: 'The route that was called: `POST /trade/open`' }),
  plan,
  createdAt: isoTime,
  expiresAt: isoTime,
  decidedAt: isoTime.nullable(),
  withdrawnBecause: z.string().nullable(),
  madeId: uuid.nullable().register(DOCS, {
    description: 'What the approved order became: an execution, or what waits on the gateway',
  }),
};

export const approval = z
  .strictObject({
    ...common,
    asker: z.strictObject({
      kind: z.enum(['oauth_grant', 'api_key']),
      id: uuid,
      name: z.string().register(DOCS, { description: 'What it calls itself: not verified' }),
    }),
    account: z.strictObject({
      id: uuid,
      alias: z.string().nullable().register(DOCS, { description: 'null: the account was removed' }),
      connector: z.string(),
      mode: z.enum(ACCOUNT_MODES),
      network: z.enum(NETWORKS).nullable(),
      venue: z.string().register(DOCS, { description: 'Name of the venue' }),
      caps: accountCaps.nullable().register(DOCS, {
        description:
          'Of a live account: what it is armed for, for whoever asks; null: play money, or removed',
      }),
    }),
    terms: z
      .array(z.strictObject({ name: z.string(), value: z.string() }))
      .register(DOCS, { description: 'All else that was asked for, in words' }),
    protection: protection.meta({
      description:
        'Of the position once it is approved, at the marks of now; empty: none, decided already, or no order that opens, adds or sets brackets and is sized now',
    }),
    reasons: z.array(approvalReason),
    aboveUsd: decimal.nullable().meta({ description: 'Size up to which it may order by itself' }),
    says: z.string().nullable().register(DOCS, {
      description: 'Why it wants this, in its own words: text of a stranger',
    }),
    planHash: z.string().register(DOCS, {
      description: 'Of exactly these figures: who approves sends it back',
    }),
    driftBps: z.int().register(DOCS, {
      description: 'How far a mark may move until the figures have to be looked at again, basis points',
    }),
    needsPassword: z.boolean().register(DOCS, {
      description: 'Whether this session has to send the password along to approve',
    }),
    updatedAt: isoTime,
    decidedBy: z.enum(['this session', 'another session']).nullable(),
  })
  .register(DOCS, { id: 'Approval' });
export type ApprovalBody = z.infer<typeof approval>;

const askedApproval = z
  .strictObject({ ...common, tradeAccountId: uuid })
  .register(DOCS, { id: 'AskedApproval', description: 'An approval as whoever asked for it sees it' });

const decisionRoute = routesWith({ auth: 'B', firstParty: true, tag: TAG });

export const listApprovals = decisionRoute({
  method: 'GET',
  path: '/approvals',
  summary: 'Orders that were asked about: those that wait first, then the newest',
  query: z.object(pageQuery(100, 20)),
  success: {
    200: z.strictObject({
      approvals: z.array(approval),
      waiting: z.int().register(DOCS, { description: 'How many wait, on all pages' }),
      nextCursor,
    }),
  },
});

export const readApproval = decisionRoute({
  method: 'GET',
  path: '/approvals/:id',
  summary: 'One order that was asked about, with the prices of now',
  params: idParams,
  success: { 200: approval },
  errors: ['RESOURCE_NOT_FOUND'],
});

export const approveApproval = decisionRoute({
  method: 'POST',
  path: '/approvals/:id/approve',
  summary: 'Approve an order: it is placed as whoever asked for it would place it now',
  description:
    "For the user, signed in: never an API key or a grant. The order is sized again and never leaves at a worse price than was shown; the limits of its mandate, the trading pause and the account's caps bind as they are now. 409 `RESOURCE_BUSY` says in `details.reason` why nothing was placed: `PLAN_CHANGED` (other figures were shown, it would trade more by now, or `details.changed` names what has changed since: `leverage` (or margin mode), `accountMode`, `held`, `protection`, `rebalance`, `changes` (the waiting order that it changes)), `PRICE_MOVED` or `MANDATE_CHANGED`: there are new figures, read it again; `NOT_NOW` (what refuses it is beside it; it waits on). 409 `NOOP_ERROR`: it is decided already, has expired or was withdrawn. The password is needed where `needsPassword` says so.",
  params: idParams,
  body: z
    .strictObject({
      planHash: z.string().regex(/^[0-9a-f]{64}$/, 'Expected the planHash that was shown'),
      password: z.string().min(1).max(1_024).optional(),
    })
    .register(DOCS, {
      id: 'Approve',
      example: { planHash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' },
    }),
  success: { 200: approval },
  errors: ['RESOURCE_NOT_FOUND', 'RESOURCE_BUSY', 'NOOP_ERROR'],
});

export const denyApproval = decisionRoute({
  method: 'POST',
  path: '/approvals/:id/deny',
  summary: 'Deny an order: nothing is placed',
  params: idParams,
  success: { 200: approval },
  errors: ['RESOURCE_NOT_FOUND', 'NOOP_ERROR'],
});

const ownRoute = routesWith({ auth: 'K', tag: TAG, path: '/approvals/mine/:id', params: idParams });

export const readOwnApproval = ownRoute({
  method: 'GET',
  summary: 'What became of an order that the caller asked for',
  description: 'An API key or a grant reads its own only; what others asked for is 404.',
  success: { 200: askedApproval },
  errors: ['RESOURCE_NOT_FOUND'],
});

export const withdrawApproval = ownRoute({
  method: 'DELETE',
  summary: 'Take back an order that waits for the user',
  description: 'For the API key or the grant that asked for it; the user denies.',
  success: { 200: askedApproval },
  errors: ['RESOURCE_NOT_FOUND', 'NOOP_ERROR'],
});
