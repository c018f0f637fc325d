/** Saved baskets: templates of a trade account. */
import { z } from 'zod';
import { checkInstruments } from './basket-order.ts';
import { DOCS, idParams, instrumentId, isoTime, side, uuid } from './common.ts';
import { nextCursor, pageQuery } from './cursor.ts';
import { hasHidden, isVisible, NO_HIDDEN, NOT_VISIBLE } from './plain-text.ts';
import { routesWith } from './route.ts';

const MAX_NAME_CHARACTERS = 48;
const MAX_LEGS = 20;
/** Of one trade account. */
export const MOST_SAVED_BASKETS = 500;

/**
 * Name of a basket, composed (NFC) so that one text has one length and one spelling, then trimmed. Its length is
 * counted in Unicode code points: unlike grapheme clusters, their count is the same in every language and Unicode
 * version.
 */
const name = z
  .string()
  .transform((text) => text.normalize('NFC').trim())
  .pipe(
    z
      .string()
      .refine(
        (text) => text !== '' && [...text].length <= MAX_NAME_CHARACTERS,
        `Must have 1 to ${MAX_NAME_CHARACTERS} characters`,
      )
      .refine((text) => !hasHidden(text), NO_HIDDEN)
      .refine((text) => text === '' || isVisible(text), NOT_VISIBLE),
  )
  .register(DOCS, {
    description: `Trimmed, 1 to ${MAX_NAME_CHARACTERS} characters (Unicode code points of the composed text), unique per trade account in any case`,
    example: 'Majors against DOGE',
  });

export const savedBasketLeg = z
  .strictObject({
    symbol: instrumentId,
    side,
    weight: z
      .number()
      .gt(0, 'Must be greater than 0')
      .max(1, 'Must be at most 1')
      .register(DOCS, { description: "Share of the basket's total gross notional, not of its side's" }),
  })
  .register(DOCS, { id: 'SavedBasketLeg' });

const legs = z
  .array(savedBasketLeg)
  .min(1, 'A basket needs at least one leg')
  .max(MAX_LEGS, `A basket has at most ${MAX_LEGS} legs`)
  .superRefine(checkInstruments)
  .register(DOCS, {
    description:
      'No symbol twice. The weights sum to exactly 1 over the whole basket, counted in decimals as they are written.',
  });

export const savedBasket = z
  .strictObject({
    id: uuid,
    name: z.string(),
    legs: z.array(savedBasketLeg),
    createdAt: isoTime,
    updatedAt: isoTime,
  })
  .register(DOCS, { id: 'SavedBasket' });
export type SavedBasketBody = z.infer<typeof savedBasket>;

const example = {
  name: 'Majors against DOGE',
  legs: [
    { symbol: 'BTC-PERP', side: 'BUY', weight: 0.3 },
    { symbol: 'ETH-PERP', side: 'BUY', weight: 0.2 },
    { symbol: 'DOGE-PERP', side: 'SELL', weight: 0.5 },
  ],
};

const WEIGHTS =
  'Weights that do not sum to exactly 1 are a 400 with message `The sum of weights must be exactly 1`. A name that is taken is a 400 on path `name`.';

const route = routesWith({ auth: 'K', account: true, tag: 'Saved baskets' });

export const listSavedBaskets = route({
  method: 'GET',
  path: '/saved-baskets',
  summary: "The account's saved baskets, most recently updated first",
  description: `All of them, unless \`limit\` asks for fewer: an account has ${MOST_SAVED_BASKETS} at most.`,
  query: z.object(pageQuery(MOST_SAVED_BASKETS, MOST_SAVED_BASKETS)),
  success: { 200: z.strictObject({ savedBaskets: z.array(savedBasket), nextCursor }) },
});

export const createSavedBasket = route({
  method: 'POST',
  path: '/saved-baskets',
  summary: 'Save a basket',
  description: `${WEIGHTS} ${MOST_SAVED_BASKETS} of an account are saved at most: one more is a 409 \`RESOURCE_BUSY\` (\`details.reason\` \`TOO_MANY\`). An agent or key with a mandate needs \`manage: ALL\`, on an account of its mandate, to save, change or delete any.`,
  body: z.strictObject({ name, legs }).register(DOCS, { id: 'CreateSavedBasket', example }),
  success: { 201: savedBasket },
  errors: ['RESOURCE_BUSY'],
});

export const changeSavedBasket = route({
  method: 'PATCH',
  path: '/saved-baskets/:id',
  summary: 'Rename a saved basket or replace its legs',
  description: `At least one of \`name\` and \`legs\`; \`legs\` replaces all of them. ${WEIGHTS}`,
  params: idParams,
  body: z
    .strictObject({ name: name.optional(), legs: legs.optional() })
    .refine((body) => body.name !== undefined || body.legs !== undefined, 'Needs name or legs')
    .register(DOCS, { id: 'ChangeSavedBasket', example: { name: 'Majors' } }),
  success: { 200: savedBasket },
  errors: ['RESOURCE_NOT_FOUND'],
});

export const removeSavedBasket = route({
  method: 'DELETE',
  path: '/saved-baskets/:id',
  summary: 'Delete a saved basket',
  params: idParams,
  success: { 204: null },
  errors: ['RESOURCE_NOT_FOUND'],
});
