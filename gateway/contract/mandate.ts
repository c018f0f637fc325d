/** Mandates: permissions in money of an agent (an OAuth grant) or a program (an API key), and limits over all of them. */
import { z } from 'zod';
import { MANDATE_KINDS, type MANDATE_RIGHTS } from '../domain/enumerations.ts';
import { slippage } from './basket-order.ts';
import { DOCS, instrumentId, positiveDecimalInput, timeInput, uuid } from './common.ts';

const MOST_ACCOUNTS = 100;
const MOST_INSTRUMENTS = 500;
const MOST_COUNT = 10_000;
const NO_LIMIT = 'null: not limited';
const COUNTED = 'a purchase counts at its worst allowed price, a sale at its mark';

export const mandateKind = z.enum(MANDATE_KINDS).register(DOCS, {
  id: 'MandateKind',
  description:
    'A way to order: at once, by a trigger, in slices, by a ladder, take-profits and stop-losses, rebalancing, reversal, added margin',
});
export type MandateKindName = z.infer<typeof mandateKind>;

export type MandateRightName = (typeof MANDATE_RIGHTS)[number];

/** A list in which each value stands once, in a fixed order: one text for one set. */
function setOf<const T extends z.ZodType<string | number>>(value: T, least: number, most: number) {
  return z
    .array(value)
    .min(least)
    .max(most)
    .overwrite((list) => [...new Set(list)].sort((a, b) => (a < b ? -1 : 1)));
}

/** Kinds, each once, in the order of `MANDATE_KINDS`. */
const kinds = () =>
  z
    .array(mandateKind)
    .max(2 * MANDATE_KINDS.length)
    .overwrite((list) => MANDATE_KINDS.filter((kind) => list.includes(kind)));

const usd = positiveDecimalInput;
const usdLimit = () => usd.nullable();
const countLimit = () => z.int().min(1).max(MOST_COUNT).nullable();
const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Expected a time of day such as "09:30"');

const isZone = (zone: string) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

const mandateHours = z
  .strictObject({
    zone: z
      .string()
      .max(64)
      .refine(isZone, 'Expected an IANA time zone such as "Europe/Zurich"')
      .register(DOCS, { description: 'IANA time zone', example: 'Europe/Zurich' }),
    days: setOf(z.int().min(1).max(7), 1, 7).register(DOCS, { description: '1 is Monday, 7 Sunday' }),
    from: timeOfDay,
    to: timeOfDay.meta({
      description:
        'Excluded; not after `from`: the hours go on over midnight and belong to the day of `from`',
    }),
  })
  .register(DOCS, { id: 'MandateHours', description: 'When it may open; outside of them it only closes' });

const NEVER_ASKED = 'Expected kinds of orders: margin is allowed or not, and never waits for a person';

const mandateApproval = z
  .strictObject({
    when: z.enum(['never', 'above', 'always']),
    aboveUsd: usdLimit().register(DOCS, {
      description: 'With `above` the worst-price notional above which a person is asked; else null',
    }),
    kinds: kinds()
      .refine((list) => !list.includes('margin'), NEVER_ASKED)
      .register(DOCS, {
        description:
          'Kinds of which a person is asked whatever their size; not `margin`, which orders nothing. `protect`: less protection of a position, of which a person is also asked wherever `when` is not `never`; more protection is free. `rebalance`: one that is asked for; those that a position does by itself are judged and not asked about',
      }),
    passwordAboveUsd: usdLimit().register(DOCS, {
      description: 'Notional above which the password is asked for again; null: never because of the size',
    }),
    lifeSeconds: z.int().min(30).max(86_400).register(DOCS, { description: 'How long a question waits' }),
    driftBps: z.int().min(0).max(1_000).register(DOCS, {
      description: 'How far the marks may move until an approval has to be looked at again',
    }),
    firsts: z.enum(['off', 'live', 'all']).register(DOCS, {
      description: 'A person is asked of the first order on an account, of an instrument, on a live account',
    }),
    duplicates: z.enum(['ask', 'allow']).optional().register(DOCS, {
      description:
        '`ask`: a person is asked of an order with the account, legs, sides and (to 2 %) sizes of one within the last minute. Default `allow`',
    }),
  })
  .refine(({ when, aboveUsd }) => (when === 'above') === (aboveUsd !== null), {
    path: ['aboveUsd'],
    message: 'An amount with `above`, null otherwise',
  })
  .register(DOCS, { id: 'MandateApproval', description: 'When a person is asked before it orders' });

