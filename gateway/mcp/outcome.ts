/**
 * Outcome of an order or request, in one of twelve words that cannot be misread. `outcomeText` repeats all of it, for
 * clients that show the text alone.
 */
import { z } from 'zod';
import { SIDES } from '../domain/enumerations.ts';
import { brokenLimit } from './fault.ts';
import { accountOut, nullableText } from './fields.ts';
import { limitLine } from './say.ts';

export const OUTCOMES = [
  'NOTHING_ORDERED',
  'WAITING_FOR_USER',
  'ACCEPTED_NOT_FILLED',
  'RESTING',
  'FILLED',
  'PARTLY_FILLED',
  'FAILED_NOTHING_TRADED',
  'FAILED_PARTLY_TRADED',
  'CANCELLED',
  'DENIED',
  'EXPIRED',
  'UNKNOWN',
] as const;
export type OutcomeName = (typeof OUTCOMES)[number];

const quantity = z.string().describe('Base units');

const outcomeLeg = z.object({
  instrument: z.string(),
  side: z.enum(SIDES),
  asked: z.string().describe('For example "500 USD" or "0.01 base units"'),
  filled_base: quantity,
  average_price_usd: nullableText,
  problem: nullableText,
});

export const outcomeOut = z.object({
  outcome: z.enum(OUTCOMES),
  money_moved: z.enum(['yes', 'no', 'not_known']),
  kind: z.enum([
    'execution',
    'trigger',
    'alert',
    'schedule',
    'ladder',
    'order',
    'position',
    'approval',
    'preview',
    'change',
    'none',
  ]),
  id: nullableText.describe('Of what was ordered; get_status and cancel take it'),
  account: accountOut.nullable(),
  asked: z.string().describe('What was asked for, in words'),
  legs: z.array(outcomeLeg),
  held_now: z
    .array(z.object({ instrument: z.string(), side: z.enum(SIDES), quantity_base: quantity }))
    .nullable()
    .describe('What the position holds after it; null: it is not known, or there is no position'),
  position_id: nullableText,
  reason: nullableText.describe('Why it did not go as asked'),
  untrusted_text: nullableText.describe('Words of the venue'),
  limits: z.array(brokenLimit).describe('Limits that it would break'),
  approval: z.object({ id: z.string(), expires_at: nullableText }).nullable(),
  placed_by: nullableText.describe('you, another agent, the user'),
  next: z.string().describe('What to do now'),
});
export type Outcome = z.input<typeof outcomeOut>;

/** First words of the text, and the next step. */
const WORDS: Readonly<Record<OutcomeName, { readonly says: string; readonly next: string }>> = {
  NOTHING_ORDERED: {
    says: 'NOTHING WAS ORDERED.',
    next: 'Read the reason, correct the request and make a new preview, or tell the user.',
  },
  WAITING_FOR_USER: {
    says: 'NOT ORDERED YET: it waits for the user to approve it.',
    next: 'Tell the user that a request waits in Tandem (dashboard or app, under Agents), then call wait_for with the approval id. You cannot approve it.',
  },
  ACCEPTED_NOT_FILLED: {
    says: 'ACCEPTED, NOT FILLED YET: it is on its way.',
    next: 'Call wait_for with this id. Do not send it again.',
  },
  RESTING: {
    says: 'RESTING: it waits for its moment.',
    next: 'Nothing needs to be done. get_status tells when that changes, cancel ends it.',
  },
  FILLED: { says: 'FILLED: all of it was traded.', next: 'Nothing needs to be done.' },
  PARTLY_FILLED: {
    says: 'PARTLY FILLED: a part was traded.',
    next: 'Look at the legs and at list_positions before you order more.',
  },
  FAILED_NOTHING_TRADED: {
    says: 'FAILED: nothing was traded.',
    next: 'Read the reason. A new attempt needs a new preview.',
  },
  FAILED_PARTLY_TRADED: {
    says: 'FAILED AFTER A PART WAS TRADED: the basket may be one-sided.',
    next: 'Tell the user what is held now. Look at list_positions, then close or complete it with preview_change.',
  },
  CANCELLED: { says: 'CANCELLED.', next: 'Nothing needs to be done.' },
  DENIED: {
    says: 'DENIED by the user: nothing was ordered.',
    next: 'Do not ask for the same again. Ask the user what they want.',
  },
  EXPIRED: {
    says: 'EXPIRED: nothing was ordered after its time was over.',
    next: 'If it is still wanted, make a new preview.',
  },
  UNKNOWN: {
    says: 'UNKNOWN: nobody can say yet whether it was traded.',
    next: 'Do not send it again. Call get_status with this id until it is known, and tell the user.',
  },
};

type Told = Pick<Outcome, 'outcome' | 'money_moved' | 'kind'> &
  Partial<Omit<Outcome, 'outcome' | 'money_moved' | 'kind'>>;

/** Fills in missing fields. */
export function outcomeOf(told: Told): Outcome {
  return {
    id: null,
    account: null,
    asked: '',
    legs: [],
    held_now: null,
    position_id: null,
    reason: null,
    untrusted_text: null,
    limits: [],
    approval: null,
    placed_by: null,
    next: WORDS[told.outcome].next,
    ...told,
  };
}

const MOVED: Readonly<Record<Outcome['money_moved'], string>> = {
  yes: 'Money moved: yes.',
  no: 'Money moved: no.',
  not_known: 'Money moved: not known.',
};

const POSITION_SAYS =
  'A POSITION: what is held now. get_status of an order’s own id tells what became of it.';

export function outcomeText(outcome: Outcome): string {
  const { account, asked, legs, held_now: held, reason, untrusted_text, approval, id, kind } = outcome;
  const lines = [
    // A position is the result of many orders, and says nothing of the last one.
    kind === 'position' ? POSITION_SAYS : `${WORDS[outcome.outcome].says} ${MOVED[outcome.money_moved]}`,
    ...(account === null ? [] : [`Account ${account.id} on ${account.venue}: ${account.money}.`]),
    ...(asked === '' ? [] : [`Asked for: ${asked}`]),
    ...legs.map(legLine),
    ...heldLines(outcome.outcome, held),
    ...(reason === null ? [] : [`Reason: ${reason}`]),
    ...(untrusted_text === null ? [] : [`untrusted_text: ${JSON.stringify(untrusted_text)}`]),
    ...outcome.limits.map(limitLine),
    ...(approval === null
      ? []
      : [`Approval ${approval.id}${approval.expires_at === null ? '' : `, until ${approval.expires_at}`}.`]),
    ...(id === null ? [] : [`Id: ${id} (${kind})`]),
    `Next: ${outcome.next}`,
  ];
  return lines.join('\n');
}

function legLine({
  instrument,
  side,
  asked,
  filled_base,
  average_price_usd,
  problem,
}: Outcome['legs'][number]): string {
  const filled =
    filled_base === '0'
      ? 'filled NOTHING'
      : `filled ${filled_base} base units${average_price_usd === null ? '' : ` at ${average_price_usd} USD`}`;
  return `- ${instrument} ${side}: asked ${asked}, ${filled}${problem === null ? '' : ` (${problem})`}`;
}

function heldLines(outcome: OutcomeName, held: Outcome['held_now']): readonly string[] {
  if (held === null) return outcome === 'FAILED_PARTLY_TRADED' ? ['Held now: look at list_positions.'] : [];
  if (held.length === 0) return ['Held now: nothing of this position.'];
  return [
    `Held now: ${held.map((leg) => `${leg.side === 'BUY' ? 'long' : 'short'} ${leg.quantity_base} ${leg.instrument}`).join(', ')}.`,
  ];
}
