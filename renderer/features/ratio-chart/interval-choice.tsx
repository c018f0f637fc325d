/** Choice of the length of a chart's candles. */
import type { CandleInterval } from '../../../gateway/domain/candle-intervals.ts';
import { Segmented } from '../../components/radio.tsx';
import { INTERVALS } from './intervals.ts';

export function IntervalChoice({
  value,
  onChange,
}: {
  readonly value: CandleInterval;
  readonly onChange: (interval: CandleInterval) => void;
}) {
  return <Segmented dense label="Candles of" options={INTERVALS} value={value} onChange={onChange} />;
}
