/** Change of a saved basket over 24 hours, at its own weights. */
import type { Answer } from '../../../gateway/client/client.ts';
import { subjectValue, type WeighedLeg } from '../../features/ratio-chart/subject.ts';

export type Price = Answer<'GET /prices'>['prices'][number];

const PLACES = 8;

/** Change of the weighted ratio, a decimal fraction; null: a price is not known now or 24 hours ago. */
export function weightedChange(
  legs: readonly WeighedLeg[],
  prices: ReadonlyMap<string, Pick<Price, 'mark' | 'price24hAgo'>>,
): string | null {
  const ratioOf = (when: 'mark' | 'price24hAgo') =>
    subjectValue({ metric: 'WEIGHTED_RATIO' }, legs, (id) => {
      const price = prices.get(id);
      return price === undefined ? null : Number(price[when]);
    });
  const [now, before] = [ratioOf('mark'), ratioOf('price24hAgo')];
  return now === null || before === null ? null : (now / before - 1).toFixed(PLACES);
}
