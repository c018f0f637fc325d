/** Lines across a chart, and the choice of those that have a label on the price axis. */
import { type IPriceLine, type ISeriesApi, LineStyle, type SeriesType } from 'lightweight-charts';
import { type RefObject, useEffect, useRef } from 'react';
import { besideEnds, cutLabels } from './axis-labels.ts';
import { stands, useOnDraw } from './chart-standing.ts';
import type { LevelLine, LineTone } from './level-line.ts';
import type { ThemeColours } from './theme-colours.ts';

function toneColour(colours: ThemeColours, tone: LineTone): string {
  switch (tone) {
    case 'quiet':
      return colours.quietText;
    case 'series':
      return colours.series2;
    case 'alert':
      return colours.series3;
    default:
      return colours[tone];
  }
}

/**
 * Draws, moves and removes lines by their ids, so that a line which follows typing does not flicker. Hides axis labels
 * that the end of the axis would cut: half a label could be read as another figure.
 * @param last the value that is labelled at the end of the series
 * @param isNamed true: each line has its name beside its figure; otherwise `LevelHandles` names it
 * @returns ids of the lines without a label on the axis
 */
export function useLevelLines<T extends SeriesType>(
  series: ISeriesApi<T> | null,
  lines: readonly LevelLine[],
  last: RefObject<number | null>,
  colours: ThemeColours,
  isNamed: boolean,
): RefObject<ReadonlySet<string>> {
  const drawn = useRef(new Map<string, IPriceLine>());
  const owner = useRef<ISeriesApi<T> | null>(null);
  const cut = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (owner.current !== series) drawn.current.clear();
    owner.current = series;
    if (!stands(series)) return;
    const wanted = new Set(lines.map(({ id }) => id));
    for (const [id, line] of drawn.current) {
      if (wanted.has(id)) continue;
      series.removePriceLine(line);
      drawn.current.delete(id);
    }
    for (const { id, level, label, tone, isDraft = false } of lines) {
      const options = {
        price: level,
        color: toneColour(colours, tone),
        lineWidth: 1 as const,
        lineStyle: styleOf(tone, isDraft),
        axisLabelVisible: !cut.current.has(id),
        // The library would write white on the light red and green of the dark theme.
        axisLabelTextColor: colours.surface,
        title: isNamed ? label : '',
      };
      const known = drawn.current.get(id);
      if (known === undefined) drawn.current.set(id, series.createPriceLine(options));
      else known.applyOptions(options);
    }
  }, [series, lines, colours, isNamed]);
  useOnDraw(series, () => {
    if (!stands(series)) return;
    const centre = last.current === null ? null : series.priceToCoordinate(last.current);
    const labels = lines.map(({ id, level }) => ({ id, y: series.priceToCoordinate(level) }));
    const crowded = besideEnds(lines, labels);
    const next = new Set([
      ...crowded,
      ...cutLabels(
        labels.filter(({ id }) => !crowded.has(id)),
        centre,
        series.getPane().getHeight(),
      ),
    ]);
    for (const [id, line] of drawn.current)
      if (next.has(id) !== cut.current.has(id)) line.applyOptions({ axisLabelVisible: !next.has(id) });
    cut.current = next;
  });
  return cut;
}

/** Alerts are dotted because they are not orders; unsent drafts are dashed. */
function styleOf(tone: LineTone, isDraft: boolean): LineStyle {
  if (tone === 'alert') return LineStyle.Dotted;
  return isDraft ? LineStyle.Dashed : LineStyle.Solid;
}
