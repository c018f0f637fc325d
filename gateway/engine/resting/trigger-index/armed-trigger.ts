/** Inputs and outputs of the trigger index. */
import type { DecimalString } from '../../../domain/decimal.ts';
import type { Direction, Measure, PriceSource } from '../../../domain/measure.ts';

/** A stream of numbers: an instrument's price from one source, or a figure that the connector publishes. */
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
  /** A price > 0, or a figure in percent. */
  readonly value: DecimalString;
}

export interface ArmedTrigger {
  /** Unique among the armed triggers. */
  readonly id: string;
  readonly connector: string;
  readonly measure: Measure;
  readonly direction: Direction;
  /** The trigger fires when the measure is strictly beyond this level; may be negative. */
  readonly level: DecimalString;
  /** True: the trigger fires at the level too, as the start of trailing does. */
  readonly inclusive?: boolean;
}

export interface Firing {
  readonly id: string;
  /** Value of the measure at the tick that fired the trigger. */
  readonly value: DecimalString;
  /** The trigger's form as it was armed, if the caller asked for it. */
  readonly form?: ArmedTrigger;
}

export interface MeasureReading {
  readonly value: DecimalString;
  /** True: the trigger would fire at the current value. */
  readonly holds: boolean;
}
