/** What goes into the index and what comes out of it. */
import type { DecimalString } from '../../../domain/decimal.ts';
import type { Direction, Measure, PriceSource } from '../../../domain/measure.ts';

/** One stream of numbers: an instrument's price from one source, or a figure that the connector tells. */
export type Feed =
  | {
      readonly kind: 'price';
      readonly connector: string;
      readonly symbol: string;
      readonly source: PriceSource;
    }
  | { readonly kind: 'figure'; readonly connector: string; readonly name: string };

export interface FeedValue {
  readonly feed: Feed;
  /** A price > 0, or percent. */
  readonly value: DecimalString;
}

export interface ArmedTrigger {
  /** Unique among the armed. */
  readonly id: string;
  readonly connector: string;
  readonly measure: Measure;
  readonly direction: Direction;
  /** Fires when the measure is strictly beyond it; may be negative. */
  readonly level: DecimalString;
  /** True: fires at the level too, as the start of trailing does. */
  readonly inclusive?: boolean;
}

export interface Firing {
  readonly id: string;
  /** The measure at the tick that fired it. */
  readonly value: DecimalString;
  /** As what it was armed, where that was asked for. */
  readonly form?: ArmedTrigger;
}

export interface MeasureReading {
  readonly value: DecimalString;
  /** True when the trigger would fire at it. */
  readonly holds: boolean;
}
