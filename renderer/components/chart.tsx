/** Market charts, loaded when the first chart is shown: a screen and its table do not wait for the library. */
import { type ComponentType, lazy, Suspense } from 'react';
import type { ChartProps } from './market-chart.tsx';
import { Skeleton } from './states.tsx';

/** The chart once it is loaded, and until then a skeleton of its height, so that the layout does not shift. */
function whenLoaded<Props extends ChartProps>(load: () => Promise<{ default: ComponentType<Props> }>) {
  const View: ComponentType<Props> = lazy(load);
  return (props: Props) => (
    <Suspense fallback={<Skeleton height={props.height} />}>
      <View {...props} />
    </Suspense>
  );
}

export const CandleChart = whenLoaded(async () => ({
  default: (await import('./candle-chart.tsx')).CandleChart,
}));
export const ValueChart = whenLoaded(async () => ({
  default: (await import('./value-chart.tsx')).ValueChart,
}));
