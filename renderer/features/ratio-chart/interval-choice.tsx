/** Choice of the candles' interval: side by side, or as a list in a narrow window. */
import type { CandleInterval } from '../../../gateway/domain/candle-intervals.ts';
import { Segmented } from '../../components/radio.tsx';
import { Select } from '../../components/select.tsx';
import { INTERVALS } from './intervals.ts';
import css from './ratio-chart.module.css';

export function IntervalChoice(choice: {
  readonly value: CandleInterval;
  readonly onChange: (interval: CandleInterval) => void;
}) {
  return (
    <>
      <span className={css['intervals']}>
        <Segmented dense label="Candles of" options={INTERVALS} {...choice} />
      </span>
      <span className={css['intervalList']}>
        <Select quiet label="Candles of" options={INTERVALS} {...choice} />
      </span>
    </>
  );
}
