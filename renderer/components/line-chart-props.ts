/** Properties of a `LineChart`. */
import type { ReactNode } from 'react';

export interface Line {
  readonly id: string;
  readonly label: string;
  /** One value per time; null is a gap. */
  readonly values: readonly (number | null)[];
  readonly colour?: 'series1' | 'series2' | 'series3' | 'series4' | 'profit' | 'loss' | 'quietText';
  /** The area between the line and zero is shaded. */
  readonly filled?: boolean;
  /** Columns from zero instead of a line. */
  readonly bars?: boolean;
}

export interface LineChartProps {
  /** Name of the chart for screen readers: with the last value, if that is useful. */
  readonly label: string;
  /** Epoch ms, rising. */
  readonly times: readonly number[];
  readonly lines: readonly Line[];
  readonly height: number;
  /** Text of a value at the value axis. */
  readonly axis: (value: number) => string;
  /** Text of a line's value at a time; default: `axis` of the value. */
  readonly read?: (line: Line, index: number) => ReactNode;
  /** The times are UTC days: they keep their dates in every zone. */
  readonly days?: boolean;
}
