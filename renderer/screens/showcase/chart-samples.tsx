import { CandleChart } from '../../components/chart.tsx';
import layout from '../../components/layout.module.css';
import { LineChart } from '../../components/line-chart.tsx';

const START = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;
const TIMES = Array.from({ length: 90 }, (_, index) => START + index * DAY_MS);
const EQUITY = TIMES.map((_, index) => 100_000 + index * 120 + Math.sin(index / 5) * 2_500);
const LINES = [
  { id: 'equity', label: 'Equity', values: EQUITY, filled: true },
  {
    id: 'balance',
    label: 'Balance',
    values: EQUITY.map((value) => value - 900),
    colour: 'series4',
  },
] as const;
const CANDLES = EQUITY.map((value, index) => {
  const open = EQUITY[index - 1] ?? value;
  const ratio = (equity: number) => (equity / 1_000).toFixed(3);
  return {
    start: new Date(START + index * DAY_MS).toISOString(),
    open: ratio(open),
    close: ratio(value),
    high: ratio(Math.max(open, value) + 400),
    low: ratio(Math.min(open, value) - 400),
  };
});
const MARKS = [
  { id: 'entry', level: 104, label: 'Entry', tone: 'accent' },
  { id: 'stop', level: 98, label: 'Stop', tone: 'loss', isDraft: true },
] as const;
const DOLLARS = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

export function ChartSamples() {
  return (
    <div className={layout['stack']}>
      <LineChart
        label="Sample equity over 90 days"
        times={TIMES}
        lines={LINES}
        height={200}
        days
        axis={(value) => DOLLARS.format(value)}
      />
      <CandleChart
        label="Sample ratio, daily candles"
        candles={CANDLES}
        live={null}
        lines={MARKS}
        height={240}
      />
    </div>
  );
}
