/** What goes wrong, by script. */
import type { Aim, CommonAct } from '../shared/faults.ts';

export type FaultAct =
  | CommonAct
  /** One leg of a batch of orders is refused with these words, whatever it is like. */
  | { readonly do: 'refuse_leg'; readonly leg: number; readonly text: string; readonly status?: string };

/** `on`: a type of an info request or of an action (`orderStatus`, `order`); `info`, `exchange` or `*`: all of them. */
export type Fault = FaultAct &
  Aim & {
    /** The account that is asked about or acts for; missing: any. */
    readonly user?: string;
  };
