/** Choice of the price scale, in the corner below the price axis; kept in this browser for every chart of ratios. */
import { z } from 'zod';
import { keptChoice, lenient, readKept } from '../../api/kept-choice.ts';
import type { PriceScaleKind } from '../../components/price-scale.ts';
import { Select } from '../../components/select.tsx';
import css from './ratio-chart.module.css';

const OPTIONS = [
  { value: 'linear', label: 'Linear' },
  { value: 'percent', label: 'Percent', hint: 'from the left edge' },
  { value: 'log', label: 'Log' },
] as const;

const kept = lenient({ kind: z.enum(['linear', 'percent', 'log']).catch('linear') });
const [useKept, changeKept] = keptChoice<{ readonly kind: PriceScaleKind }>('tandem.price-scale', (text) =>
  readKept(kept, text),
);

export const usePriceScaleKind = (): PriceScaleKind => useKept(({ kind }) => kind);

export function PriceScaleChoice() {
  return (
    <Select
      quiet
      label="Price scale"
      className={css['scale'] ?? ''}
      options={OPTIONS}
      value={usePriceScaleKind()}
      onChange={(kind) => changeKept({ kind })}
    />
  );
}
