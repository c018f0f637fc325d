export type LineTone = 'accent' | 'warn' | 'profit' | 'loss' | 'quiet' | 'series' | 'alert';

/** A line across a chart at one level of its scale. */
export interface LevelLine {
  readonly id: string;
  readonly level: number;
  /** Short text on the price axis. */
  readonly label: string;
  /** Part of the label that holds at any level, shown while the line is dragged. Defaults to the label. */
  readonly name?: string | undefined;
  readonly tone: LineTone;
  /** The level is typed and not sent yet: drawn dashed. */
  readonly isDraft?: boolean | undefined;
  /** It can be dragged; `ChartProps.moves` says what becomes of it. */
  readonly isMovable?: boolean | undefined;
  /** It has a × that asks `ChartMoves.onCancel`. */
  readonly isCancellable?: boolean | undefined;
  /** Shorter than the label, where the line has a name in the picture. */
  readonly short?: string | undefined;
  /** Group of similar lines, such as the rungs of a ladder. Off the scale a group shares one row. */
  readonly oneOf?: string | undefined;
}

/** Handlers and texts for lines that are dragged, and for clicks on the chart. */
export interface ChartMoves {
  /** The line was let go at a level. */
  readonly onMove: (id: string, level: number) => void;
  /** Words beside the line while it is moved: what the level means. */
  readonly textOf: (id: string, level: number) => string;
  /** The level as a figure. */
  readonly figureOf: (level: number) => string;
  /** Of an arrow key, and levels may have any sign; left out: a thousandth of the level, which is above 0. */
  readonly step?: number | undefined;
  /** A line that was let go and waits for its review: it stands at the new level. null: none. */
  readonly proposed: { readonly id: string; readonly level: number } | null;
  /** The × of a line was pressed. */
  readonly onCancel: (id: string) => void;
  /** More words of a line, where its name has room for them; null: none. Left out: none of any. */
  readonly moreOf?: (id: string) => string | null;
  /** The picture was pressed at a level; pixels from its corner. Left out: a press does nothing. */
  readonly onPress?: (level: number, at: { readonly x: number; readonly y: number }) => void;
}
