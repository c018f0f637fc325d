/**
 * A basket as text, as people write it to each other: `BTC 0.5, ETH -0.3, SOL -0.2`, `long BTC 60% short ETH 40%`,
 * `BTC + SOL / ETH`, `+BTC −ETH`; or the legs of the API as JSON. Weights are proportions, scaled to the whole.
 */
import { addLeg, type Basket, bareBasket, MAX_LEGS, normalised, type Side } from '../basket/basket.ts';
import { jsonLegs } from './json-legs.ts';
import { wordedLegs } from './worded-legs.ts';
import { FaultyText, type Listed, type WrittenLeg } from './written-leg.ts';

export type ReadBasket =
  | {
      readonly ok: true;
      readonly basket: Basket;
      /** Text on how weights were scaled, if they were not shares of the whole; null: they were. */
      readonly note: string | null;
    }
  | { readonly ok: false; readonly message: string };

/**
 * Adds the text to the present basket if it holds only legs. A text with a side, a pair or weights is the whole basket.
 * @param side for legs without one, in a text where no leg has one
 */
export function readBasketText(
  text: string,
  instruments: readonly Listed[],
  side: Side,
  present: Basket,
): ReadBasket {
  try {
    const written = /^\s*[[{]/.test(text) ? jsonLegs(text) : wordedLegs(text);
    return basketOfWritten(written, instruments, side, present);
  } catch (error) {
    if (error instanceof FaultyText) return { ok: false, message: error.message };
    throw error;
  }
}

function basketOfWritten(
  written: readonly WrittenLeg[],
  instruments: readonly Listed[],
  side: Side,
  present: Basket,
): ReadBasket {
  if (written.length === 0) throw new FaultyText('No leg in this text.');
  const isSided = written.some((leg) => leg.side !== null);
  const legs = written.map((leg) => ({
    id: idOf(leg.name, instruments),
    name: leg.name,
    side: leg.side ?? (isSided ? 'BUY' : side),
    weight: leg.weight,
  }));
  const twice = legs.find(({ id }, index) => legs.findIndex((one) => one.id === id) !== index);
  if (twice !== undefined) throw new FaultyText(`“${twice.name}” stands there twice.`);
  const isWeighed = legs.some(({ weight }) => weight !== null);
  if (!isSided && !isWeighed) return added(legs, present);
  if (legs.length > MAX_LEGS) throw new FaultyText(`${legs.length} legs: a basket has twenty at most.`);
  if (!isWeighed) return { ok: true, basket: bareBasket(legs), note: null };
  const bare = legs.find(({ weight }) => weight === null);
  if (bare !== undefined)
    throw new FaultyText(`“${bare.name}” has no weight: give one to each leg, or to none.`);
  const weights = legs.map(({ weight }) => weight ?? 0);
  const sum = weights.reduce((all, weight) => all + weight, 0);
  return {
    ok: true,
    basket: normalised({
      isWeighted: true,
      legs: legs.map(({ id, side: own }, index) => ({ id, side: own, weight: weights[index] ?? 0 })),
    }),
    note: written.some(({ isUsd }) => isUsd) ? DOLLARS : isWhole(sum) ? null : SCALED,
  };
}

const SCALED = 'The weights of the text did not add up to 100 %: scaled in their proportions.';
const DOLLARS = 'The dollars of the text were taken as proportions; the size is not set.';

/** 50 and 50 without percent signs are percent all the same. */
const isWhole = (sum: number) => [1, 100].some((whole) => Math.abs(sum / whole - 1) < 1e-9);

function added(
  legs: readonly { readonly id: string; readonly name: string; readonly side: Side }[],
  present: Basket,
): ReadBasket {
  const there = legs.find(({ id }) => present.legs.some((leg) => leg.id === id));
  if (there !== undefined) throw new FaultyText(`“${there.name}” is in the basket already.`);
  const count = present.legs.length + legs.length;
  if (count > MAX_LEGS) throw new FaultyText(`${count} legs: a basket has twenty at most.`);
  const basket = legs.reduce((all, { id, side }) => addLeg(all, id, side), present);
  return { ok: true, basket, note: null };
}

/** By id, else by ticker. Where several instruments share a ticker, the one named after it alone. */
function idOf(name: string, instruments: readonly Listed[]): string {
  const wanted = name.toLowerCase();
  const own = instruments.find(({ id }) => id.toLowerCase() === wanted);
  if (own !== undefined) return own.id;
  const [first, ...others] = instruments.filter(({ symbol }) => symbol.toLowerCase() === wanted);
  if (first === undefined) throw new FaultyText(`“${name}” is no instrument of this venue.`);
  if (others.length === 0) return first.id;
  const usual = [first, ...others].find(({ id }) => id.toLowerCase() === `${wanted}-perp`);
  if (usual !== undefined) return usual.id;
  const ids = [first, ...others].map(({ id }) => id).join(', ');
  throw new FaultyText(`“${name}” is more than one instrument: write ${ids}.`);
}
