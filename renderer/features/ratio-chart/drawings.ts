/** The user's drawings, kept in this browser for each venue, basket and chart subject. */
import { z } from 'zod';
import { keptChoice, readKept } from '../../api/kept-choice.ts';
import type { Drawing } from '../../components/chart-drawing-places.ts';
import { weightText } from '../basket/basket.ts';
import type { ChartSubject, WeighedLeg } from './subject.ts';

const point = z.object({ time: z.number(), level: z.number().positive() });
const drawing = z.object({
  id: z.string(),
  kind: z.enum(['level', 'trend']),
  points: z.array(point).min(1).max(2),
});
const kept = z.record(z.string(), z.array(drawing).catch([])).catch({});

const [useKept, changeKept] = keptChoice<Record<string, readonly Drawing[]>>('tandem.drawings', (text) =>
  readKept(kept, text),
);
const NONE: readonly Drawing[] = [];

export const useDrawings = (key: string): readonly Drawing[] => useKept((all) => all[key]) ?? NONE;

export function changeDrawings(key: string, next: readonly Drawing[]): void {
  changeKept({ [key]: next });
}

/** Key of the drawings of a chart: its subject at any interval. Other weights make another ratio. */
export function drawnOn(connector: string, subject: ChartSubject, legs: readonly WeighedLeg[]): string {
  if (subject.metric === 'PRICE') return `${connector} ${subject.symbol}`;
  const of = (side: WeighedLeg['side']) => legs.filter((leg) => leg.side === side);
  const isSingle = of('BUY').length <= 1 && of('SELL').length <= 1 && subject.metric === 'PRICE_RATIO';
  const text = (side: WeighedLeg['side']) =>
    of(side)
      .map(({ id, weight }) => (isSingle ? id : `${id}:${weightText(weight)}`))
      .sort()
      .join(',');
  return `${connector} ${subject.metric} ${text('BUY')}/${text('SELL')}`;
}
