/**
 * Amounts of trades beyond their arrows. The library writes texts below the lines, which would strike them through.
 * Here each amount is drawn over all lines on the chart's background colour, beside the × of the lines, not under it.
 */
import type {
  CandlestickData,
  IPrimitivePaneRenderer,
  ISeriesApi,
  ISeriesPrimitive,
  SeriesAttachedParameter,
  Time,
  UTCTimestamp,
  WhitespaceData,
} from 'lightweight-charts';
import { type Taken, textEnd } from './chart-drawing-places.ts';
import type { PlacedMark } from './mark-places.ts';
import type { ThemeColours } from './theme-colours.ts';

interface Amounts {
  readonly places: readonly (PlacedMark & { readonly time: UTCTimestamp })[];
  readonly colours: ThemeColours;
  /** Space before the price axis for the ×, px. */
  readonly room: number;
}

const drawn = new WeakMap<object, readonly Taken[]>();

/** Boxes of the drawn amounts, for layers over the picture. */
export function amountBoxes(series: object): readonly Taken[] {
  return drawn.get(series) ?? [];
}

const crossed = new WeakMap<object, readonly Taken[]>();

/** Sets the boxes of the lines' ×, which lie over the picture: amounts are written beside them. */
export function keepClear(series: object, crosses: readonly Taken[]): void {
  crossed.set(series, crosses);
}

export interface MarkAmounts {
  readonly write: (amounts: Amounts) => void;
}

/** Padding around a text, px. */
const PAD_PX = 2;
/** Sizes of the library's arrows. */
const ARROW_PX = { least: 13, most: 31 } as const;
const LEAST_MARGIN_PX = 3;

/** Height of an arrow beyond its candle with its margins, px. */
function arrowReach(spacing: number): number {
  const size = Math.min(ARROW_PX.most, Math.max(ARROW_PX.least, spacing));
  return size + 2 * Math.max(LEAST_MARGIN_PX, size / 10);
}

const isCandle = (one: CandlestickData<Time> | WhitespaceData<Time>): one is CandlestickData<Time> =>
  'low' in one;

export function markAmounts(series: ISeriesApi<'Candlestick'>): MarkAmounts {
  let amounts: Amounts | null = null;
  let at: SeriesAttachedParameter<Time> | null = null;
  const draw = (context: CanvasRenderingContext2D, width: number) => {
    const boxes: Taken[] = [];
    drawn.set(series, boxes);
    if (amounts === null || at === null) return;
    const { places, colours, room } = amounts;
    const { fontSize, fontFamily } = at.chart.options().layout;
    const scale = at.chart.timeScale();
    const height = fontSize + 2 * PAD_PX;
    const reach = arrowReach(scale.options().barSpacing);
    context.font = `${fontSize}px ${fontFamily}`;
    context.textBaseline = 'middle';
    // Starts at the newest amount: earlier ones give way to it.
    for (const { time, way, text } of places.toReversed()) {
      // Uses the series' own index: a pane below may have times before the first candle.
      const index = text === '' ? null : scale.timeToIndex(time);
      // Reads the candle from the series: the last one has the newest price.
      const candle = index === null ? null : series.dataByIndex(index);
      if (candle === null || !isCandle(candle)) continue;
      const x = scale.timeToCoordinate(time);
      const y = series.priceToCoordinate(way === 'up' ? candle.low : candle.high);
      if (x === null || y === null) continue;
      const length = context.measureText(text).width;
      const top = way === 'up' ? y + reach : y - reach - height;
      const most = Math.min(x + length / 2, width - room - PAD_PX);
      const taken = [...(crossed.get(series) ?? []), ...boxes];
      const left = textEnd({ length, top, bottom: top + height }, most, taken) - length;
      if (left < 0) continue;
      context.fillStyle = colours.surface;
      context.fillRect(left - PAD_PX, top, length + 2 * PAD_PX, height);
      context.fillStyle = way === 'up' ? colours.profit : colours.loss;
      context.fillText(text, left, top + height / 2);
      boxes.push({ left: left - PAD_PX, right: left + length + PAD_PX, top, bottom: top + height });
    }
  };
  const views = [
    {
      zOrder: () => 'top' as const,
      renderer: () => ({
        draw: (target: Parameters<IPrimitivePaneRenderer['draw']>[0]) =>
          target.useMediaCoordinateSpace(({ context, mediaSize }) => draw(context, mediaSize.width)),
      }),
    },
  ];
  const primitive: ISeriesPrimitive<Time> = {
    attached: (parameter) => {
      at = parameter;
    },
    paneViews: () => views,
  };
  series.attachPrimitive(primitive);
  return {
    write: (next) => {
      amounts = next;
      at?.requestUpdate();
    },
  };
}
