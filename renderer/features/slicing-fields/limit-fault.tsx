/** Present problem of a TWAP's limit, and the other ratio, which the limit is not about. */
import { figureText } from '../ratio-chart/figure.ts';
import type { WeighedLeg } from '../ratio-chart/subject.ts';
import { useSubjectValue } from '../ratio-chart/use-subject-value.ts';
import css from './limit-fault.module.css';
import type { LimitMeasure } from './limit-measure.ts';
import { limitWords } from './limit-words.ts';

const WEIGHTED = { metric: 'WEIGHTED_RATIO' } as const;
const PRICE_RATIO = { metric: 'PRICE_RATIO' } as const;

export interface LimitOf {
  /** As typed, or as sent. */
  readonly limit: string;
  readonly legs: readonly WeighedLeg[];
  readonly measure: LimitMeasure;
  /** An opening TWAP waits while the ratio is above its limit, a closing one while it is below. */
  readonly kind: 'OPEN' | 'CLOSE';
}

/** Problem in words; null: none is known. */
export function useLimitFault({ limit, legs, measure, kind }: LimitOf): string | null {
  const [weighted, price] = [useSubjectValue(WEIGHTED, legs), usePriceRatio(legs)];
  const isPrice = measure === 'PRICE_RATIO';
  return limitWords(limit, kind, measure, isPrice ? price : weighted, isPrice ? weighted : price);
}

/** Present price ratio beside the weighted one, so that they are not mixed up; null without two sides. */
export function OtherRatio({ legs }: { readonly legs: readonly WeighedLeg[] }) {
  const price = usePriceRatio(legs);
  return price === null ? null : (
    <span className={css['own']}>It is not the price ratio, which is {figureText(price)}</span>
  );
}

/** null: not known, or the legs have only one side. */
function usePriceRatio(legs: readonly WeighedLeg[]): number | null {
  const value = useSubjectValue(PRICE_RATIO, legs);
  return legs.some(({ side }) => side === 'BUY') && legs.some(({ side }) => side === 'SELL') ? value : null;
}
