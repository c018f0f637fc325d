/** Scripted faults. */
import type { Aim, CommonAct } from '../shared/faults.ts';
import type { Abstraction } from './state/accounts.ts';

export type FaultAct =
  | CommonAct
  /** The account changes its mode just before, or just after, the request is executed. */
  | {
      readonly do: 'change_mode';
      readonly account: string;
      readonly mode: Abstraction;
      readonly when: 'before' | 'after';
    }
  /** One leg of a batch of orders is refused with these words, whatever it is like. */
  | { readonly do: 'refuse_leg'; readonly leg: number; readonly text: string; readonly status?: string };

/** `on`: a type of an info request or of an action (`orderStatus`, `order`); `info`, `exchange` or `*`: all of them. */
export type Fault = FaultAct &
  Aim & {
    /** The account that is asked about or acts for; missing: any. */
    readonly user?: string;
  };
