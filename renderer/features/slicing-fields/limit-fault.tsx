/**
 * What is wrong with a TWAP's limit as typed: one that would never hold a slice back, or hold back every one. Chart, head
 * and triggers of a pair speak of its price ratio, but this limit is a weighted ratio: the two are easily mixed up.
 */
import { figureText } from '../ratio-chart/figure.ts';
import type { WeighedLeg } from '../ratio-chart/subject.ts';
import { useSubjectValue } from '../ratio-chart/use-subject-value.ts';

export const WEIGHTED = { metric: 'WEIGHTED_RATIO' } as const;
const PRICE_RATIO = { metric: 'PRICE_RATIO' } as const;

/** How far from now a limit may be before it is asked about, as a factor. */
const FAR = 1.25;
/** A typed value within this factor of the price ratio was likely meant to be one. */
const NEAR = 1.5;

export interface LimitOf {
  /** As typed, or as sent. */
  readonly limit: string;
  readonly legs: readonly WeighedLeg[];
  /** An opening TWAP waits while the weighted ratio is above its limit, a closing one while it is below. */
  readonly kind: 'OPEN' | 'CLOSE';
}

/** In words; null: nothing is known against it. */
export function useLimitFault({ limit, legs, kind }: LimitOf): string | null {
  const now = useSubjectValue(WEIGHTED, legs);
  const price = usePriceRatio(legs);
  const level = Number(limit);
  if (now === null || !(level > 0)) return null;
  const room = kind === 'OPEN' ? level / now : now / level;
  if (room >= 1 && room <= FAR) return null;
  const does = room < 1 ? 'no slice would be sent before that changes' : 'it would hold nothing back';
  // Where the two are close to each other, a value near one says nothing about which was meant.
  const isFar = Math.max(room, 1 / room) > NEAR;
  if (price !== null && isFar && Math.max(level / price, price / level) < NEAR)
    return `${limit.trim()} is near the price ratio, but the limit is a weighted ratio, now ${figureText(now)}: ${does}.`;
  return room < 1
    ? `The weighted ratio is ${kind === 'OPEN' ? 'above' : 'below'} it now: ${does}.`
    : `Far from the weighted ratio of now, ${figureText(now)}: ${does}. Is it a price ratio?`;
}

/** The price ratio of now beside the weighted one, so that nobody takes one for the other; null without two sides. */
export function OtherRatio({ legs }: { readonly legs: readonly WeighedLeg[] }) {
  const price = usePriceRatio(legs);
  return price === null ? null : <> Not the price ratio, {figureText(price)}.</>;
}

/** null: not known, or the legs have only one side. */
function usePriceRatio(legs: readonly WeighedLeg[]): number | null {
  const value = useSubjectValue(PRICE_RATIO, legs);
  return legs.some(({ side }) => side === 'BUY') && legs.some(({ side }) => side === 'SELL') ? value : null;
}
