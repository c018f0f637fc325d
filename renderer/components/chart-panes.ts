/** Panes below the candles. */
import {
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  type LineSeriesPartialOptions,
} from 'lightweight-charts';

/** Share of the chart's height that a pane below takes: one part to these of the candles. */
const CANDLES_TO_ONE = 2;
/** Labels at both ends of its scale are whole. */
const MARGINS = { top: 0.15, bottom: 0.15 };

/** A line in a new pane below all others. The pane goes with the line. */
export function addPane(chart: IChartApi, options: LineSeriesPartialOptions): ISeriesApi<'Line'> {
  const line = chart.addSeries(LineSeries, options, chart.panes().length);
  const [candles, ...below] = chart.panes();
  candles?.setStretchFactor(CANDLES_TO_ONE);
  for (const pane of below) pane.setStretchFactor(1);
  line.priceScale().applyOptions({ scaleMargins: MARGINS });
  return line;
}
