/** Market charts, loaded when the first chart is shown: a screen and its table do not wait for the library. */
import { type ComponentProps, lazy, Suspense } from 'react';
import { Skeleton } from './states.tsx';

const Candles = lazy(async () => ({ default: (await import('./candle-chart.tsx')).CandleChart }));
const Values = lazy(async () => ({ default: (await import('./value-chart.tsx')).ValueChart }));

export function CandleChart(props: ComponentProps<typeof Candles>) {
  return (
    <Suspense fallback={<Waiting {...props} />}>
      <Candles {...props} />
    </Suspense>
  );
}

export function ValueChart(props: ComponentProps<typeof Values>) {
  return (
    <Suspense fallback={<Waiting {...props} />}>
      <Values {...props} />
    </Suspense>
  );
}

/** Skeleton of the chart's height, so that the layout does not shift. */
function Waiting({ height }: { readonly height?: number }) {
  return <Skeleton rows={6} {...(height === undefined ? {} : { height })} />;
}
