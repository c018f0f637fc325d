/**
 * A basket in the address of the Trade screen: `/trade?long=BTC-PERP&long=SOL-PERP&short=ETH-PERP&weight=…`. The link
 * fills the ticket in and places no order. Parameters repeat, because an instrument id may hold any character.
 */
import { ONE } from '../basket-weights/basket-weights.ts';

const MAX_LEGS = 20;
const MAX_ID_CHARACTERS = 64;

export interface BasketLink {
  /** Instrument ids of the longs. */
  readonly long: readonly string[];
  readonly short: readonly string[];
  /** Integer millionths that sum to 1,000,000, longs first; left out: half for each side, equal legs. */
  readonly weights?: readonly number[];
}

/** Address of the link inside the router's base. */
export function tradeHref({ long, short, weights }: BasketLink): string {
  const search = new URLSearchParams();
  for (const id of long) search.append('long', id);
  for (const id of short) search.append('short', id);
  for (const weight of weights ?? []) search.append('weight', String(weight));
  return `/trade?${search}`;
}

/**
 * @param search with or without `?`
 * @returns null when the parameters name no basket that can be traded; weights that do not fit the legs are left out
 */
export function readBasketLink(search: string): BasketLink | null {
  const parameters = new URLSearchParams(search);
  const [long, short] = [parameters.getAll('long'), parameters.getAll('short')];
  const ids = [...long, ...short];
  const isUsable =
    ids.length > 0 &&
    ids.length <= MAX_LEGS &&
    new Set(ids).size === ids.length &&
    ids.every((id) => id !== '' && id.length <= MAX_ID_CHARACTERS);
  if (!isUsable) return null;
  const weights = parameters.getAll('weight').map((text) => (/^\d{1,7}$/.test(text) ? Number(text) : 0));
  const isWhole =
    weights.length === ids.length &&
    weights.every((weight) => weight > 0) &&
    weights.reduce((sum, weight) => sum + weight, 0) === ONE;
  return isWhole ? { long, short, weights } : { long, short };
}
