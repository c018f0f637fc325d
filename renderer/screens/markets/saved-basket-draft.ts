/** A saved basket while it is typed: weights as percent text, checked by the contract's schema before it is sent. */
import type { Answer } from '../../../gateway/client/client.ts';
import { createSavedBasket } from '../../../gateway/contract/saved-baskets.ts';
import {
  type Basket,
  bareBasket,
  equalBasket,
  normalised,
  type Side,
  savedBasket,
} from '../../features/basket/basket.ts';
import {
  millionthsOf,
  ONE,
  percentText,
  readPercent,
  weightNumber,
} from '../../features/basket-weights/basket-weights.ts';

export type SavedBasket = Answer<'GET /saved-baskets'>['savedBaskets'][number];

export interface DraftLeg {
  /** Instrument id. */
  readonly symbol: string;
  readonly side: Side;
  /** Weight in percent, as typed. */
  readonly weight: string;
}

export interface SavedBasketDraft {
  readonly name: string;
  readonly legs: readonly DraftLeg[];
}

export const NO_BASKET: SavedBasketDraft = { name: '', legs: [] };

export function draftOf({ name, legs }: Pick<SavedBasket, 'name' | 'legs'>): SavedBasketDraft {
  return typed(name, savedBasket(legs));
}

/** Legs with equal weights on each side. */
export function draftOfLegs(legs: readonly Pick<DraftLeg, 'symbol' | 'side'>[]): SavedBasketDraft {
  return typed('', bareBasket(legs.map(({ symbol, side }) => ({ id: symbol, side }))));
}

function typed(name: string, { legs }: Basket): SavedBasketDraft {
  return {
    name,
    legs: legs.map(({ id, side, weight }) => ({ symbol: id, side, weight: percentText(weight) })),
  };
}

/** An unreadable weight counts as the smallest possible weight. */
function basketOf({ legs }: SavedBasketDraft): Basket {
  return {
    isWeighted: true,
    legs: legs.map(({ symbol, side, weight }) => ({ id: symbol, side, weight: readPercent(weight) ?? 1 })),
  };
}

/** True when a weight is finer than the editor's ten-thousandth of a percent: saving its legs would round it. */
export function isRounded({ legs }: Pick<SavedBasket, 'legs'>): boolean {
  return legs.some(({ weight }) => !millionthsOf(weight).isExact);
}

/** Sum of the weights, millionths; null: a weight is unreadable. */
export function draftSum({ legs }: SavedBasketDraft): number | null {
  let sum = 0;
  for (const { weight } of legs) {
    const read = readPercent(weight);
    if (read === null) return null;
    sum += read;
  }
  return sum;
}

/** The same proportions with a sum of 100 %. */
export function withNormalisedWeights(draft: SavedBasketDraft): SavedBasketDraft {
  return typed(draft.name, normalised(basketOf(draft)));
}

export function withEqualWeights(draft: SavedBasketDraft): SavedBasketDraft {
  return typed(draft.name, equalBasket(basketOf(draft).legs));
}

/** The draft with other legs; weights that the user has not set follow: half for each side, equal within a side. */
export function withLegs(draft: SavedBasketDraft, legs: readonly DraftLeg[]): SavedBasketDraft {
  const equal = withEqualWeights(draft).legs;
  const isUntouched = draft.legs.every(({ weight }, index) => weight === equal[index]?.weight);
  const next = { ...draft, legs };
  return isUntouched ? withEqualWeights(next) : next;
}

/**
 * Adds a leg to the side with fewer legs, so that two picks make a pair. If the user has set weights, the leg gets the
 * rest up to 100 %.
 */
export function withNewLeg(draft: SavedBasketDraft, symbol: string): SavedBasketDraft {
  const longs = draft.legs.filter(({ side }) => side === 'BUY').length;
  const side = longs <= draft.legs.length - longs ? 'BUY' : 'SELL';
  const missing = ONE - (draftSum(draft) ?? ONE);
  return withLegs(draft, [...draft.legs, { symbol, side, weight: missing > 0 ? percentText(missing) : '' }]);
}

export interface SavedBasketBody {
  readonly name: string;
  readonly legs: { readonly symbol: string; readonly side: Side; readonly weight: number }[];
}

/** Messages by path of the contract: `name`, `legs`, `legs.0.weight`. */
export type DraftProblems = Readonly<Record<string, string>>;

/** Request body, or the problems by field. */
export function bodyOf(
  draft: SavedBasketDraft,
): { readonly body: SavedBasketBody } | { readonly problems: DraftProblems } {
  const problems: Record<string, string> = {};
  const weights = draft.legs.map(({ weight }) => readPercent(weight));
  for (const [index, weight] of weights.entries())
    if (weight === null) problems[`legs.${index}.weight`] = 'From 0.0001 to 100, at most four decimals';
  const legs = draft.legs.map(({ symbol, side }, index) => ({
    symbol,
    side,
    weight: weightNumber(weights[index] ?? ONE),
  }));
  const parsed = createSavedBasket.body.safeParse({ name: draft.name, legs });
  for (const { path, message } of parsed.error?.issues ?? []) problems[path.join('.')] ??= message;
  const sum = draftSum(draft);
  if (sum !== null && draft.legs.length > 0 && sum !== ONE)
    problems['legs'] ??= `The weights sum to ${percentText(sum)} %, not 100 %`;
  if (!parsed.success || Object.keys(problems).length > 0) return { problems };
  return { body: { name: parsed.data.name, legs: [...parsed.data.legs] } };
}

/**
 * Changes that turn `basket` into the typed `body`. Untouched legs are left out, so that weights finer than the
 * editor's digits stay as they are.
 */
export function changeOf(basket: SavedBasket, body: SavedBasketBody): Partial<SavedBasketBody> {
  const shown = bodyOf(draftOf(basket));
  const before = 'body' in shown ? shown.body.legs : draftOf(basket).legs;
  const sameLegs = JSON.stringify(before) === JSON.stringify(body.legs);
  return {
    ...(body.name === basket.name ? {} : { name: body.name }),
    ...(sameLegs ? {} : { legs: body.legs }),
  };
}
