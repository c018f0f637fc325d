/** Legs of a basket from the sizes that an agent gives. */
import { dec, text, textRounded } from '../domain/decimal.ts';
import type { TradeLeg } from '../domain/model.ts';
import { Refused } from './ask.ts';

export interface Sizes {
  readonly long: readonly string[];
  readonly short: readonly string[];
  readonly long_usd?: string | undefined;
  readonly short_usd?: string | undefined;
  readonly long_base?: readonly string[] | undefined;
  readonly short_base?: readonly string[] | undefined;
  readonly total_usd?: string | undefined;
  readonly weights?: readonly string[] | undefined;
}

function wrong(field: string, problem: string): Refused {
  return new Refused({
    ok: false,
    status: 400,
    code: 'VALIDATION_ERROR',
    message: 'The sizes are not complete',
    details: [{ path: field, message: problem, code: 'custom' }],
  });
}

/** @throws Refused unless the size of each leg is given in exactly one way */
export function legsOf(sizes: Sizes): {
  readonly legs: readonly TradeLeg[];
  readonly totalUsd: string | null;
} {
  const { long, short, total_usd: totalUsd, weights } = sizes;
  if (long.length + short.length === 0)
    throw wrong('long', 'A basket needs at least one instrument, long or short');
  const ways = [
    sizes.long_usd ?? sizes.short_usd,
    sizes.long_base ?? sizes.short_base,
    totalUsd ?? weights,
  ].filter((way) => way !== undefined);
  if (ways.length !== 1)
    throw wrong(
      'long_usd',
      'Say the size in exactly one way: long_usd and short_usd, or long_base and short_base, or total_usd with weights',
    );
  if (totalUsd !== undefined || weights !== undefined) return weighted(sizes);
  return { legs: [...side(sizes, 'BUY'), ...side(sizes, 'SELL')], totalUsd: null };
}

function weighted({ long, short, total_usd: totalUsd, weights }: Sizes) {
  if (totalUsd === undefined) throw wrong('total_usd', 'weights are shares of total_usd: give both');
  const names = [...long, ...short];
  const shares = oneForEach(names, weights);
  const legs = names.map((symbol, place): TradeLeg => {
    return {
      symbol,
      side: place < long.length ? 'BUY' : 'SELL',
      mode: 'WEIGHT',
      amount: shares[place] ?? '0',
    };
  });
  return { legs, totalUsd };
}

/** @throws Refused unless each instrument has a weight, and there is no other weight */
export function oneForEach(
  names: readonly string[],
  weights: readonly string[] | undefined,
): readonly string[] {
  if (weights?.length === names.length) return weights;
  throw wrong(
    'weights',
    `One weight for each instrument is needed, long then short: ${names.length}, which sum to exactly 1`,
  );
}

function side(sizes: Sizes, which: 'BUY' | 'SELL'): TradeLeg[] {
  const isLong = which === 'BUY';
  const names = isLong ? sizes.long : sizes.short;
  const [usd, base] = isLong ? [sizes.long_usd, sizes.long_base] : [sizes.short_usd, sizes.short_base];
  const word = isLong ? 'long' : 'short';
  if (names.length === 0) {
    if (usd !== undefined || base !== undefined)
      throw wrong(word, `A size is given, and no instrument to go ${word}`);
    return [];
  }
  if (base !== undefined) {
    if (base.length !== names.length)
      throw wrong(`${word}_base`, `One quantity for each ${word} instrument is needed: ${names.length}`);
    return names.map((symbol, place) => ({ symbol, side: which, mode: 'BASE', amount: base[place] ?? '0' }));
  }
  if (usd === undefined)
    throw wrong(`${word}_usd`, `How many USD go ${word}? They are split equally among its instruments`);
  return names.map((symbol, place) => ({
    symbol,
    side: which,
    mode: 'USD',
    amount: share(usd, names.length, place),
  }));
}

/** Equal shares to the cent; the first one takes the remainder, so that they sum to the whole. */
function share(usd: string, count: number, place: number): string {
  const each = textRounded(dec(usd).div(count), 2);
  return place > 0 ? each : text(dec(usd).minus(dec(each).mul(count - 1)));
}
