/** What a `LineChart` is given. */
import type { ReactNode } from 'react';

export interface Line {
  readonly id: string;
  readonly label: string;
  /** One per time; null is a gap. */
  readonly values: readonly (number | null)[];
  readonly colour?: 'series1' | 'series2' | 'series3' | 'series4' | 'profit' | 'loss' | 'quietText';
  /** Shaded down (or up) to zero. */
  readonly filled?: boolean;
  /** Columns from zero instead of a line. */
  readonly bars?: boolean;
}

export interface LineChartProps {
  /** What it shows, for those who do not see it: with the last value, if that says something. */
  readonly label: string;
  /** Epoch ms, rising. */
  readonly times: readonly number[];
  readonly lines: readonly Line[];
  readonly height: number;
  /** Text at the value axis. */
  readonly axis: (value: number) => string;
  /** Text for a line at a moment; default: `axis` of the value. */
  readonly read?: (line: Line, index: number) => ReactNode;
  /** The times are UTC days: they keep their dates in every zone. */
  readonly days?: boolean;
}
