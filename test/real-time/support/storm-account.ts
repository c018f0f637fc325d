/** An account in a storm, and what the gateway has promised to it. */

export interface StormAccount {
  readonly key: string;
  readonly accountId: string;
  readonly connector: string;
  /** Default: `TICKERS`. */
  readonly tickers?: readonly string[];
  /** Trades past the gateway at the venue; null: the gateway's own route does. */
  readonly tradeOutside: ((ticker: string, side: string, usd: number) => Promise<void>) | null;
  readonly promises: StormPromises;
}

export class StormPromises {
  /** Position → why it must have a working stop-loss. */
  readonly stops = new Map<string, string>();
  /** Idempotency key → the execution that was acknowledged under it. */
  readonly acknowledged = new Map<string, string>();
  /** Execution of an opening with a stop, or of a reversal of a position with one. */
  readonly stopsToCome = new Map<string, { readonly why: string; readonly at: number }>();
  /** Position → when its stop-loss was last removed on purpose. */
  readonly removed = new Map<string, number>();
  /** Actions on the account, newest last. */
  readonly trail: { readonly at: string; readonly said: string }[] = [];
  readonly complaints: string[] = [];
  readonly counts = new Map<string, number>();
}
