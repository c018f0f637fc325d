/** Scripted faults. */
import type { Aim, CommonAct } from '../shared/faults.ts';

/**
 * `on`: a route (`sendTx`, `accountOrders`), a kind of transaction (`createOrder`), `get`, `post` or `*`: all of them.
 */
export type Fault = CommonAct &
  Aim & {
    /** The account that is asked about or acts; missing: any. */
    readonly account?: number;
  };
