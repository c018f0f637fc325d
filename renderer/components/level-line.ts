export type LineTone = 'accent' | 'warn' | 'profit' | 'loss' | 'quiet' | 'series' | 'alert';

/** A line across a chart at one level of its scale. */
export interface LevelLine {
  readonly id: string;
  readonly level: number;
  /** Short text on the price axis. */
  readonly label: string;
  /** Part of the label that is true at any level, shown while the line is dragged. Defaults to the label. */
  readonly name?: string | undefined;
  readonly tone: LineTone;
  /** The level is typed and not sent yet: drawn dashed. */
  readonly isDraft?: boolean | undefined;
  /** The line can be dragged; `ChartProps.moves` handles the new level. */
  readonly isMovable?: boolean | undefined;
  /** The line has a × that calls `ChartMoves.onCancel`. */
  readonly isCancellable?: boolean | undefined;
  /** Shorter text than the label, for the line's name in the picture. */
  readonly short?: string | undefined;
  /** Group of similar lines, such as the rungs of a ladder. Off the scale a group shares one row. */
  readonly oneOf?: string | undefined;
}

/** Handlers and texts for lines that are dragged, and for clicks on the chart. */
export interface ChartMoves {
  /** Called when the line is released at a level. */
  readonly onMove: (id: string, level: number) => void;
  /** Text beside the line while it is moved: the meaning of the level. */
  readonly textOf: (id: string, level: number) => string;
  /** The level as a figure. */
  readonly figureOf: (level: number) => string;
  /** Step of an arrow key, for levels of any sign; left out: a thousandth of the level, which is above 0. */
  readonly step?: number | undefined;
  /** A released line that waits for its review: it stays at the new level. null: none. */
  readonly proposed: { readonly id: string; readonly level: number } | null;
  /** The × of a line was pressed. */
  readonly onCancel: (id: string) => void;
  /** Further text of a line, where its name has space for it; null: none. Left out: no line has any. */
  readonly moreOf?: (id: string) => string | null;
  /** Called with the level of a click on the picture, and pixels from its corner. Left out: a click does nothing. */
  readonly onPress?: (level: number, at: { readonly x: number; readonly y: number }) => void;
}