const terms = {
  accounts: setOf(uuid, 0, MOST_ACCOUNTS).register(DOCS, { description: 'Trade accounts that it may trade' }),
  instruments: z
    .union([z.literal('any'), setOf(instrumentId, 1, MOST_INSTRUMENTS)])
    .register(DOCS, { description: 'Instruments that it may open' }),
  deny: setOf(instrumentId, 0, MOST_INSTRUMENTS).register(DOCS, {
    description: 'Instruments that it may not open, whatever `instruments` says',
  }),
  kinds: kinds(),
  reduceOnly: z.boolean().register(DOCS, { description: 'It may only make positions smaller' }),
  manage: z.enum(['OWN', 'ALL']).register(DOCS, {
    description:
      '`OWN`: it touches only what it placed itself. Brackets, rebalancing, leverage and margin taken out act on a whole position, which has to be all its own: else 403 `AGENT_LIMIT` with `details.reason` `SHARED_POSITION`',
  }),
  maxOrderUsd: usdLimit().register(DOCS, {
    description: `One basket, gross: ${COUNTED}. ${NO_LIMIT}`,
  }),
  maxOpenedUsd24h: usdLimit().register(DOCS, {
    description: `Opened gross in any 24 hours, rolling: ${COUNTED}. ${NO_LIMIT}`,
  }),
  maxGrossUsd: usdLimit().register(DOCS, {
    description: `What it holds, what is reserved and the worst case of what waits. ${NO_LIMIT}`,
  }),
  maxLeverage: z
    .int()
    .min(1)
    .max(1_000)
    .nullable()
    .register(DOCS, {
      description: `Highest leverage at which it may hold. ${NO_LIMIT}`,
    }),
  maxPositions: countLimit().register(DOCS, { description: NO_LIMIT }),
  maxResting: countLimit().register(DOCS, { description: `Waiting orders. ${NO_LIMIT}` }),
  maxSlippage: slippage.nullable().meta({
    description: `A fraction: 0.01 is one per cent. Of what opens; what closes or takes profit may ask for 0.01 at least, a stop-loss for any. ${NO_LIMIT}`,
  }),
  hours: mandateHours.nullable().register(DOCS, { description: 'null: always' }),
  validUntil: timeInput.nullable().meta({ description: 'From then on it opens nothing; null: without end' }),
  lossStop: z
    // biome-ignore lint/suspicious/noThenProperty: a word, nothing to call
    .strictObject({ usd, then: z.enum(['SUSPEND', 'SUSPEND_AND_CLOSE']) })
    .nullable()
    .register(DOCS, {
      description:
        'Loss in any 24 hours, realised and unrealised of its own, at which it is suspended. No stop order: a gap in the price passes it',
    }),
  approval: mandateApproval,
  rate: z
    .strictObject({
      perMinute: z.int().min(1).max(600),
      perDay: z.int().min(1).max(100_000),
      coolDownSeconds: z.int().min(0).max(3_600).register(DOCS, {
        description: 'How long it waits after three refusals within a minute',
      }),
    })
    .register(DOCS, { id: 'MandateRate', description: 'Orders that it may ask for' }),
  rights: z
    .strictObject({
      readCredentials: z
        .boolean()
        .register(DOCS, { description: 'Read stored venue credentials, decrypted' }),
      manageAccounts: z.boolean().register(DOCS, { description: 'Add, change and remove trade accounts' }),
      exchangeSetup: z.boolean().register(DOCS, { description: 'Account set-up at venues, withdrawals' }),
      changeLeverage: z.boolean().register(DOCS, {
        description:
          'Change leverage and take margin out; where its user is asked about orders, leverage of what is not held only',
      }),
      attributeTrades: z.boolean().register(DOCS, {
        description:
          'Assign what was traded outside Tandem to positions; only with `manage` `ALL` and an `approval.when` of `never`',
      }),
    })
    .register(DOCS, { id: 'MandateRights' }),
  runaway: z
    .strictObject({
      refusals: countLimit().register(DOCS, { description: 'Refused requests within an hour. null: any' }),
      reopenings: countLimit().register(DOCS, {
        description:
          'Times within ten minutes that it opens a basket again that it has just closed. null: any',
      }),
      feesUsd: usdLimit().register(DOCS, { description: 'Fees paid within an hour. null: any' }),
    })
    .register(DOCS, {
      id: 'MandateRunaway',
      description:
        'What it is suspended for, as soon as it is reached; the counts begin anew when the gateway starts and when its user resumes it',
    })
    .optional(),
};

/** Both ways: what is sent comes back with its lists in order and its decimals without idle zeros. */
export const mandate = z.strictObject(terms).register(DOCS, {
  id: 'Mandate',
  description:
    'What an agent or a program may do with money. Amounts are USD. Closing is never refused by an amount, hours, the end or a suspension',
});
export type MandateBody = z.infer<typeof mandate>;

const { accounts: _accounts, ...proposed } = terms;
/** Proposal of a client: any of the terms but the accounts, of which it knows none. */
export const mandateProposal = z.strictObject(proposed).partial().register(DOCS, { id: 'MandateProposal' });
export type MandateProposal = z.infer<typeof mandateProposal>;

export const houseLimits = z
  .strictObject({
    maxOrderUsd: usdLimit(),
    maxOpenedUsd24h: usdLimit(),
    maxGrossUsd: usdLimit(),
    maxPositions: countLimit(),
    maxResting: countLimit(),
    lossUsd24h: usdLimit(),
  })
  .register(DOCS, {
    id: 'HouseLimits',
    description: 'Limits over all agents and keys with a mandate together. null: not limited',
  });
export type HouseLimitsBody = z.infer<typeof houseLimits>;
